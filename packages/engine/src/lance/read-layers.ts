import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Table } from '@lancedb/lancedb';
import { batchesOf } from '../../../../shared/kernel/batches.ts';
import type { JsonObject } from '../../../../shared/kernel/json.ts';
import type { Filter } from '../filter.ts';
import type { MetadataSummary } from '../port.ts';
import { allOf, anyOf } from './compile-filter.ts';
import { columnOf, idsOf, mapRows } from './decode-rows.ts';
import { narrowFilter } from './narrow-filter.ts';

/**
 * Open tables of one index, nearest layer first. A row or tombstone of a nearer layer masks those of the layers behind
 * it.
 */
export type View = readonly Table[];

/** Ids that one query may name. */
export const idsPerQuery = 5_000;

/** SQL for rows that are not tombstones. */
export const live = 'deleted = false';

/** State of one id in a table. */
export interface RowState {
  readonly id: string;
  readonly deleted: boolean;
  readonly version: string | null;
  readonly textBytes: number;
  readonly masks: boolean;
  readonly maskedBytes: number;
}

export const readStates = async (table: Table, where: string): Promise<readonly RowState[]> => {
  const columns = ['id', 'deleted', 'row_version', 'text_bytes', 'masks', 'masked_bytes'];
  const answer = await table.query().where(where).select(columns).toArrow();
  const id = columnOf<string>(answer, 'id');
  const [deleted, masks] = [columnOf<boolean>(answer, 'deleted'), columnOf<boolean>(answer, 'masks')];
  const version = columnOf<string | null>(answer, 'row_version');
  const [bytes, maskedBytes] = [columnOf<number>(answer, 'text_bytes'), columnOf<number>(answer, 'masked_bytes')];
  return mapRows(answer, (position) => ({
    id: id(position),
    deleted: deleted(position),
    version: version(position),
    textBytes: bytes(position),
    masks: masks(position),
    maskedBytes: maskedBytes(position),
  }));
};

/** Returns the rows and tombstones of one table for these ids, in no order. */
export const statesOf = async (table: Table, ids: readonly string[]): Promise<readonly RowState[]> => {
  const found: RowState[] = [];
  for (const chunk of batchesOf(ids, idsPerQuery)) found.push(...(await readStates(table, anyOf('id', chunk))));
  return found;
};

/** Returns those of `ids` for which a layer nearer than `depth` has a row or a tombstone. */
export const maskedAmong = async (view: View, depth: number, ids: readonly string[]): Promise<ReadonlySet<string>> => {
  const masked = new Set<string>();
  if (ids.length === 0) return masked;
  const answers = view
    .slice(0, depth)
    .flatMap((table) =>
      batchesOf(ids, idsPerQuery).map((chunk) => table.query().where(anyOf('id', chunk)).select(['id']).toArrow()),
    );
  for (const answer of await Promise.all(answers)) idsOf(answer).forEach((id) => masked.add(id));
  return masked;
};

/** Returns all ids of `depth` and the layers behind it that nearer layers mask. */
const idsMaskedFrom = async (view: View, depth: number): Promise<ReadonlySet<string>> => {
  const answers = view.slice(0, depth).map((table) => table.query().where('masks').select(['id']).toArrow());
  return new Set((await Promise.all(answers)).flatMap((answer) => idsOf(answer)));
};

/**
 * Returns the state of every visible row of a view that matches `where`, with the data needed to mask it from the
 * nearest layer.
 */
export const visibleStates = async (
  view: View,
  where: string,
): Promise<readonly (RowState & { readonly depth: number })[]> => {
  const layers = view.map(async (table, depth) => {
    const [states, masked] = await Promise.all([
      readStates(table, `(${where}) AND ${live}`),
      idsMaskedFrom(view, depth),
    ]);
    return states.filter(({ id }) => !masked.has(id)).map((state) => ({ ...state, depth }));
  });
  return (await Promise.all(layers)).flat();
};

/** Returns the number of visible rows of a view, of all or of those that match a filter. */
export const countVisible = async (view: View, filter?: Filter): Promise<number> => {
  const layers = view.map(async (table, depth) => {
    const condition = allOf(filter === undefined ? undefined : await narrowFilter(table, filter), live);
    const [all, masked] = await Promise.all([table.countRows(condition), idsMaskedFrom(view, depth)]);
    const hidden = batchesOf([...masked], idsPerQuery).map((ids) =>
      table.countRows(allOf(condition, anyOf('id', ids))),
    );
    return (await Promise.all(hidden)).reduce((rest, count) => rest - count, all);
  });
  return (await Promise.all(layers)).reduce((sum, count) => sum + count, 0);
};

/** Adds the metadata of each visible row of a view to a summary, of all or of those that match a filter. */
export const summarizeVisible = async <Result>(
  view: View,
  filter: Filter | undefined,
  { add, result }: MetadataSummary<Result>,
): Promise<Result> => {
  for (const [depth, table] of view.entries()) {
    const condition = allOf(filter === undefined ? undefined : await narrowFilter(table, filter), live) ?? live;
    const masked = await idsMaskedFrom(view, depth);
    for await (const batch of table.query().where(condition).select(['id', 'meta'])) {
      const [id, meta] = [columnOf<string>(batch, 'id'), columnOf<string>(batch, 'meta')];
      for (let at = 0; at < batch.numRows; at += 1)
        // Cast: the engine stored the JSON of an object.
        if (masked.size === 0 || !masked.has(id(at))) add(JSON.parse(meta(at)) as JsonObject);
      // Other requests of the process go on between two batches.
      await nextTurn();
    }
  }
  return result();
};

/**
 * Fetches more and more items until `enough` of the kept ones are there or the source has no more.
 * @param first Items of the first fetch. Each further fetch takes eight times as many, because a request costs more
 *   than its items.
 */
export const collect = async <Item>(options: {
  readonly first: number;
  readonly fetch: (limit: number) => Promise<readonly Item[]>;
  readonly keep: (items: readonly Item[]) => Promise<readonly Item[]>;
  readonly enough: (kept: readonly Item[]) => boolean;
}): Promise<readonly Item[]> => {
  for (let limit = options.first; ; limit *= 8) {
    const found = await options.fetch(limit);
    const kept = await options.keep(found);
    if (found.length < limit || options.enough(kept)) return kept;
  }
};
