import type { Clock } from '../../../../shared/kernel/clock.ts';
import type { Deps } from '../../../../shared/kernel/capability.ts';
import {
  type BuildMessage,
  type IndexRecord,
  isBuilding,
  quietSeconds,
  toIndexRef,
} from '../../../../shared/indexes/index.ts';
import type { indexBuilderUses } from '../uses.ts';

type BuildDeps = Deps<typeof indexBuilderUses>;

type Build = Extract<BuildMessage, { op: 'build' }>;
type QuietCheck = Extract<BuildMessage, { op: 'look' }>;

const readyIndex = async ({ indexes }: BuildDeps, message: BuildMessage): Promise<IndexRecord | null> => {
  const index = await indexes.get(message.organization_id, message.index_id);
  return index?.status === 'ready' ? index : null;
};

/** Returns the index if it still waits for this build, else null. */
const waitingFor = async (deps: BuildDeps, message: Build): Promise<IndexRecord | null> => {
  const index = await readyIndex(deps, message);
  return index?.build?.id === message.build_id ? index : null;
};

/** Reports the end of a build to the log of the index. @param rows Rows of the vector index; null if the build failed. */
const reportEnd = async (
  { log }: BuildDeps,
  index: IndexRecord,
  buildId: string,
  rows: number | null,
): Promise<void> => {
  const ended = { build_id: buildId, ...(rows === null ? { ok: false } : { ok: true, rows }) };
  await log.append(index, { op: 'maintain', ended }, `built-${buildId}`);
};

/** Reports a failed build to the log of the index, so that maintenance continues. */
export const reportFailedBuild = async (deps: BuildDeps, message: Build): Promise<void> => {
  const index = await waitingFor(deps, message);
  if (index !== null) await reportEnd(deps, index, message.build_id, null);
};

/** Builds the vector index. Returns its number of rows. */
const build = async ({ engines, indexes }: BuildDeps, index: IndexRecord): Promise<number> => {
  const engine = engines(index.organizationId);
  try {
    return await engine.buildVectorIndex(toIndexRef(index));
  } finally {
    // If the index was deleted meanwhile, the files that the build wrote must be deleted too.
    if ((await indexes.get(index.organizationId, index.id)) === null) await engine.drop(index.layers[0].table);
  }
};

/** Builds the vector index that a message requests, unless the build is obsolete or its index is gone. */
export const buildIndex = async (deps: BuildDeps, message: Build): Promise<void> => {
  const index = await waitingFor(deps, message);
  if (index !== null) await reportEnd(deps, index, message.build_id, await build(deps, index));
};

/**
 * Requests maintenance of an index once writes to it have paused. Until then, it enqueues a later check. If maintenance has
 * run since, that run has enqueued its own check.
 */
export const checkWhetherQuiet = async (deps: BuildDeps, message: QuietCheck, clock: Clock): Promise<void> => {
  const index = await readyIndex(deps, message);
  if (index === null || index.maintainedVersion !== message.version || isBuilding(index, clock.now())) return;
  const sinceMs = clock.now().getTime() - Date.parse(index.lastWrittenAt ?? index.createdAt);
  if (sinceMs < quietSeconds * 1_000) await deps.builds.checkLater(index, message.version);
  else await deps.log.append(index, { op: 'maintain', quiet: true }, `quiet-${index.id}-${message.version}`);
};
