import { rowMetadataBytes } from '../../../../shared/kernel/row-metadata.ts';
import { bothFilters } from '../row-bounds.ts';
import { weightOf, weightOfRemoved } from '../commit-weight.ts';
import { expiryOf, liveBy } from '../expiry.ts';
import { mergePatch } from '../merge-patch.ts';
import type { Filter } from '../filter.ts';
import { matcherOf } from '../match-filter.ts';
import type { Change, ChangeResult, ErasedRow, Expected, MetadataPatch, Row } from '../port.ts';
import type { IndexContent, VersionedRow } from './index-content.ts';
import type { PendingRows } from './pending-rows.ts';

/** A change with the version that its rows get. */
export interface KeyedChange {
  readonly key: string;
  readonly change: Change;
}

/** Maximum number of ids in a result, which is stored in a receipt of at most 400 KB. */
const maxReportedIds = 100;

const nothing: ChangeResult = { written: 0, deleted: 0 };

/** Rows as a change sees them. */
interface SeenRows {
  readonly versionOf: (id: string) => string | null;
  readonly rowOf: (id: string) => VersionedRow | undefined;
  /** Whether a row of a change matches the filter within which it is applied. */
  readonly isWithin: (row: Pick<Row, 'metadata'>) => boolean;
}

/**
 * Returns rows without those that have expired or do not match a filter. All rows that the change names have been read then.
 */
const seenWithin = (content: IndexContent, pending: PendingRows, within: Filter | undefined): SeenRows => {
  const { liveAt } = content.ref;
  const matches = within === undefined ? null : matcherOf(within, content.ref);
  const isWithin: SeenRows['isWithin'] = ({ metadata }) => matches?.(metadata) ?? true;
  if (matches === null && liveAt === undefined)
    return { versionOf: (id) => pending.versionOf(id), rowOf: (id) => pending.rowOf(id), isWithin };
  const rowOf: SeenRows['rowOf'] = (id) => {
    const row = pending.rowOf(id);
    const isSeen = row !== undefined && isWithin(row) && expiryOf(row.metadata) > (liveAt ?? 0);
    return isSeen ? row : undefined;
  };
  return { rowOf, versionOf: (id) => rowOf(id)?.version ?? null, isWithin };
};

/** Returns a filter that matches no expired row. */
const liveOf = ({ ref: { liveAt } }: IndexContent, filter: Filter): Filter =>
  liveAt === undefined ? filter : bothFilters(filter, liveBy(liveAt));

const conflictsOf = ({ versionOf }: SeenRows, expected: Expected | undefined): Required<ChangeResult>['conflicts'] =>
  [...(expected ?? [])]
    .filter(([id, version]) => versionOf(id) !== version)
    .slice(0, maxReportedIds)
    .map(([id]) => ({ id, version: versionOf(id) }));

/** Returns the refusal of patched rows that would leave the filter of their change; null if none would. */
const leaving = (rows: readonly Row[], { isWithin }: SeenRows): ChangeResult | null => {
  const outside = rows.filter((row) => !isWithin(row)).length;
  return outside === 0 ? null : { ...nothing, outside };
};

/** Returns why rows cannot be written: the metadata of some is too large, or the engine cannot store one. */
const refusalOf = (content: IndexContent, rows: readonly Row[], maxRowBytes = Infinity): ChangeResult | null => {
  const tooLarge =
    maxRowBytes === Infinity ? [] : rows.filter(({ metadata }) => rowMetadataBytes(metadata) > maxRowBytes);
  if (tooLarge.length > 0) return { ...nothing, tooLarge: tooLarge.slice(0, maxReportedIds).map(({ id }) => id) };
  for (const row of rows) {
    const problem = content.problemOf(row);
    if (problem !== null) return { ...nothing, unsupported: `The row "${row.id}" does not fit: ${problem}` };
  }
  return null;
};

/** Reads rows with their vectors. Returns null and stops reading once they weigh more than `maxBytes`. */
const readWithin = async (
  content: Pick<IndexContent, 'read'>,
  ids: readonly string[],
  maxBytes: number,
): Promise<readonly VersionedRow[] | null> => {
  const found: VersionedRow[] = [];
  let weight = 0;
  for await (const rows of content.read(ids)) {
    found.push(...rows);
    weight += weightOf(rows);
    if (weight > maxBytes) return null;
  }
  return found;
};

const patched = <Stored extends Row>(row: Stored, { metadata }: Pick<MetadataPatch, 'metadata'>): Stored => ({
  ...row,
  metadata: mergePatch(row.metadata, metadata),
});

const withVersion = (rows: readonly Row[], version: string): readonly VersionedRow[] =>
  rows.map((row) => ({ ...row, version }));

type ChangeOf<Kind extends Change['kind']> = Extract<Change, { kind: Kind }>;

const applyPatch = (
  content: IndexContent,
  pending: PendingRows,
  key: string,
  change: ChangeOf<'patch'>,
): ChangeResult => {
  const seen = seenWithin(content, pending, change.within);
  const conflicts = conflictsOf(seen, change.expected);
  if (conflicts.length > 0) return { ...nothing, conflicts };
  const rows = new Map<string, Row>();
  for (const patch of change.patches) {
    const row = rows.get(patch.id) ?? seen.rowOf(patch.id);
    if (row !== undefined) rows.set(patch.id, patched(row, patch));
  }
  const changed = [...rows.values()];
  const refusal = leaving(changed, seen) ?? refusalOf(content, changed, change.maxBytes);
  if (refusal !== null) return refusal;
  const missing = change.patches.map(({ id }) => id).filter((id) => !rows.has(id));
  return {
    ...nothing,
    written: pending.put(withVersion([...rows.values()], key)),
    missing: missing.slice(0, maxReportedIds),
  };
};

const applyPatchWhere = async (
  content: IndexContent,
  pending: PendingRows,
  key: string,
  { filter, metadata, maxRowBytes, maxBytes, within }: ChangeOf<'patchWhere'>,
): Promise<ChangeResult> => {
  const ids = await pending.matching({
    filter: liveOf(content, within === undefined ? filter : bothFilters(filter, within)),
  });
  const tooMany: ChangeResult = { ...nothing, tooMany: ids.length };
  if (ids.length * content.ref.dimensions * 4 > maxBytes) return tooMany;
  const written = ids.flatMap((id) => pending.rowOf(id) ?? []);
  const stored = await readWithin(
    content,
    ids.filter((id) => pending.rowOf(id) === undefined),
    maxBytes,
  );
  if (stored === null) return tooMany;
  const rows = [...stored, ...written].map((row) => patched(row, { metadata }));
  const seen = seenWithin(content, pending, within);
  const refusal = leaving(rows, seen) ?? refusalOf(content, rows, maxRowBytes);
  if (refusal !== null) return refusal;
  return weightOf(rows) > maxBytes ? tooMany : { ...nothing, written: pending.put(withVersion(rows, key)) };
};

const applyReplaceJob = async (
  content: IndexContent,
  pending: PendingRows,
  key: string,
  { rows, oldJobId, maxBytes }: ChangeOf<'replaceJob'>,
): Promise<ChangeResult> => {
  const refusal = refusalOf(content, rows);
  if (refusal !== null) return refusal;
  const kept = new Set(rows.map(({ id }) => id));
  const going = (await pending.matching({ jobId: oldJobId })).filter((id) => !kept.has(id));
  // Rows that are not removed in one version with the new ones weigh nothing.
  const weight = weightOf(rows) + (content.isAtomic ? weightOfRemoved(going.length, content.ref.dimensions) : 0);
  if (weight > maxBytes) return { ...nothing, tooMany: rows.length + going.length };
  const deleted = pending.removeJob(oldJobId, going);
  return { written: pending.put(withVersion(rows, key)), deleted };
};

const applyPromotion = async (
  content: IndexContent,
  pending: PendingRows,
  change: ChangeOf<'promote'>,
): Promise<ChangeResult> => {
  const branch = await content.openBranch(change.branch);
  const keep = change.parentChanges === 'keep';
  const versions = keep ? await branch.changes() : await branch.matching({ filter: {} });
  await pending.lookUp([...versions.keys()]);
  // Rows that the parent has in the same version need no change.
  const wanted = [...versions].filter(([id, version]) => version !== null && pending.versionOf(id) !== version);
  const gone = [...versions].flatMap(([id, version]) => (version === null ? [id] : []));
  const others = keep ? [] : (await pending.matching({ filter: {} })).filter((id) => !versions.has(id));
  const going = [...gone, ...others];
  const room = change.maxBytes - weightOfRemoved(going.length, content.ref.dimensions);
  const rows = await readWithin(
    branch,
    wanted.map(([id]) => id),
    room,
  );
  if (rows === null) return { ...nothing, tooMany: wanted.length + going.length };
  const deleted = pending.remove(going);
  return { written: pending.put((await change.embed?.(rows)) ?? rows), deleted };
};

const applyErasure = async (
  content: IndexContent,
  pending: PendingRows,
  { ids, jobId, filter, report }: ChangeOf<'erase'>,
): Promise<ChangeResult> => {
  const ofJob = jobId === null ? [] : await pending.matching({ jobId });
  const matching = filter === null ? [] : await pending.matching({ filter });
  const going = [...new Set([...ids.filter((id) => pending.versionOf(id) !== null), ...ofJob, ...matching])];
  const rows: ErasedRow[] = [];
  for await (const some of content.read(going)) rows.push(...some.map(({ id, jobId: of }) => ({ id, jobId: of })));
  // Rows with the other ids may be in former versions.
  const found = new Set(going);
  await report([...rows, ...ids.filter((id) => !found.has(id)).map((id) => ({ id, jobId: null }))]);
  return { ...nothing, deleted: jobId === null ? pending.remove(going) : pending.removeJob(jobId, going) };
};

/** Applies one change on top of those before it, and returns its result. A refused change leaves them as they are. */
export const applyChange = async (
  content: IndexContent,
  pending: PendingRows,
  { key, change }: KeyedChange,
): Promise<ChangeResult> => {
  switch (change.kind) {
    case 'upsert': {
      const refusal = refusalOf(content, change.rows);
      if (refusal !== null) return refusal;
      const conflicts = conflictsOf(seenWithin(content, pending, change.within), change.expected);
      return conflicts.length > 0
        ? { ...nothing, conflicts }
        : { ...nothing, written: pending.put(withVersion(change.rows, key)) };
    }
    case 'patch':
      return applyPatch(content, pending, key, change);
    case 'patchWhere':
      return applyPatchWhere(content, pending, key, change);
    case 'delete': {
      const { versionOf } = seenWithin(content, pending, change.within);
      return { ...nothing, deleted: pending.remove(change.ids.filter((id) => versionOf(id) !== null)) };
    }
    case 'deleteWhere': {
      const going = await pending.matching({ filter: change.filter });
      const { liveAt } = content.ref;
      const live = liveAt === undefined ? going : await pending.matching({ filter: liveOf(content, change.filter) });
      const deleted = pending.remove(live);
      pending.remove(going);
      return { ...nothing, deleted };
    }
    case 'deleteJob': {
      const { jobId } = change;
      return { ...nothing, deleted: pending.removeJob(jobId, await pending.matching({ jobId })) };
    }
    case 'erase':
      return applyErasure(content, pending, change);
    case 'copy': {
      const refusal = refusalOf(content, change.rows);
      if (refusal !== null) return refusal;
      const deleted = pending.remove(change.removed);
      return { written: pending.put(change.rows), deleted };
    }
    case 'replaceJob':
      return applyReplaceJob(content, pending, key, change);
    case 'promote':
      return applyPromotion(content, pending, change);
  }
};
