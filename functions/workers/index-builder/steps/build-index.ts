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
type Look = Extract<BuildMessage, { op: 'look' }>;

const readyIndex = async ({ indexes }: BuildDeps, message: BuildMessage): Promise<IndexRecord | null> => {
  const index = await indexes.get(message.organization_id, message.index_id);
  return index?.status === 'ready' ? index : null;
};

/** The index, while it still waits for this build. */
const waitingFor = async (deps: BuildDeps, message: Build): Promise<IndexRecord | null> => {
  const index = await readyIndex(deps, message);
  return index?.build?.id === message.build_id ? index : null;
};

/** @param rows over which it was built; null where it failed. */
const tellEnd = async ({ log }: BuildDeps, index: IndexRecord, buildId: string, rows: number | null): Promise<void> => {
  const ended = { build_id: buildId, ...(rows === null ? { ok: false } : { ok: true, rows }) };
  await log.append(index, { op: 'maintain', ended }, `built-${buildId}`);
};

/** Tells the log of an index that a build has failed, so that maintenance goes on. */
export const giveUp = async (deps: BuildDeps, message: Build): Promise<void> => {
  const index = await waitingFor(deps, message);
  if (index !== null) await tellEnd(deps, index, message.build_id, null);
};

/** Builds the vector index; tells over how many rows. */
const build = async ({ engines, indexes }: BuildDeps, index: IndexRecord): Promise<number> => {
  const engine = engines(index.organizationId);
  try {
    return await engine.buildVectorIndex(toIndexRef(index));
  } finally {
    // Where the index was removed meanwhile, what the build wrote after that is nobody's.
    if ((await indexes.get(index.organizationId, index.id)) === null) await engine.drop(index.layers[0].table);
  }
};

/** Builds the vector index that a message asks for. One that nobody waits for any more, or whose index is gone, is left out. */
export const buildIndex = async (deps: BuildDeps, message: Build): Promise<void> => {
  const index = await waitingFor(deps, message);
  if (index !== null) await tellEnd(deps, index, message.build_id, await build(deps, index));
};

/**
 * Tells the log of an index once nobody has written to it for a while; until then it looks again. Where maintenance has
 * run since, that has asked for a look of its own.
 */
export const lookAtIndex = async (deps: BuildDeps, message: Look, clock: Clock): Promise<void> => {
  const index = await readyIndex(deps, message);
  if (index === null || index.maintainedVersion !== message.version || isBuilding(index, clock.now())) return;
  const sinceMs = clock.now().getTime() - Date.parse(index.lastWrittenAt ?? index.createdAt);
  if (sinceMs < quietSeconds * 1_000) await deps.builds.lookLater(index, message.version);
  else await deps.log.append(index, { op: 'maintain', quiet: true }, `quiet-${index.id}-${message.version}`);
};
