import { checkAws } from './doctor/check-aws.ts';
import { checkLocal } from './doctor/check-local.ts';
import type { Finding } from './doctor/finding.ts';
import { placeOptions, placeUsage, readPlace } from './operator/place.ts';
import { readCommandLine } from './support/read-command-line.ts';
import { runCommand } from './support/run-command.ts';

const usage = `npm run doctor [-- options]

Checks an AWS account and the deployment in it: credentials, bootstrap, quotas, access to models, stacks and parameters.
Each finding says what to do. It changes nothing. Ends with exit code 1 if there is a problem.

  --local URL          check a run of npm start instead
${placeUsage}
  --qualifier Q        qualifier of the CDK bootstrap stack, if it has one of its own

With the session token of an owner in STRATA_TOKEN it also checks every dependency of the service.
`;

const checkWidth = 34;
const levelWidth = 9;

const linesOf = ({ check, level, message, action }: Finding): readonly string[] => [
  `${level.padEnd(levelWidth)}${check.padEnd(checkWidth)}${message}`,
  ...(action === undefined ? [] : [`${' '.repeat(levelWidth)}→ ${action}`]),
];

const main = async (): Promise<void> => {
  const { values } = readCommandLine({
    options: {
      local: { type: 'string' },
      qualifier: { type: 'string' },
      help: { type: 'boolean', default: false },
      ...placeOptions,
    },
  });
  if (values.help) {
    console.log(usage);
    return;
  }
  const { local } = values;
  const findings =
    local === undefined ? await checkAws(await readPlace(values)) : await checkLocal(local.replace(/\/+$/, ''));
  console.log(findings.flatMap(linesOf).join('\n'));
  if (findings.some(({ level }) => level === 'problem')) process.exitCode = 1;
};

await runCommand(main);
