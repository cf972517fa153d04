import { apiStackNames } from '../../lib/api-stacks.ts';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetParameterCommand, ParameterNotFound, SSMClient } from '@aws-sdk/client-ssm';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { systemClock } from '../../shared/kernel/clock.ts';
import { bedrockEmbeddingModel } from '../../shared/kernel/config.ts';
import { bedrockModel } from '../../shared/platform/models/bedrock.ts';
import { ModelFault } from '../../shared/platform/models/call-model.ts';
import { openAwsAccess } from '../operator/aws-access.ts';
import type { Place } from '../operator/place.ts';
import { type DeployedStack, describeStack } from '../operator/stacks.ts';
import { checkService } from './check-service.ts';
import { advice, attempt, type Finding, ok, problem } from './finding.ts';

/** Version that the synthesized stacks need. Source: the CDK, `requiresBootstrapStackVersion` of the assembly. */
const minBootstrapVersion = 6;
const wantedConcurrency = 1_000;
/** Concurrent executions, of Lambda in Service Quotas. */
const concurrencyQuota = 'L-B99A9384';
/** Every model has this or a larger size. */
const probeDimensions = 256;
/** A check that takes longer is reported as one that could not be made. */
const clientOptions = {
  maxAttempts: 2,
  requestHandler: new NodeHttpHandler({
    connectionTimeout: 5_000,
    requestTimeout: 15_000,
    throwOnRequestTimeout: true,
  }),
};

const checkIdentity = async (
  region: string,
): Promise<{ readonly finding: Finding; readonly account: string | null }> => {
  try {
    const identity = await new STSClient({ region, ...clientOptions }).send(new GetCallerIdentityCommand({}));
    const account = identity.Account ?? '';
    return { finding: ok('credentials', `account ${account}, ${identity.Arn ?? ''}`), account };
  } catch (error) {
    const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    const action = 'Run aws sso login or aws configure, and give --profile NAME if it is not the default profile.';
    return { finding: problem('credentials', message, action), account: null };
  }
};

const checkBootstrap = async ({ qualifier }: Place, region: string, account: string): Promise<Finding> => {
  const check = `bootstrap ${region}`;
  const command = `npx cdk bootstrap aws://${account}/${region}`;
  try {
    const Name = `/cdk-bootstrap/${qualifier}/version`;
    const { Parameter } = await new SSMClient({ region, ...clientOptions }).send(new GetParameterCommand({ Name }));
    const version = Number(Parameter?.Value);
    if (version >= minBootstrapVersion) return ok(check, `version ${version}`);
    return problem(check, `version ${version}, but ${minBootstrapVersion} is needed`, `Run ${command}`);
  } catch (error) {
    if (error instanceof ParameterNotFound)
      return problem(check, `not bootstrapped with the qualifier ${qualifier}`, `Run ${command}`);
    throw error;
  }
};

const checkConcurrency = async (region: string): Promise<Finding> => {
  const check = `lambda ${region}`;
  const { AccountLimit } = await new LambdaClient({ region, ...clientOptions }).send(new GetAccountSettingsCommand({}));
  const { ConcurrentExecutions: limit = 0, UnreservedConcurrentExecutions: unreserved = limit } = AccountLimit ?? {};
  const note = `${limit} concurrent executions, ${unreserved} of them unreserved`;
  if (unreserved >= wantedConcurrency) return ok(check, note);
  return advice(
    check,
    `${note}; under load fewer than ${wantedConcurrency} make requests and files fail`,
    `Run aws service-quotas request-service-quota-increase --region ${region} --service-code lambda ` +
      `--quota-code ${concurrencyQuota} --desired-value ${wantedConcurrency}. It usually takes some days.`,
  );
};

const checkBedrock = async (region: string, modelId: string): Promise<Finding> => {
  const check = `bedrock ${region}`;
  try {
    const { requestHandler } = clientOptions;
    const model = bedrockModel({ region, modelId, clock: systemClock, requestHandler });
    await model.request(['doctor'], probeDimensions, 'document');
    return ok(check, `${modelId} answers`);
  } catch (error) {
    const fault = error instanceof ModelFault ? error.cause : error;
    const name = fault instanceof Error ? fault.name : 'Error';
    if (name === 'AccessDeniedException')
      return problem(
        check,
        `access to ${modelId} is denied`,
        'Allow bedrock:InvokeModel, in policies of the organization too, and look at Model access in the console of Bedrock.',
      );
    if (name === 'ValidationException' || name === 'ResourceNotFoundException')
      return problem(
        check,
        `${modelId} is not in this region`,
        'Choose another region, or models of another provider.',
      );
    throw error;
  }
};

const failedStatus = /FAILED|ROLLBACK_COMPLETE$/;

const checkStack = (name: string, stack: DeployedStack | null): Finding => {
  const check = `stack ${name}`;
  if (stack === null) return advice(check, 'not deployed', 'Run npm run deploy.');
  const { status } = stack;
  if (status === 'ROLLBACK_COMPLETE' || status === 'ROLLBACK_FAILED')
    return problem(check, status, `Delete the stack ${name}, then run npm run deploy.`);
  if (status === 'UPDATE_ROLLBACK_FAILED')
    return problem(check, status, `Run aws cloudformation continue-update-rollback --stack-name ${name}`);
  if (status === 'UPDATE_ROLLBACK_COMPLETE')
    return problem(
      check,
      status,
      'The last upgrade was rolled back. Look at the events of the stack, then deploy again.',
    );
  if (failedStatus.test(status)) return problem(check, status, 'Look at the events of the stack, then deploy again.');
  if (status.endsWith('_IN_PROGRESS')) return advice(check, status, 'Wait until it has ended, then run this again.');
  return ok(check, status);
};

/** Parameters of models that the stacks of the API and of the regions have to share. */
const sharedParameters = ['EmbeddingProvider', 'EmbeddingModel', 'EmbeddingBaseUrl'];

const checkParameters = (stacks: readonly DeployedStack[]): readonly Finding[] => {
  const differing = sharedParameters.flatMap((name) => {
    const values = new Set(stacks.flatMap(({ parameters }) => parameters[name] ?? []));
    return values.size < 2 ? [] : [`${name} is ${[...values].map((value) => JSON.stringify(value)).join(' and ')}`];
  });
  const silent = stacks.filter(({ parameters }) => parameters['AlarmTopicArn'] === 'none').map(({ name }) => name);
  return [
    ...differing.map((message) =>
      problem('parameters', message, 'Deploy all stacks of the API and of the regions with the same value.'),
    ),
    ...(silent.length === 0
      ? []
      : [
          advice('alarms', `no topic in ${silent.join(', ')}`, 'Set AlarmTopicArn, so that alarms send notifications.'),
        ]),
    ...(differing.length + silent.length === 0 ? [ok('parameters', 'they agree')] : []),
  ];
};

/** Checks an account and the deployment in it, by the SDK's default chain of credentials. */
export const checkAws = async (place: Place): Promise<readonly Finding[]> => {
  const { deployment, regions, bedrockModels } = place;
  const [home] = regions;
  const { finding, account } = await checkIdentity(home);
  if (account === null) return [finding];
  const access = openAwsAccess();
  const named: readonly (readonly [name: string, region: string])[] = [
    [`${deployment}-data`, home],
    [`${deployment}-events`, home],
    ...regions.map((region) => [`${deployment}-region-${region}`, region] as const),
    [`${deployment}-api`, home],
    ...apiStackNames.map((name) => [`${deployment}-api-${name}`, home] as const),
  ];
  const stacks: DeployedStack[] = [];
  const found = named.map(([name, region]) =>
    attempt(`stack ${name}`, async () => {
      const stack = await describeStack(access, region, name);
      if (stack !== null) stacks.push(stack);
      return checkStack(name, stack);
    }),
  );
  const ofStacks = (await Promise.all(found)).flat();
  const inRegions = regions.map(async (region) => {
    const provider = stacks.find(({ name }) => name === `${deployment}-region-${region}`)?.parameters[
      'EmbeddingProvider'
    ];
    const called = new Set([
      ...((provider ?? 'bedrock') === 'bedrock' ? [bedrockEmbeddingModel] : []),
      ...bedrockModels,
    ]);
    return [
      ...(await attempt(`bootstrap ${region}`, () => checkBootstrap(place, region, account))),
      ...(await attempt(`lambda ${region}`, () => checkConcurrency(region))),
      ...(
        await Promise.all([...called].map((model) => attempt(`bedrock ${region}`, () => checkBedrock(region, model))))
      ).flat(),
    ];
  });
  const url = stacks.find(({ name }) => name === `${deployment}-api`)?.outputs['ApiUrl'];
  return [
    finding,
    ...(await Promise.all(inRegions)).flat(),
    ...ofStacks,
    ...(stacks.length === 0 ? [] : checkParameters(stacks)),
    ...(url === undefined ? [] : await checkService(url)),
  ];
};
