import { isDeepStrictEqual } from 'node:util';
import type { Deps } from '../kernel/capability.ts';
import type { Clock } from '../kernel/clock.ts';
import { unavailable, ValidationFailure } from '../kernel/errors.ts';
import { fillSlot, indexUpdated, recordEvents } from '../events/index.ts';
import type { SearchDefaults } from '../ranking/index.ts';
import { indexesWrite } from './capabilities.ts';
import { type IndexRecord, toIndexRecord } from './record.ts';
import { requireIndex } from './require.ts';
import { usageKeyProblems } from './usage-values.ts';

/** Capabilities that an update needs. */
export const updateIndexUses = { indexes: indexesWrite, events: recordEvents('indexes') };

/**
 * Maximum retries. Concurrent updates wait for each other's event, and in every round at least one succeeds. An update that
 * lost gets a new time, so that the last event has the final name.
 */
const maxTries = 50;

/** New values of an index. Undefined: the value stays. */
export interface IndexChanges {
  readonly name?: string | undefined;
  readonly search_defaults?: SearchDefaults | null | undefined;
  readonly usage_key?: string | null | undefined;
  readonly ttl_seconds?: number | null | undefined;
  readonly version_days?: number | undefined;
  readonly query_log?: { readonly sample: number; readonly keep_days: number } | null | undefined;
}

const queryLogAfter = ({ queryLog }: IndexRecord, { query_log: asked }: IndexChanges): IndexRecord['queryLog'] => {
  if (asked === undefined) return queryLog;
  return asked === null ? null : { sample: asked.sample, keepDays: asked.keep_days };
};

/**
 * Changes an index and records `index.updated` in the same write. An update that changes nothing records no event. Throws 404
 * and 422, and 503 if too many updates run concurrently.
 */
export const updateIndexRecord = async (
  {
    deps,
    clock,
    organizationId,
  }: { readonly deps: Deps<typeof updateIndexUses>; readonly clock: Clock; readonly organizationId: string },
  indexId: string,
  changes: IndexChanges,
): Promise<IndexRecord> => {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const index = await requireIndex(deps.indexes, organizationId, indexId);
    const { name = index.name, search_defaults: searchDefaults = index.searchDefaults } = changes;
    const { usage_key: usageKey = index.usageKey, ttl_seconds: ttlSeconds = index.ttlSeconds } = changes;
    const { version_days: versionDays = index.versionDays } = changes;
    const problems = usageKeyProblems(usageKey, index.nonFilterableKeys);
    if (problems.length > 0) throw new ValidationFailure(problems);
    const isSame = index.name === name && index.usageKey === usageKey && index.ttlSeconds === ttlSeconds;
    const queryLog = queryLogAfter(index, changes);
    const isKept = index.versionDays === versionDays && isDeepStrictEqual(index.queryLog, queryLog);
    if (isSame && isKept && isDeepStrictEqual(index.searchDefaults, searchDefaults)) return index;
    const event = indexUpdated({
      at: clock.now(),
      organizationId,
      index: { id: index.id, name, region: index.region },
    });
    const settings = { name, searchDefaults, usageKey, ttlSeconds, versionDays, queryLog };
    const changed = await deps.indexes.update(index, settings, fillSlot('updated', event));
    const item = changed ?? (await deps.indexes.item(organizationId, indexId));
    if (item !== null) await deps.events.flush(organizationId, item);
    if (changed !== null) return toIndexRecord(changed);
  }
  throw unavailable(null, 'Other requests are changing the index. Try again');
};
