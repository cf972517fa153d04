import {
  askToFold,
  countMaintenanceFailure,
  dependentsOf,
  type IndexBuild,
  type IndexRecord,
  isBuilding,
  type MessageOf,
  toIndexRef,
} from '../../../../shared/indexes/index.ts';
import { laterBy } from '../../../../shared/kernel/clock.ts';
import { hourMs } from '../../../../shared/kernel/durations.ts';
import type { VectorIndexState } from '../../../../shared/platform/engine/port.ts';
import { acknowledge, done } from './receipts.ts';
import { branchOn } from './release-ancestors.ts';
import type { Writing } from '../uses.ts';

/**
 * How long a version that no branch needs is kept for those that still read it: longer than any function runs that does.
 * Maintenance reads what each kept version consists of, so many of them would make it slow and dear.
 */
const keepSeconds = 180;

/** Versions that a parent keeps for a branch; an older one makes the branch stand alone, so that they can go. */
const mostKeptVersions = 1_000;

/** How long a build is waited for: longer than its attempts and the pauses between them take. */
const buildMs = hourMs;
/** How long the next build is put off after one that failed. */
const afterFailureMs = 6 * hourMs;

/** What a message of maintenance says. */
interface Occasion {
  /** How the build ended that the index waits for; null where none has. */
  readonly ended: 'well' | 'badly' | null;
  /** Whether nobody has written for a while. */
  readonly quiet: boolean;
  /** Rows over which the vector index has been built; null where nobody knows. */
  readonly builtRows: number | null;
}

const occasionOf = ({ build, builtRows }: IndexRecord, { change }: MessageOf<'maintain'>): Occasion => {
  const { ended, quiet = false } = change;
  if (ended === undefined || ended.build_id !== build?.id) return { ended: null, quiet, builtRows };
  return ended.ok ? { ended: 'well', quiet, builtRows: ended.rows ?? null } : { ended: 'badly', quiet, builtRows };
};

/** Whether a vector index should be built now: while others write, parts are added to the one that is there. */
const isWanted = ({ quiet }: Occasion, vectorIndex: VectorIndexState): boolean =>
  vectorIndex === 'missing' || vectorIndex === 'worn' || (vectorIndex === 'grown' && quiet);

/**
 * What becomes of the vector index after maintenance.
 * @param id of the build, if one is wanted.
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

/** Asks branches for which the table keeps too much to stand alone. */
const foldOldBranches = async (writing: Writing, index: IndexRecord, version: number, id: string): Promise<void> => {
  for (const dependent of dependentsOf(index)) {
    if (version - dependent.version < mostKeptVersions) continue;
    const branch = await branchOn(writing, index, dependent);
    if (branch?.status === 'ready') await askToFold(writing.deps, branch, id, writing.run.clock.now());
  }
};

const maintain = async (writing: Writing, index: IndexRecord, occasion: Occasion, id: string): Promise<void> => {
  const { deps, run } = writing;
  const keepVersions = dependentsOf(index).map(({ version }) => version);
  const engine = deps.engines(index.organizationId);
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
  if (build?.id === id) await deps.builds.build(index, build.id);
  else if (build === null && vectorIndex === 'grown') await deps.builds.lookLater(index, state.version);
  await foldOldBranches(writing, index, state.version, id);
};

/**
 * Compacts a table, brings its indexes up to date and asks for a new vector index where searches would be faster with it,
 * or for a look whether that pays. While one is built it does nothing: compaction would make the build fail, which asks
 * for maintenance once it has ended.
 */
export const applyMaintain = async (
  writing: Writing,
  index: IndexRecord,
  message: MessageOf<'maintain'>,
): Promise<void> => {
  const { receipt_id: id } = message;
  const occasion = occasionOf(index, message);
  // The run before may have died between the two.
  if (index.build?.id === id) await writing.deps.builds.build(index, id);
  else if (occasion.ended !== null || !isBuilding(index, writing.run.clock.now()))
    await maintain(writing, index, occasion, id);
  await acknowledge(writing, message, done);
};

/** Notes that maintenance was given up, which is asked for again when the index is written to. */
export const noteMaintenanceFailure = async ({ deps, run }: Writing, index: IndexRecord): Promise<void> => {
  await deps.indexes.saveMaintenanceFailures(index, countMaintenanceFailure(index, 'compaction', run));
};
