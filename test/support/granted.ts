import { Aws } from 'aws-cdk-lib';
import type { Reach } from '../../lib/grant-kinds.ts';
import { grantsOf } from '../../lib/grants.ts';
import { evaluate, readPolicy } from '#local-cloud';
import type { CapabilityId } from '../../shared/kernel/capability.ts';
import type { ListedModel } from '../../shared/kernel/config.ts';

const accountId = '000000000000';
const principal = { name: 'function', arn: `arn:aws:iam::${accountId}:role/function`, accountId };

/** Models that a deployment lists, besides those of its parameters. */
export const listedModels = [
  { provider: 'bedrock', model: 'cohere.embed-multilingual-v3' },
  { provider: 'bedrock', model: 'cohere.embed-v4:0' },
  { provider: 'openai', model: 'laboratory', dimensions: [768], api_key: 'embedding-api-key-laboratory' },
] as const satisfies readonly ListedModel[];

const reachIn = (region: string): Reach => ({
  deployment: 'test',
  homeRegion: 'us-east-1',
  region,
  regions: [region],
  eventBus: 'audit',
  hasS3Vectors: true,
  embeddingModels: listedModels,
  reranker: { provider: 'bedrock', model: 'cohere.rerank-v3-5:0' },
});

const plain = (arn: string): string => arn.replaceAll(Aws.PARTITION, 'aws').replaceAll(Aws.ACCOUNT_ID, accountId);

/** Returns what a capability allows in a deployment, as actions with their resources. */
export const grantedActions = (capability: CapabilityId, changes: Partial<Reach>): readonly string[] =>
  grantsOf([capability], { ...reachIn('us-east-1'), ...changes }).flatMap(({ actions, resources }) =>
    actions.flatMap((action) => resources.map((arn) => `${action} ${plain(arn)}`)),
  );

/**
 * Whether the grants of a capability allow an action, for a function in `region` of the deployment `test`. Servers that
 * take the place of services which the local cloud does not emulate ask it for each request.
 */
export const isGranted = (
  capability: CapabilityId,
  action: string,
  resource: string,
  region = 'us-east-1',
): boolean => {
  const statements = grantsOf([capability], reachIn(region)).map(({ effect = 'allow', actions, resources }) => ({
    Effect: effect === 'allow' ? 'Allow' : 'Deny',
    Action: actions,
    Resource: resources.map(plain),
  }));
  const policy = readPolicy({ Version: '2012-10-17', Statement: statements }, 'identity');
  return evaluate(policy, { principal, action, resource, context: {} }) === 'allow';
};
