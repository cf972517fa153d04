import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { namesStack, withStacks } from './operator/stack-parameters.ts';
import { projectDirectory } from './support/project-directory.ts';
import { readCommandLine } from './support/read-command-line.ts';
import { runCommand } from './support/run-command.ts';

const usage = `npm run deploy -- [options] [STACK…]

Bundles the functions, synthesizes the stacks and deploys them, all or those that are named, with the pinned CDK.

  --approval WHEN          ask before a change: broadening (default, only of permissions), any-change, never;
                           without a terminal it has to be never
  --deployment NAME        first part of every name (default: context "deployment" of cdk.json, else strata)
  --regions A,B            where indexes may live, home first (default: context "regions" of cdk.json, else us-east-1)
  --parameters N=V         value of a parameter in every stack that has it, such as EmbeddingProvider=openai; repeatable
  --parameters STACK:N=V   the same for one stack, such as strata-region-us-east-1:AudioProvider=off
  --context NAME=VALUE     any other context of the CDK; repeatable
  --tags NAME=VALUE        tag of all resources; a deployment without it removes the tag; repeatable
  --profile NAME           profile of the AWS configuration (default: AWS_PROFILE)
  --role-arn ARN           role that CloudFormation deploys with
  --qualifier Q            qualifier of the CDK bootstrap stack, if it has one of its own
  --dry-run                prints the commands and runs nothing
  --help                   prints this

Other options of the CDK: npx cdk deploy --help

In CI:  npm run deploy -- --approval never
`;

const approvals = ['broadening', 'any-change', 'never'] as const;

const text = { type: 'string' } as const;
const texts = { type: 'string', multiple: true } as const;
const flag = { type: 'boolean', default: false } as const;

const readOptions = (args: readonly string[]) =>
  readCommandLine({
    args: [...args],
    allowPositionals: true,
    options: {
      approval: text,
      deployment: text,
      regions: text,
      parameters: texts,
      context: texts,
      tags: texts,
      profile: text,
      'role-arn': text,
      qualifier: text,
      'dry-run': flag,
      help: flag,
    },
  });

type Options = ReturnType<typeof readOptions>['values'];

/** One `--name=value` for each value that is there. */
const passed = (name: string, ...values: readonly (string | undefined)[]): readonly string[] =>
  values.flatMap((value) => (value === undefined ? [] : [`--${name}=${value}`]));

const contextOf = ({ deployment, regions, qualifier, context = [] }: Options): readonly string[] => [
  ...(deployment === undefined ? [] : [`deployment=${deployment}`]),
  ...(regions === undefined ? [] : [`regions=${regions}`]),
  ...(qualifier === undefined ? [] : [`@aws-cdk/core:bootstrapQualifier=${qualifier}`]),
  ...context,
];

/** @throws Error if the value is unknown, or there is no terminal to approve at. */
const approvalOf = ({ approval = 'broadening' }: Options, hasTerminal: boolean): string => {
  const known = approvals.find((name) => name === approval);
  if (known === undefined) throw new Error(`--approval ${approval}: give one of ${approvals.join(', ')}`);
  if (known !== 'never' && !hasTerminal)
    throw new Error(
      `There is no terminal to approve changes at. Review them with "npx cdk diff", then give --approval never.`,
    );
  return known;
};

/** Where the templates are that are read before the deployment. */
const assemblyDirectory = join(projectDirectory, 'cdk.out');

/** Runs the pinned CDK. Returns its exit code. */
const runCdk = (args: readonly string[]): number => {
  const cdk = join(projectDirectory, 'node_modules', 'aws-cdk', 'bin', 'cdk');
  const { status, error } = spawnSync(process.execPath, [cdk, ...args], { cwd: projectDirectory, stdio: 'inherit' });
  if (error !== undefined) throw error;
  return status ?? 1;
};

const deploy = (args: readonly string[]): number => {
  const { values, positionals } = readOptions(args);
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const { parameters = [] } = values;
  const hasTerminal = process.stdin.isTTY && process.stderr.isTTY;
  const approval = approvalOf(values, hasTerminal);
  const context = passed('context', ...contextOf(values));
  const readsTemplates = !parameters.every(namesStack);
  const synth = ['synth', '--quiet', `--output=${assemblyDirectory}`, ...context];
  const deployWith = (given: readonly string[]): readonly string[] => [
    'deploy',
    ...(positionals.length === 0 ? ['--all'] : positionals),
    ...passed('require-approval', approval),
    ...(readsTemplates ? passed('app', assemblyDirectory) : context),
    ...passed('parameters', ...given),
    ...passed('tags', ...(values.tags ?? [])),
    ...passed('profile', values.profile),
    ...passed('role-arn', values['role-arn']),
    // Lines that a log keeps, in place of a bar that is drawn over itself.
    ...(hasTerminal ? [] : ['--ci', '--progress=events']),
  ];
  if (values['dry-run']) {
    for (const command of [...(readsTemplates ? [synth] : []), deployWith(parameters)])
      console.log(['cdk', ...command].join(' '));
    return 0;
  }
  const status = readsTemplates ? runCdk(synth) : 0;
  return status === 0
    ? runCdk(deployWith(readsTemplates ? withStacks(assemblyDirectory, parameters) : parameters))
    : status;
};

await runCommand(() => {
  process.exitCode = deploy(process.argv.slice(2));
});
