import { randomUUID } from 'node:crypto';
import { toVersioned, type VersionedRow } from '../changes/index-content.ts';
import { DamagedIndex } from '../damaged-index.ts';
import { batchesOf } from '../../../../shared/kernel/batches.ts';
import type { IndexRef, Retention } from '../port.ts';
import type { TableBase } from './base-table.ts';
import type { LiveSegment, OpenVersion, OpenVersions } from './open-versions.ts';
import { placesOf, readRows } from './read-segments.ts';
import { addToChecksum, emptyChecksum, emptyRowSet, rowHashOf, RowSet, type SetRow } from './row-set.ts';
import { SegmentBuilder } from './segment-builder.ts';
import { isRestoredSince, versionKey } from './segment-format.ts';
import type { NextVersion } from './write-version.ts';

/** Rows with their vectors that are in memory at once. */
const rowsAtOnce = 2_000;

/** Changes of a table by a fold. */
export interface FoldedRows {
  /** Ids of its rows that are removed, also of those that are among the new rows. */
  readonly removed: readonly string[];
  /** Reads the new rows. */
  readonly rows: () => AsyncIterable<readonly VersionedRow[]>;
}

/** How a table is folded into. */
export interface FoldOptions {
  /** Whether the rows move to a new table, so that files of the old one with removed rows can be deleted. */
  readonly isRewritten: boolean;
  /** Whether writes have paused, so that the vector index is worth a build. */
  readonly isPaused: boolean;
  /** Versions of the table that stay readable. */
  readonly keepVersions: readonly number[];
}

/** Version of a table that has rows folded into it. */
export interface FoldedTable {
  readonly table: string;
  readonly version: number;
  readonly vectorParts: number;
  /** Reads the ids and versions of all its rows. */
  readonly rows: () => AsyncIterable<{ readonly id: string; readonly version: string }>;
}

/** Writes the tables under segments. */
export interface TableFolder {
  /**
   * Folds rows into the table of an index, and builds its indexes. Versions of an interrupted call are skipped: the table
   * continues at the version of `base`. Without one, or with that of another index, whose rows are copied, a table with a
   * new name is created. The version that `base` names is never changed, so that no call can damage it for readers.
   */
  readonly fold: (
    ref: IndexRef,
    base: TableBase | null,
    rows: FoldedRows,
    options: FoldOptions,
  ) => Promise<FoldedTable>;
  /** Returns the tables of an index, with the time of their creation. */
  readonly list: (index: string) => Promise<readonly { readonly name: string; readonly createdAt: Date }[]>;
  /** Removes the tables of an index that interrupted calls have left. @param kept Names of tables that are read. */
  readonly collect: (index: string, kept: ReadonlySet<string>) => Promise<void>;
  /** Removes all tables of an index. */
  readonly drop: (index: string) => Promise<void>;
}

/** A version whose segments were folded, with the table that contains them. */
export interface Folded {
  readonly from: OpenVersion;
  readonly base: TableBase;
}

/** Returns the numbers of the live rows of a segment. */
const liveRows = ({ info, isDead }: LiveSegment): readonly number[] =>
  Array.from({ length: info.rows }, (_, row) => row).filter((row) => isDead?.(row) !== true);

/** Reads the live rows of all segments. */
const rowsOf = async function* ({ live }: OpenVersion, { dimensions }: IndexRef) {
  for (const one of live)
    for (const rows of batchesOf(liveRows(one), rowsAtOnce)) {
      const places = rows.map((row) => ({ segment: one.segment, row }));
      yield (await readRows(places, dimensions)).map(toVersioned);
    }
};

const setRowsOf = async ({ live }: OpenVersion): Promise<readonly SetRow[]> => {
  const found = live.map(async (one) => {
    const [{ ids, versions, textBytes }, { lengths }] = await Promise.all([
      one.segment.get('keys'),
      one.segment.get('terms'),
    ]);
    return liveRows(one).map((row) => ({
      id: ids[row] ?? '',
      version: versions[row] ?? '',
      textBytes: textBytes[row] ?? 0,
      terms: lengths[row] ?? 0,
    }));
  });
  return (await Promise.all(found)).flat();
};

/** Returns the ids of the rows of a table that the segments above it have removed or written again. */
const removedOf = async ({ live }: OpenVersion, known: RowSet): Promise<readonly string[]> => {
  const named = live.map(async ({ segment }) => {
    const [{ ids }, removed] = await Promise.all([segment.get('keys'), segment.get('removed')]);
    return [...ids, ...removed];
  });
  return [...new Set((await Promise.all(named)).flat())].filter((id) => known.find(id) !== null);
};

/** Throws if a table does not have exactly the rows of a manifest, as after two folds of an index at once. */
const requireSame = async (table: FoldedTable, rows: number, checksum: string): Promise<void> => {
  let [count, sum] = [0, 0n];
  for await (const { id, version } of table.rows()) {
    sum += rowHashOf(id, version);
    count += 1;
  }
  if (count !== rows || addToChecksum(emptyChecksum, sum) !== checksum)
    throw new Error(`the table has ${count} rows after a fold of ${rows}, or other ones`);
};

/** Whether files of the table below a version contain rows that were removed. */
export const containsRemovedRows = async (versions: OpenVersions, opened: OpenVersion): Promise<boolean> => {
  const { base } = opened.manifest;
  if (base === null || base.hasRemovedRows) return base !== null;
  return (await removedOf(opened, await versions.rowSet(base))).length > 0;
};

/**
 * Folds all segments of a version into a table.
 * @param retention `purge`: rows that were removed leave the files too. `paused`: the vector index may be built again.
 */
export const foldVersion = async (
  versions: OpenVersions,
  folder: TableFolder,
  from: OpenVersion,
  ref: IndexRef,
  { purge = false, paused = false, keepVersions }: Pick<Retention, 'purge' | 'paused' | 'keepVersions'>,
): Promise<Folded> => {
  const { table } = ref.layers[0];
  const { base, checksum, rows } = from.manifest;
  const before = base === null ? emptyRowSet() : await versions.rowSet(base);
  const [removed, added] = await Promise.all([removedOf(from, before), setRowsOf(from)]);
  const bytes = before.after(removed, added);
  const set = new RowSet(bytes);
  const totals = set.totals();
  if (totals.checksum !== checksum || set.size !== rows)
    throw new DamagedIndex(`a fold of ${table} would have ${set.size} of ${rows} rows`);
  const hasRemovedRows = removed.length > 0 || base?.hasRemovedRows === true;
  const options = { isRewritten: purge && hasRemovedRows, isPaused: paused, keepVersions };
  const folded = await folder.fold(ref, base, { removed, rows: () => rowsOf(from, ref) }, options);
  await requireSame(folded, rows, checksum);
  const rowSet = `${table}/rows/${randomUUID()}`;
  await versions.store.create(rowSet, [bytes]);
  return {
    from,
    base: {
      owner: table,
      table: folded.table,
      version: folded.version,
      hasRemovedRows: hasRemovedRows && folded.table === base?.table,
      rowSet,
      rowSetBytes: bytes.length,
      rows: set.size,
      texts: totals.texts,
      terms: totals.terms,
      vectorParts: folded.vectorParts,
    },
  };
};

/**
 * Returns the ids of rows that were folded, and that commits have removed since. Reads only segments in which rows have died:
 * commits go on meanwhile, and a version that takes longer than the pause between two of them would never be written.
 */
const removedSince = async (from: OpenVersion, current: OpenVersion): Promise<readonly string[]> => {
  const now = new Map(current.live.map((one) => [one.info.object, one]));
  const died = from.live.map(async (before): Promise<readonly string[]> => {
    const after = now.get(before.info.object);
    if (after?.info.dead === before.info.dead) return [];
    const { ids } = await before.segment.get('keys');
    const isGone = (row: number): boolean => after === undefined || after.isDead?.(row) === true;
    return liveRows(before).flatMap((row) => (isGone(row) ? (ids[row] ?? []) : []));
  });
  const ids = (await Promise.all(died)).flat();
  const places = ids.length === 0 ? null : await placesOf(current, ids);
  return ids.filter((id) => places?.has(id) === false);
};

/**
 * Returns the version in which a table replaces the segments that were folded into it. Rows of segments that were merged
 * meanwhile stay above their copies in the table. Null: the index has another table, or has restored a version, so that the fold is dropped.
 */
export const withFolded = async (
  current: OpenVersion,
  { from, base }: Folded,
  ref: IndexRef,
): Promise<NextVersion | null> => {
  const { manifest } = current;
  if (isRestoredSince(from.manifest, manifest)) return null;
  const [former, present] = [from.manifest.base, manifest.base];
  if (former?.table !== present?.table || former?.version !== present?.version) return null;
  // An emptied index has no table either, and none of the rows that were folded.
  if (from.live.length > 0 && manifest.live.length === 0) return null;
  const builder = new SegmentBuilder(ref);
  for (const id of await removedSince(from, current)) builder.remove(id);
  const version = manifest.version + 1;
  const { info, body } = builder.encode();
  const own = builder.isEmpty ? [] : [{ ...info, object: versionKey(ref.layers[0].table, version) }];
  const folded = new Set(from.live.map(({ info: { object } }) => object));
  const live = [...own, ...manifest.live.filter(({ object }) => !folded.has(object))];
  return {
    manifest: { ...manifest, version, base, live },
    body: builder.isEmpty ? Buffer.alloc(0) : Buffer.concat(body),
  };
};
