import type * as z from 'zod';
import { currentAnalyzer } from '#engine';
import type { Deps } from '../kernel/capability.ts';
import { AppError, unavailable } from '../kernel/errors.ts';
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
import { defaultVersionDays, type IndexRecord } from './record.ts';
import { ownRegion, regionsRead, requireEngineIn } from './regions.ts';
import type { IndexWriter, NameClaim } from './contracts.ts';
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

/**
 * Stores the record of an index within the plan limit for indexes. Returns false if another request has claimed its name.
 * Throws 402.
 */
export const addIndex = (
  indexes: IndexWriter,
  caller: Principal,
  index: IndexRecord,
  claim: NameClaim | null = null,
): Promise<boolean> =>
  addWithinPlanLimit({
    plan: caller.plan,
    limit: 'indexes',
    has: async () => (await indexes.get(caller.organizationId, index.id)) !== null,
    add: (limit) => indexes.add(index, limit, claim),
  });

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

interface CreateCall {
  readonly deps: CreateDeps;
  readonly caller: Principal;
  readonly idempotency: IdempotencyContext;
}

/** Throws 409 if an index differs from one that was requested by the same name. */
const requireSame = (existing: IndexRecord, asked: IndexRecord, body: z.output<typeof IndexCreate>): void => {
  const compared = {
    dimensions: body.dimensions === undefined && body.embedding_model == null ? null : asked.dimensions,
    metric: asked.metric,
    region: body.cloud_region == null ? null : asked.region,
    engine: asked.engine,
  };
  for (const [key, value] of Object.entries(compared)) {
    // Cast: the keys are those of the object.
    const own = existing[key as keyof typeof compared];
    if (value === null || own === value) continue;
    throw new AppError('conflict', `The index ${existing.id} has this name, and its ${key} is ${own}, not ${value}`, {
      fields: { index_id: existing.id },
    });
  }
};

/** Maximum attempts, while other requests claim the same name and delete its index again. */
const maxClaims = 8;

/** Stores a new index, or returns the existing one of its name. Throws 402, 409 and 503. */
const addNamed = async (
  { deps: { indexes }, caller }: Pick<CreateCall, 'deps' | 'caller'>,
  index: IndexRecord,
  body: z.output<typeof IndexCreate>,
): Promise<IndexRecord> => {
  const { organizationId, id, name } = index;
  for (let tries = 0; tries < maxClaims; tries += 1) {
    const found = await indexes.named(organizationId, name);
    // An earlier run of the request may have created it.
    if (found.index !== null && found.index.id !== id) {
      if (body.if_exists === 'conflict')
        throw new AppError('name_taken', `The index ${found.index.id} has this name`, {
          fields: { index_id: found.index.id },
        });
      requireSame(found.index, index, body);
      return found.index;
    }
    if (await addIndex(indexes, caller, index, { name, former: found.claimed })) return index;
  }
  throw unavailable(null, 'Other requests create indexes of this name. Try again');
};

/**
 * Stores a new index and appends its creation to its log, or returns an existing one of its name if the body requests so.
 * Throws 402, 403, 409, 422 and 503.
 */
export const createIndexRecord = async (
  call: CreateCall,
  body: z.output<typeof IndexCreate>,
): Promise<{ readonly index: IndexRecord; readonly isNew: boolean }> => {
  const { deps, caller, idempotency } = call;
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
    chunking: null,
    searchDefaults: null,
    usageKey: body.usage_key ?? null,
    ttlSeconds: body.ttl_seconds ?? null,
    versionDays: body.version_days ?? defaultVersionDays,
    createdAt: idempotency.at.toISOString(),
    parentIndexId: null,
    branchDepth: 0,
  });
  if (body.if_exists === 'create') await addIndex(deps.indexes, caller, index);
  else {
    const existing = await addNamed(call, index, body);
    if (existing.id !== id) return { index: existing, isNew: false };
  }
  await deps.log.append(index, { op: 'create' }, `create-${id}`);
  return { index, isNew: true };
};
