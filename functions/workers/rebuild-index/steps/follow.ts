import {
  type Content,
  dependentOf,
  type IndexRecord,
  requireNotFull,
  toIndexRef,
  withContent,
} from '../../../../shared/indexes/index.ts';
import { embeddingKey } from '../../../../shared/kernel/content-keys.ts';
import { hourMs } from '../../../../shared/kernel/durations.ts';
import { planOf } from '../../../../shared/organizations/index.ts';
import { createCachedEmbedder } from '../../../../shared/platform/models/cache.ts';
import {
  changedRows,
  type Copying,
  hasTakenOver,
  openCutParts,
  type RebuildRecord,
  writeChanged,
} from '../../../../shared/rebuilds/index.ts';
import { requireVectorQuota } from '../../../../shared/usage/index.ts';
import { engines, type Layer } from '#engine';
import type { Rebuilding } from '../uses.ts';

/** Remaining milliseconds below which no further page begins. */
const reserveMs = 120_000;

/** Changed rows from which the content is compared again, before the log is asked to switch. */
const smallPass = 200;

/** Seconds for which a replaced version is kept for its readers. */
const keepSeconds = 20 * 60;

/** Interval in which removed rows leave the files of a content that does not serve. */
const purgeMs = 6 * hourMs;

/**
 * State of the content that does not serve. `interrupted`: the status has changed, or the time is up, and another run goes
 * on.
 */
export type Followed = { readonly current: RebuildRecord; readonly changed: number } | 'interrupted';

/** Returns what copying rows needs in this run. Vectors are cached, so that a repeated page costs no model. */
const copyingOf = ({ deps }: Rebuilding, index: IndexRecord, { id, region }: RebuildRecord): Copying => ({
  partOf: openCutParts(deps.content, index),
  engines: deps.engines,
  readers: deps.readers,
  embed: async (model, texts) => {
    const { organizationId, dimensions } = index;
    const organization = { organizationId, plan: await planOf(deps.organizations, organizationId) };
    const store = {
      get: (key: string) => deps.content.get(region, embeddingKey(key)),
      put: (key: string, body: Uint8Array) =>
        deps.stored.put(region, embeddingKey(key), body, 'application/octet-stream'),
    };
    const reserved: ((used: number) => Promise<void>)[] = [];
    const scope = {
      tenant: organizationId,
      payer: id,
      onPaid: () => Promise.resolve(),
      onMissing: async (missing: readonly string[]) => {
        reserved.push(await deps.tokens.reserve(organization, missing));
      },
    };
    let tokens = 0;
    try {
      const embedded = await createCachedEmbedder(deps.embedders(model), store, scope).embed(texts, dimensions);
      tokens = embedded.tokens;
      return embedded;
    } finally {
      for (const settle of reserved) await settle(tokens);
    }
  },
});

/** Merges and folds a content, as its state or a purge needs it. */
const maintain = async (
  { deps }: Rebuilding,
  index: IndexRecord,
  other: Content,
  { purge }: { readonly purge: boolean },
): Promise<Content> => {
  const isDue = other.state.maintenance === 'due' || other.state.maintenance === 'overdue';
  if (!isDue && !purge) return other;
  const engine = deps.engines(index.organizationId, other.engine);
  const ref = toIndexRef(withContent(index, other));
  const retention = { keepSeconds, keepVersions: [other.state.version], purge };
  const state = await engine.maintain(ref, retention);
  await engine.collect(ref, { ...retention, keepVersions: [state.version] });
  return { ...other, state };
};

const pin = async ({ deps }: Rebuilding, index: IndexRecord, { id }: RebuildRecord, layer: Layer): Promise<void> => {
  if (!engines[index.engine].listsById) return;
  await deps.indexes.changeDependents(index.organizationId, index.id, { include: dependentOf(id, layer) });
};

const unpin = async (
  { deps }: Rebuilding,
  index: IndexRecord,
  { id }: RebuildRecord,
  layer: Layer | null,
): Promise<void> => {
  if (layer !== null)
    await deps.indexes.changeDependents(index.organizationId, index.id, { exclude: dependentOf(id, layer) });
};

/** Throws 402 or 409 if a successor has more rows than the plan or the index may have. Smaller chunks are more rows. */
const requireRoom = async ({ deps }: Rebuilding, index: IndexRecord, other: Content): Promise<void> => {
  const { organizationId } = index;
  requireNotFull(deps.indexes, withContent(index, other));
  const more = other.state.rows - index.state.rows;
  if (more <= 0) return;
  const plan = await planOf(deps.organizations, organizationId);
  await requireVectorQuota(deps.usage, { organizationId, plan }, more);
};

/** Brings the other content of a rebuild to the version of its target. */
const reachTarget = async (
  context: Rebuilding,
  index: IndexRecord,
  begun: RebuildRecord,
  leaseId: string,
): Promise<Followed> => {
  const { deps, run } = context;
  const copying = copyingOf(context, index, begun);
  let current = begun;
  let changed = 0;
  for await (const page of changedRows(copying, index, begun)) {
    const { target } = current;
    if (current.other === null || target === null) throw new Error('the rebuild has no target');
    const written = await writeChanged(copying, index, current, current.other, page);
    if (!hasTakenOver(current) && page.cut.length > 0) await requireRoom(context, index, written.other);
    const other = await maintain(context, index, written.other, { purge: false });
    const step = { figures: written.figures, other, target: { ...target, after: page.after } };
    const saved = await deps.rebuilds.save(current, leaseId, step);
    if (saved === null || run.remainingMs() < reserveMs) return 'interrupted';
    current = saved;
    changed += page.rows.length + page.cut.length + page.removed.length;
  }
  return { current, changed };
};

/**
 * Brings the content that does not serve to the current version of the one that does.
 * @returns The rebuild, once few rows have changed meanwhile.
 */
export const follow = async (
  context: Rebuilding,
  address: { readonly organizationId: string; readonly indexId: string },
  begun: RebuildRecord,
  leaseId: string,
): Promise<Followed> => {
  const { deps } = context;
  let current = begun;
  for (;;) {
    const index = await deps.indexes.get(address.organizationId, address.indexId);
    if (index?.status !== 'ready') return 'interrupted';
    if (current.target === null) {
      const [{ table, version }] = index.layers;
      if (current.followed?.table === table && current.followed.version === version) return { current, changed: 0 };
      await pin(context, index, current, { table, version });
      const begunPass = await deps.rebuilds.save(current, leaseId, { target: { table, version, after: null } });
      if (begunPass === null) return 'interrupted';
      current = begunPass;
    }
    const reached = await reachTarget(context, index, current, leaseId);
    if (reached === 'interrupted' || reached.current.target === null) return 'interrupted';
    const { table, version } = reached.current.target;
    const former = current.followed;
    const saved = await deps.rebuilds.save(reached.current, leaseId, { followed: { table, version }, target: null });
    if (saved === null) return 'interrupted';
    await unpin(context, index, saved, former);
    current = saved;
    if (reached.changed <= smallPass) return { current, changed: reached.changed };
  }
};

/** Removes replaced and deleted rows from the files of a content that does not serve, some times a day. */
export const purge = async (
  context: Rebuilding,
  index: IndexRecord,
  current: RebuildRecord,
  leaseId: string,
): Promise<void> => {
  const { deps, run } = context;
  const now = run.clock.now();
  const last = Date.parse(current.purgedAt ?? current.completedAt ?? current.createdAt);
  if (current.other === null || now.getTime() - last < purgeMs) return;
  const other = await maintain(context, index, current.other, { purge: true });
  await deps.rebuilds.save(current, leaseId, { other, purgedAt: now.toISOString() });
};
