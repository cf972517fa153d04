import { rowMetadataBytes } from '../../../kernel/row-metadata.ts';
import { weightOf, weightOfRemoved } from '../commit-weight.ts';
import type { Change, ChangeResult, Expected, FoundRow, IndexRef, Row } from '../port.ts';
import { matcherOf } from '../match-filter.ts';
import { mergePatch } from '../merge-patch.ts';
import { compileFilter, quote } from './compile-filter.ts';
import { heldByBranch, touchedByBranch } from './read-branch.ts';
import { chunked, idsPerQuery, type View } from './read-layers.ts';
import { fetchRows } from './read-rows.ts';

/** A change with the version that its rows get. */
export interface KeyedChange {
  readonly key: string;
  readonly change: Change;
}

/** A row with its version. */
export interface Content {
  readonly row: Row;
  readonly version: string;
}

/** Tables and settings that changes are applied to. */
export interface ChangeContext {
  readonly ref: IndexRef;
  readonly view: View;
  /** Whether rows of the nearest layer mask others, or did. */
  readonly masks: boolean;
  /** Opens the tables of another index at its versions. */
  readonly open: (ref: IndexRef) => Promise<View>;
}

/** Operations that changes consist of, on top of the view. */
export interface RowOperations {
  /** Writes rows and returns their number. */
  readonly put: (contents: readonly Content[]) => number;
  /** Removes rows and returns the number of them that were visible. */
  readonly remove: (ids: readonly string[]) => number;
  /** Returns the ids of the visible rows that satisfy a condition, which is given as SQL and as a function. */
  readonly matching: (where: string, matches: (row: Row) => boolean) => Promise<readonly string[]>;
  /** Looks up existing rows for ids that no change names. */
  readonly lookUp: (ids: readonly string[]) => Promise<void>;
  /** Returns the current version of a row. Null if none is visible. */
  readonly versionOf: (id: string) => string | null;
  /** Returns the row as the changes have written it. Undefined if they have not written it. */
  readonly written: (id: string) => Row | undefined;
}

/** Maximum number of ids in a result. */
const maxReportedIds = 100;

const nothing: ChangeResult = { written: 0, deleted: 0 };

const conflictsOf = (play: RowOperations, expected: Expected | undefined): Required<ChangeResult>['conflicts'] =>
  [...(expected ?? [])]
    .filter(([id, version]) => play.versionOf(id) !== version)
    .slice(0, maxReportedIds)
    .map(([id]) => ({ id, version: play.versionOf(id) }));

/** Converts a row that was read with its vector. */
export const toContent = ({ version, vector, ...row }: FoundRow): Content => {
  if (vector === null || version === undefined) throw new Error(`row ${row.id} was read without its vector or version`);
  return { row: { ...row, vector }, version };
};

/** Reads the rows of a view with their vectors, by id, in batches. */
const contentsOf = async function* (
  view: View,
  ids: readonly string[],
  ref: IndexRef,
): AsyncGenerator<readonly Content[]> {
  for (const some of chunked(ids, idsPerQuery)) yield (await fetchRows(view, some, ref, true)).map(toContent);
};

const readContents = async (view: View, ids: readonly string[], ref: IndexRef): Promise<readonly Content[]> =>
  (await Array.fromAsync(contentsOf(view, ids, ref))).flat();

/** Reads rows of a view with their vectors. Returns null and stops reading once they weigh more than `maxBytes`. */
const readWithin = async (
  view: View,
  ids: readonly string[],
  ref: IndexRef,
  maxBytes: number,
): Promise<readonly Content[] | null> => {
  const found: Content[] = [];
  let weight = 0;
  for await (const contents of contentsOf(view, ids, ref)) {
    found.push(...contents);
    weight += weightOf(contents.map(({ row }) => row));
    if (weight > maxBytes) break;
  }
  return weight > maxBytes ? null : found;
};

type Patch = Extract<Change, { kind: 'patch' }>;

const patch = async (
  { view, ref }: ChangeContext,
  play: RowOperations,
  key: string,
  change: Patch,
): Promise<ChangeResult> => {
  const present = change.patches.filter(({ id }) => play.versionOf(id) !== null);
  const untouched = present.map(({ id }) => id).filter((id) => play.written(id) === undefined);
  const stored = new Map((await readContents(view, untouched, ref)).map(({ row }) => [row.id, row]));
  const patched = new Map<string, Row>();
  for (const { id, metadata } of present) {
    const row = patched.get(id) ?? play.written(id) ?? stored.get(id);
    if (row !== undefined) patched.set(id, { ...row, metadata: mergePatch(row.metadata, metadata) });
  }
  const rows = [...patched.values()];
  const tooLarge = rows.filter(({ metadata }) => rowMetadataBytes(metadata) > change.maxBytes);
  if (tooLarge.length > 0) return { ...nothing, tooLarge: tooLarge.slice(0, maxReportedIds).map(({ id }) => id) };
  const missing = change.patches
    .map(({ id }) => id)
    .filter((id) => !patched.has(id))
    .slice(0, maxReportedIds);
  return { ...nothing, written: play.put(rows.map((row) => ({ row, version: key }))), missing };
};

type PatchWhere = Extract<Change, { kind: 'patchWhere' }>;

const patchWhere = async (
  { view, ref }: ChangeContext,
  play: RowOperations,
  key: string,
  { filter, metadata, maxRowBytes, maxBytes }: PatchWhere,
): Promise<ChangeResult> => {
  const matches = matcherOf(filter, ref);
  const ids = await play.matching(compileFilter(filter), (row) => matches(row.metadata));
  const untouched = ids.filter((id) => play.written(id) === undefined);
  const stored = await readWithin(view, untouched, ref, maxBytes);
  if (stored === null) return { ...nothing, tooMany: ids.length };
  const before = [...stored.map(({ row }) => row), ...ids.flatMap((id) => play.written(id) ?? [])];
  const rows = before.map((row) => ({ ...row, metadata: mergePatch(row.metadata, metadata) }));
  const tooLarge = rows.filter((row) => rowMetadataBytes(row.metadata) > maxRowBytes);
  if (tooLarge.length > 0) return { ...nothing, tooLarge: tooLarge.slice(0, maxReportedIds).map(({ id }) => id) };
  if (weightOf(rows) > maxBytes) return { ...nothing, tooMany: ids.length };
  return { ...nothing, written: play.put(rows.map((row) => ({ row, version: key }))) };
};

type Promote = Extract<Change, { kind: 'promote' }>;

// Rows that the parent has in the same version need no change.
const differing = (play: RowOperations, versions: ReadonlyMap<string, string | null>): readonly string[] =>
  [...versions].filter(([id, version]) => play.versionOf(id) !== version).map(([id]) => id);

const promote = async ({ open, ref }: ChangeContext, play: RowOperations, change: Promote): Promise<ChangeResult> => {
  const branch = await open(change.branch);
  const keep = change.parentChanges === 'keep';
  const { versions, gone } = keep ? await touchedByBranch(branch) : await heldByBranch(branch);
  await play.lookUp([...versions.keys(), ...gone]);
  const wanted = differing(play, versions);
  const present = keep ? [] : await play.matching('true', () => true);
  const going = [...gone, ...present.filter((id) => !versions.has(id))];
  const room = change.maxBytes - weightOfRemoved(going.length, ref.dimensions);
  const contents = await readWithin(branch, wanted, ref, room);
  if (contents === null) return { ...nothing, tooMany: wanted.length + going.length };
  const deleted = play.remove(going);
  return { written: play.put(contents), deleted };
};

/** Applies one change and returns its result. */
export const applyChange = async (
  surroundings: ChangeContext,
  play: RowOperations,
  { key, change }: KeyedChange,
): Promise<ChangeResult> => {
  const { put, remove, matching } = play;
  const ofJob = (jobId: string): Promise<readonly string[]> =>
    matching(`job_id = ${quote(jobId)}`, (row) => row.jobId === jobId);
  const write = (rows: readonly Row[]): number => put(rows.map((row) => ({ row, version: key })));
  switch (change.kind) {
    case 'upsert': {
      const conflicts = conflictsOf(play, change.expected);
      return conflicts.length > 0 ? { ...nothing, conflicts } : { written: write(change.rows), deleted: 0 };
    }
    case 'patch': {
      const conflicts = conflictsOf(play, change.expected);
      return conflicts.length > 0 ? { ...nothing, conflicts } : patch(surroundings, play, key, change);
    }
    case 'delete':
      return { written: 0, deleted: remove(change.ids) };
    case 'deleteWhere': {
      const matches = matcherOf(change.filter, surroundings.ref);
      const ids = await matching(compileFilter(change.filter), ({ metadata }) => matches(metadata));
      return { written: 0, deleted: remove(ids) };
    }
    case 'patchWhere':
      return patchWhere(surroundings, play, key, change);
    case 'deleteJob':
      return { written: 0, deleted: remove(await ofJob(change.jobId)) };
    case 'replaceJob': {
      const { rows, oldJobId, maxBytes } = change;
      const kept = new Set(rows.map(({ id }) => id));
      const going = (await ofJob(oldJobId)).filter((id) => !kept.has(id));
      const weight = weightOf(rows) + weightOfRemoved(going.length, surroundings.ref.dimensions);
      if (weight > maxBytes) return { ...nothing, tooMany: rows.length + going.length };
      return { deleted: remove(going), written: write(rows) };
    }
    case 'promote':
      return promote(surroundings, play, change);
  }
};
