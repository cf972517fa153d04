import type { Table } from '@lancedb/lancedb';
import { batchesOf } from '../../../../../shared/kernel/batches.ts';
import { columnOf } from '../decode-rows.ts';
import { type Changes, type CachedState, readLastCommit, maxNumbersPerQuery } from './read-last-commit.ts';
import { live } from '../read-layers.ts';
import {
  type Place,
  placeColumns,
  placesOf,
  type VectorBatch,
  vectorBatchesOf,
  startSharedValues,
} from './row-places.ts';
import { afterAll, minReplaced, type Size, sizeOf } from './table-extent.ts';

/** Rows that are read while a query waits for them. */
const maxRowsPerQuery = 20_000;
/** Numbers that are read at once. */
const batchNumbers = 1_500_000;

/** Reads the addresses of a table's rows after a given one, in batches. */
export const readPlaces = async function* (
  table: Table,
  from: bigint,
): AsyncGenerator<readonly Pick<Place, 'id' | 'rowId'>[]> {
  const query = table.query().where(`_rowid >= ${from} AND ${live}`).select(['id']).withRowId();
  for await (const batch of query) {
    const [id, rowId] = [columnOf<string>(batch, 'id'), columnOf<bigint>(batch, '_rowid')];
    yield Array.from({ length: batch.numRows }, (_, at) => ({ id: id(at), rowId: rowId(at) }));
  }
};

/** Reads rows with their vectors by their address in the table, in batches. */
const readVectorBatches = async function* (
  table: Table,
  places: readonly Place[],
  width: number,
): AsyncGenerator<VectorBatch> {
  const byRowId = new Map(places.map((place) => [place.rowId, place]));
  for (const portion of batchesOf(places, Math.max(1, Math.floor(batchNumbers / width)))) {
    const query = table
      .takeRowIds(portion.map(({ rowId }) => rowId))
      .select(['vector'])
      .withRowId();
    for await (const batch of query) {
      const rowId = columnOf<bigint>(batch, '_rowid');
      yield* vectorBatchesOf(batch, width, (at) => byRowId.get(rowId(at)) ?? null);
    }
  }
};

/** Returns the number of cached rows after changes. */
export const rowsAfter = (
  { byId }: Pick<CachedState, 'byId'>,
  { written, gone }: Pick<Changes, 'written' | 'gone'>,
): number => {
  const left = gone.filter((id) => byId.has(id)).length;
  const added = written.filter(({ id }) => !byId.has(id)).length;
  return byId.size - left + added;
};

/** Returns the cached rows that a table no longer contains. */
const findMissing = async (
  { byId }: CachedState,
  table: Table,
  pause: () => Promise<void>,
): Promise<readonly string[]> => {
  const missing = new Set(byId.keys());
  for await (const batch of table.query().where(live).select(['id'])) {
    const id = columnOf<string>(batch, 'id');
    for (let at = 0; at < batch.numRows; at += 1) missing.delete(id(at));
    await pause();
  }
  return [...missing];
};

/**
 * Finds the changes between any two versions. Maintenance removes tombstones. If it removed one that this cache has not
 * read, the table has fewer rows than the cache, and the surplus rows are found by their ids.
 */
const findChanges = async (
  inMemory: CachedState,
  table: Table,
  size: Size,
  onMany: () => void,
  pause: () => Promise<void>,
): Promise<Changes> => {
  const { width, places, byId, extent: known } = inMemory;
  const [written, moved, gone]: [Place[], Place[], string[]] = [[], [], []];
  const sharing = startSharedValues();
  let { end } = known;
  const behind = `_rowid >= ${known.end}`;
  // After an index build, a compaction moves all rows that the index covers.
  if ((await table.countRows(behind)) > maxRowsPerQuery) onMany();
  const query = table
    .query()
    .where(behind)
    .select([...placeColumns, 'deleted'])
    .withRowId();
  for await (const batch of query) {
    const deleted = columnOf<boolean>(batch, 'deleted');
    const found = placesOf(batch, sharing);
    end = afterAll(found, end);
    for (const [at, place] of found.entries()) {
      const there = places[byId.get(place.id) ?? -1];
      if (deleted(at)) gone.push(place.id);
      else if (there !== undefined && place.version !== null && place.version === there.version) moved.push(place);
      else written.push(place);
    }
    if (written.length * width > maxNumbersPerQuery) onMany();
    await pause();
  }
  const changes = {
    written,
    portions: readVectorBatches(table, written, width),
    moved,
    gone,
    extent: { ...size, end, replaced: minReplaced },
  };
  if ((await table.countRows(live)) === rowsAfter(inMemory, changes)) return changes;
  onMany();
  return { ...changes, gone: await findMissing(inMemory, table, pause) };
};

/**
 * Finds rows that were written, moved or deleted since a version. Every such change adds a row or a tombstone of its id
 * behind all earlier rows.
 * @param table Handle at `version`.
 * @param onMany Called if so many rows are read that a query should not wait.
 * @param pause Yields to other work.
 */
export const readChanges = async (
  known: CachedState,
  table: Table,
  version: number,
  onMany: () => void,
  pause: () => Promise<void>,
): Promise<Changes> => {
  const sizing = sizeOf(table);
  const last = await readLastCommit(known, table, version, sizing);
  return last ?? findChanges(known, table, await sizing, onMany, pause);
};
