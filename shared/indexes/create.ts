import type * as z from 'zod';
import type { Deps } from '../kernel/capability.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError, ValidationFailure } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { plans } from '../kernel/plans.ts';
import type { Principal } from '../http/principal.ts';
import { indexesWrite } from './capabilities.ts';
import { logSend } from './log.ts';
import type { IndexRecord } from './record.ts';
import { regionsRead } from './regions.ts';
import type { IndexReader } from './contracts.ts';
import type { IndexCreate } from './schemas.ts';

/** What creating an index may touch. */
export const createIndexUses = { indexes: indexesWrite, log: logSend, regions: regionsRead };

/** The model that writes and searches an index for its whole life. */
const embeddingModel = 'embedded-use-v1';

export const emptyState: IndexRecord['state'] = {
  rows: 0,
  denseBytes: 0,
  sparseBytes: 0,
  unindexedRows: 0,
  fragments: 0,
};

/** Refuses a caller who may not add an index, or whose plan is full. Throws 402 and 403. */
export const requireRoomForIndex = async (indexes: IndexReader, caller: Principal): Promise<void> => {
  if (caller.indexIds !== null)
    throw new AppError('index_not_allowed', 'These credentials are restricted to their indexes');
  const current = await indexes.count(caller.organizationId);
  const limit = plans[caller.plan].limits.indexes;
  if (current >= limit) {
    throw new AppError('plan_limit_reached', `The plan allows ${limit} indexes`, { fields: { limit, current } });
  }
};

const chooseRegion = (regions: readonly string[], asked: string | null | undefined): string => {
  const region = asked ?? regions[0] ?? '';
  if (!regions.includes(region)) {
    const msg = `Input should be ${regions.map((name) => `'${name}'`).join(' or ')}`;
    throw new ValidationFailure([{ loc: ['body', 'cloud_region'], msg, type: 'enum' }]);
  }
  return region;
};

/** Stores a new index and puts its creation first in its log. Throws 402, 403 and 422. */
export const createIndexRecord = async (
  {
    deps,
    caller,
    clock,
  }: { readonly deps: Deps<typeof createIndexUses>; readonly caller: Principal; readonly clock: Clock },
  body: z.output<typeof IndexCreate>,
): Promise<IndexRecord> => {
  const region = chooseRegion(deps.regions.all, body.cloud_region);
  await requireRoomForIndex(deps.indexes, caller);
  const at = clock.now();
  const id = newId('idx', at);
  const index: IndexRecord = {
    id,
    organizationId: caller.organizationId,
    name: body.name,
    dimensions: body.dimensions,
    metric: body.distance_metric,
    region,
    nonFilterableKeys: [...new Set(body.non_filterable_metadata_keys)],
    embeddingModel,
    status: 'creating',
    createdAt: at.toISOString(),
    parentIndexId: null,
    branchDepth: 0,
    layers: [{ table: id, version: 0 }],
    dependents: new Set(),
    state: emptyState,
    lastWrittenAt: null,
  };
  await deps.indexes.add(index);
  await deps.log.append(index, { op: 'create' });
  return index;
};
