import type * as z from 'zod';
import { currentAnalyzer } from '#engine';
import type { Deps } from '../kernel/capability.ts';
import { AppError } from '../kernel/errors.ts';
import { plans } from '../kernel/plans.ts';
import type { IdempotencyContext } from '../http/idempotency.ts';
import type { Principal } from '../http/principal.ts';
import { embeddingModelsKnown } from '../platform/models/model-names.ts';
import { organizationsRead } from '../organizations/index.ts';
import { addWithinPlanLimit } from '../usage/index.ts';
import { indexesWrite } from './capabilities.ts';
import { logSend } from './index-log.ts';
import { chooseModel } from './model-choice.ts';
import { newIndex } from './new-index.ts';
import type { IndexRecord } from './record.ts';
import { ownRegion, regionsRead, requireEngineIn } from './regions.ts';
import type { IndexWriter } from './contracts.ts';
import type { IndexCreate } from './schemas.ts';

/** Capabilities that creating an index needs. */
export const createIndexUses = {
  indexes: indexesWrite,
  log: logSend,
  regions: regionsRead,
  organizations: organizationsRead,
  models: embeddingModelsKnown,
};

type CreateDeps = Deps<typeof createIndexUses>;

/** Stores the record of an index within the plan limit for indexes. Throws 402. */
export const addIndex = async (indexes: IndexWriter, caller: Principal, index: IndexRecord): Promise<void> => {
  await addWithinPlanLimit({
    plan: caller.plan,
    limit: 'indexes',
    has: async () => (await indexes.get(caller.organizationId, index.id)) !== null,
    add: (limit) => indexes.add(index, limit),
  });
};

/** Returns the requested region, else that of the organization, else the first of the deployment. Throws 403. */
const chooseRegion = async (deps: CreateDeps, caller: Principal, asked: string | null): Promise<string> => {
  const own = ownRegion(deps.regions, await deps.organizations.get(caller.organizationId));
  if (asked === null) return own;
  if (asked !== own && !plans[caller.plan].features.multi_region)
    throw new AppError(
      'feature_not_in_plan',
      `The plan ${caller.plan} keeps all indexes in one region, ${own}. The operator of the service can change the plan`,
    );
  return asked;
};

/** Stores a new index and appends its creation to its log. Throws 402, 403 and 422. */
export const createIndexRecord = async (
  {
    deps,
    caller,
    idempotency,
  }: { readonly deps: CreateDeps; readonly caller: Principal; readonly idempotency: IdempotencyContext },
  body: z.output<typeof IndexCreate>,
): Promise<IndexRecord> => {
  const region = await chooseRegion(deps, caller, body.cloud_region ?? null);
  requireEngineIn(region, body.engine, deps.regions);
  const id = idempotency.id('idx');
  const index = newIndex({
    id,
    organizationId: caller.organizationId,
    name: body.name,
    ...chooseModel(body, deps.models),
    metric: body.distance_metric,
    region,
    engine: body.engine,
    nonFilterableKeys: [...new Set(body.non_filterable_metadata_keys)],
    textLanguage: body.text_language,
    analyzer: currentAnalyzer,
    searchDefaults: null,
    usageKey: body.usage_key ?? null,
    createdAt: idempotency.at.toISOString(),
    parentIndexId: null,
    branchDepth: 0,
  });
  await addIndex(deps.indexes, caller, index);
  await deps.log.append(index, { op: 'create' }, `create-${id}`);
  return index;
};
