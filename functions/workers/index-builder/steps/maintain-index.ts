import {
  type BuildMessage,
  countMaintenanceFailure,
  firstReadable,
  type IndexRecord,
  isMaintained,
  readVersionsOf,
  tablesOf,
  toIndexRef,
} from '../../../../shared/indexes/index.ts';
import { laterBy } from '../../../../shared/kernel/clock.ts';
import { hourMs, minuteMs } from '../../../../shared/kernel/durations.ts';
import { hasFeature, type TableState } from '#engine';
import type { Building } from '../uses.ts';

/**
 * Seconds for which a version is kept for its readers if no branch needs it. Cursors of searches are promised 15 minutes, and
 * a read that begins at their end takes up to 30 seconds.
 */
const keepSeconds = 20 * 60;

/** Milliseconds after which maintenance is lost: longer than any run. */
const leaseMs = 20 * minuteMs;

/** Pauses after failures in a row. */
const [firstPauseMs, longestPauseMs] = [5 * minuteMs, 6 * hourMs];

/**
 * Removes the files of an index that was deleted during this run, or an earlier one that died. Its deletion may have
 * listed them before the last was written.
 */
const dropIfDeleted = async (
  { deps }: Building,
  { organization_id, index_id }: BuildMessage,
  table = index_id,
): Promise<void> => {
  const index = await deps.indexes.get(organization_id, index_id);
  const isGone = index === null || (index.status === 'deleting' && index.dependents.size === 0);
  if (isGone) await deps.engines(organization_id).drop(table);
};

/** Drops former tables of an index that no branch and no export reads any more. A rebuild drops its own. */
const dropFormerTables = async ({ deps }: Building, index: IndexRecord): Promise<void> => {
  if (index.rebuildId !== null) return;
  const { organizationId, id } = index;
  for (const { engine, table, name } of tablesOf(index).others) {
    // Branches keep tables of engines that have them.
    if (!hasFeature(engine, 'branches') || readVersionsOf(index, table).length > 0) continue;
    await deps.engines(organizationId).drop(table);
    await deps.indexes.removeTable(organizationId, id, name);
  }
};

/** Leases the index to a message. Null: it is gone, or another message maintains it. */
const lease = async (building: Building, message: BuildMessage, messageId: string): Promise<IndexRecord | null> => {
  const { deps, run } = building;
  const index = await deps.indexes.get(message.organization_id, message.index_id);
  if (index?.status !== 'ready') {
    await dropIfDeleted(building, message);
    return null;
  }
  const now = run.clock.now();
  // A repeat of a message whose run died has its lease.
  if (isMaintained(index, now) && index.maintenanceLease?.id !== messageId) return null;
  return deps.indexes.leaseMaintenance(index, { id: messageId, until: laterBy(now, leaseMs).toISOString() });
};

/** Returns what is kept of an index according to its record. */
const retentionOf = (index: IndexRecord, { work }: BuildMessage) => ({
  keepSeconds,
  keepDays: index.versionDays,
  keepVersions: [index.layers[0].version, ...readVersionsOf(index, index.layers[0].table)],
  purge: work === 'purge',
  fromVersion: firstReadable(index),
  // An erasure reaches the rows that a branch reads of its parent.
  detached: index.erasedFrom !== null && index.layers.length > 1,
  paused: work !== 'due',
});

const maintain = async (building: Building, index: IndexRecord, message: BuildMessage): Promise<TableState> => {
  const { indexes, engines } = building.deps;
  const engine = engines(index.organizationId);
  const ref = toIndexRef(index);
  try {
    const state = await engine.maintain(ref, retentionOf(index, message));
    // Branches and exports may have begun meanwhile.
    const now = await indexes.get(index.organizationId, index.id);
    if (now === null) return state;
    if (now.layers[0].table === index.layers[0].table) await engine.collect(ref, retentionOf(now, message));
    await dropFormerTables(building, now);
    return state;
  } finally {
    await dropIfDeleted(building, message, index.layers[0].table);
  }
};

/**
 * Maintains an index beside its log: merges its segments, folds them into its table, and removes what no version needs. The
 * lease only saves work: the versions of an index are written so that any number of builders may run at once.
 */
export const maintainIndex = async (building: Building, message: BuildMessage, messageId: string): Promise<void> => {
  const { deps, run } = building;
  const index = await lease(building, message, messageId);
  if (index === null) return;
  const state = await maintain(building, index, message);
  const now = await deps.indexes.endMaintenance(index, messageId, state);
  // Commits during the work have requested nothing. The run of one that is not recorded yet requests maintenance itself.
  const isRecorded =
    now?.status === 'ready' && now.layers[0].table === index.layers[0].table && now.layers[0].version >= state.version;
  if (!isRecorded || now.state.maintenance === 'none') return;
  if (now.state.maintenance === 'paused')
    await deps.indexes.noteFold(now.organizationId, now.id, run.clock.now().toISOString());
  else await deps.builds.request(now);
};

/** Records that the attempts of a message have failed. The next commit after a pause, or the sweep, requests maintenance again. */
export const noteFailure = async ({ deps, run }: Building, message: BuildMessage): Promise<void> => {
  const index = await deps.indexes.get(message.organization_id, message.index_id);
  if (index?.status !== 'ready') return;
  const now = run.clock.now();
  const failures = countMaintenanceFailure(index, run);
  const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** (failures.failures - 1));
  await deps.indexes.notePendingCleanup(index, now.toISOString());
  const pause = { id: 'pause', until: laterBy(now, pauseMs).toISOString() };
  await deps.indexes.failMaintenance(index, failures, pause);
};
