import {
  countMaintenanceFailure,
  dependentsOf,
  findBranchOrRelease,
  type IndexBuild,
  type IndexRecord,
  isBuilding,
  type MessageOf,
  requestMaterialization,
  toIndexRef,
} from '../../../../shared/indexes/index.ts';
import { laterBy } from '../../../../shared/kernel/clock.ts';
import { hourMs } from '../../../../shared/kernel/durations.ts';
import type { TableState, VectorIndexState } from '#engine';
import { acknowledge, done } from './receipts.ts';
import type { Writing } from '../uses.ts';

/** Fragments of a table from which maintenance is due. */
const maintainAtFragments = 20;

/**
 * Returns the maximum fresh rows with texts. A text query reads each of them again, in about 0.1 ms for a chunk of a file. The
 * limit is a tenth of a small table, so that a table that grows row by row is not maintained with each. It is a hundredth of
 * a large table, because each run adds a segment that slows searches. ADR 29 has the measurements.
 */
const freshTextsOf = (rows: number): number => Math.max(50, Math.min(500, rows * 0.1), rows * 0.01);

/** Maximum numbers of fresh vectors and maximum fresh rows of a filter, each processed in about 3 ms. */
const freshFloats = 1_500_000;
const mostFreshRows = 5_000;

/** Rows up to which maintenance of a table takes no longer than a commit. */
const smallTableRows = 1_000;

/**
 * Returns the maximum fresh rows with texts during writes. With a table in an object store, each maintenance blocks the log for
 * two seconds, so that a bulk load has one for each 5,000 rows.
 */
const freshTextsWhileWritten = (rows: number): number => (rows > smallTableRows ? mostFreshRows : 0);

/**
 * Factor of the limit for fresh vectors during writes, and share of the table. Each maintenance processes all of them and
 * adds a segment, and eight segments cause a rebuild of the index.
 */
const moreWhileWritten = 4;
const shareWhileWritten = 0.2;

/**
 * Returns when maintenance is due: now, when writes pause, or not yet. It is due if fresh rows slow searches more than
 * maintenance would slow writes.
 */
export const maintenanceDue = (
  { rows, sparseBytes, fragments, unindexedRows }: Omit<TableState, 'version'>,
  dimensions: number,
): 'now' | 'when quiet' | 'not yet' => {
  if (fragments >= maintainAtFragments) return 'now';
  const texts = freshTextsOf(rows);
  // Without texts, fresh rows slow only dense searches and filters.
  const vectors = sparseBytes > 0 ? 0 : Math.min(mostFreshRows, freshFloats / dimensions);
  const whileWritten =
    sparseBytes > 0 ? freshTextsWhileWritten(rows) : Math.min(vectors * moreWhileWritten, rows * shareWhileWritten);
  if (unindexedRows >= Math.max(texts, vectors, whileWritten)) return 'now';
  return unindexedRows >= Math.max(texts, vectors) ? 'when quiet' : 'not yet';
};

/**
 * Seconds for which a version is kept for its readers if no branch needs it: longer than any reading function runs.
 * Maintenance reads the manifest of each kept version, so many of them make it slow and expensive.
 */
const keepSeconds = 180;

/** Maximum versions that a parent keeps for a branch. An older branch is materialized, so that they can be deleted. */
const maxKeptVersions = 1_000;

/** Milliseconds after which a build is lost: longer than its attempts and the pauses between them. */
const buildMs = hourMs;
/** Milliseconds until the next build after a failed one. */
const afterFailureMs = 6 * hourMs;

/** Reason of a maintenance message. */
interface Occasion {
  /** End of the build that the index waits for; null if none has ended. */
  readonly ended: 'well' | 'badly' | null;
  /** Whether writes have paused. */
  readonly quiet: boolean;
  /** Rows of the vector index when it was built; null if unknown. */
  readonly builtRows: number | null;
}

const occasionOf = ({ build, builtRows }: IndexRecord, { change }: MessageOf<'maintain'>): Occasion => {
  const { ended, quiet = false } = change;
  if (ended === undefined || ended.build_id !== build?.id) return { ended: null, quiet, builtRows };
  return ended.ok ? { ended: 'well', quiet, builtRows: ended.rows ?? null } : { ended: 'badly', quiet, builtRows };
};

/** Whether a vector index should be built now. During writes, parts are added to the existing one instead. */
const isWanted = ({ quiet }: Occasion, vectorIndex: VectorIndexState): boolean =>
  vectorIndex === 'missing' || vectorIndex === 'worn' || (vectorIndex === 'grown' && quiet);

/**
 * Returns the state of the build after maintenance.
 * @param id Id of the new build, if one is wanted.
 */
const nextBuild = (
  { build }: IndexRecord,
  { ended }: Occasion,
  wanted: boolean,
  id: string,
  now: Date,
): IndexBuild | null => {
  const after = (ms: number): string => laterBy(now, ms).toISOString();
  if (build !== null && ended === 'badly') return { ...build, state: 'failed', until: after(afterFailureMs) };
  if (build?.state === 'failed' && build.until > now.toISOString()) return build;
  return wanted ? { id, state: 'running', until: after(buildMs) } : null;
};

/** Requests the materialization of branches for which the table keeps too many versions. */
const materializeOldBranches = async (
  writing: Writing,
  index: IndexRecord,
  version: number,
  id: string,
): Promise<void> => {
  for (const dependent of dependentsOf(index)) {
    if (version - dependent.version < maxKeptVersions) continue;
    const branch = await findBranchOrRelease(writing.deps, index, dependent, writing.run.clock);
    if (branch?.status === 'ready') await requestMaterialization(writing.deps, branch, id, writing.run.clock.now());
  }
};

/** Lets the sweep of pending cleanups request maintenance in six hours, also without further writes. */
const retryLater = ({ deps, run }: Writing, { organizationId, id }: IndexRecord): Promise<void> =>
  deps.indexes.notePendingCleanup(organizationId, id, run.clock.now().toISOString());

const maintain = async (writing: Writing, index: IndexRecord, occasion: Occasion, id: string): Promise<void> => {
  const { deps, run } = writing;
  const keepVersions = dependentsOf(index).map(({ version }) => version);
  const engine = deps.engines(index.organizationId, index.engine);
  const { builtRows } = occasion;
  const { state, vectorIndex } = await engine.maintain(toIndexRef(index), { keepSeconds, keepVersions }, builtRows);
  const { compaction: _ended, vector_index: failed, ...rest } = index.maintenanceFailures;
  const kept = {
    ...index,
    maintenanceFailures: failed === undefined || occasion.ended === 'well' ? rest : { ...rest, vector_index: failed },
  };
  const maintenanceFailures =
    occasion.ended === 'badly' ? countMaintenanceFailure(kept, 'vector_index', run) : kept.maintenanceFailures;
  const build = nextBuild(index, occasion, isWanted(occasion, vectorIndex), id, run.clock.now());
  await deps.indexes.saveMaintenance(index, state, { build, builtRows, maintenanceFailures });
  if (occasion.ended === 'badly') await retryLater(writing, index);
  if (build?.id === id) await deps.builds.build(index, build.id);
  else if (build === null && vectorIndex === 'grown') await deps.builds.checkLater(index, state.version);
  await materializeOldBranches(writing, index, state.version, id);
};

/**
 * Table compaction: compacts a table and updates its indexes. It enqueues a build of a new vector index if that would make
 * searches faster, or a later check. During a build it does nothing, because compaction would make the build fail; the end
 * of the build requests maintenance.
 */
export const applyMaintain = async (
  writing: Writing,
  index: IndexRecord,
  message: MessageOf<'maintain'>,
): Promise<void> => {
  const { receipt_id: id } = message;
  const occasion = occasionOf(index, message);
  // The previous run may have died between saving and enqueueing.
  if (index.build?.id === id) await writing.deps.builds.build(index, id);
  else if (occasion.ended !== null || !isBuilding(index, writing.run.clock.now()))
    await maintain(writing, index, occasion, id);
  await acknowledge(writing, message, done);
};

/** Records that the retries of maintenance are exhausted. The next write or the sweep requests it again. */
export const noteMaintenanceFailure = async (writing: Writing, index: IndexRecord): Promise<void> => {
  const { deps, run } = writing;
  await retryLater(writing, index);
  await deps.indexes.saveMaintenanceFailures(index, countMaintenanceFailure(index, 'compaction', run));
};
