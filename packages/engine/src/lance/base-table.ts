import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Query, Table } from '@lancedb/lancedb';
import type { Table as ArrowTable } from 'apache-arrow';
import { batchesOf } from '../../../../shared/kernel/batches.ts';
import type { JsonObject } from '../../../../shared/kernel/json.ts';
import { memoizePerOwner } from '../../../../shared/kernel/memoize.ts';
import type { TextStatistics } from '../bm25.ts';
import type { Filter } from '../filter.ts';
import { byScore } from '../fuse-hits.ts';
import { parseText } from '../parse-text.ts';
import type { FoundRow, IndexRef, SearchQuery } from '../port.ts';
import { hashed } from '../sample-order.ts';
import type { BaseTable, IsMasked, OpenBaseTable, TableBase, TableHit, TablePage } from '../segments/base-table.ts';
import { rulesOf } from '../text-language.ts';
import { tokenize } from '../tokenizer.ts';
import { bm25Query } from './bm25-query.ts';
import { rescored } from './bm25-score.ts';
import { allOf, anyOf, quote } from './compile-filter.ts';
import { columnOf, decodeRows, idsOf, mapRows } from './decode-rows.ts';
import { narrowFilter } from './narrow-filter.ts';
import type { OpenTables } from './open-tables.ts';
import { bestTexts, rowsAt, targetOf } from './search-table.ts';
import { reportingDamage } from './storage-error.ts';
import { facetColumn, numbersOf } from './table-columns.ts';
import { rowColumnsOf } from './table-schema.ts';
import { distinctTerms, tableStatistics } from './term-statistics.ts';
import { analysisOf } from './text-analysis.ts';
import { nearestRows, planProbing } from './vector-query.ts';

/** Ids that one query may name. */
export const idsPerQuery = 5_000;

/** Rows with the score of the last hit that are sorted by id. Among more of them, the choice is arbitrary. */
const maxTies = 2_000;

/**
 * Rows behind the last hit of a text search that are fetched with it. About one of four searches of short texts has others with
 * the score of the last, mostly less than ten, and would fetch again.
 */
const textTies = 15;

/** Rows that are drawn for each of a sample, because some may be masked. */
const drawsPerRow = 2;

/** A table with what reads of it need. */
interface Reading {
  readonly table: Table;
  readonly base: TableBase;
  readonly ref: IndexRef;
  readonly isMasked: IsMasked;
}

/**
 * Fetches more and more items until `enough` of those that are not masked are there or the table has no more.
 * @param first Items of the first fetch. Each further fetch takes eight times as many, because a request costs more than its
 *   items.
 */
const collect = async <Item extends { readonly id: string }>(
  { isMasked }: Reading,
  first: number,
  fetch: (limit: number) => Promise<readonly Item[]>,
  enough: (kept: readonly Item[]) => boolean,
): Promise<readonly Item[]> => {
  for (let limit = first; ; limit *= 8) {
    const found = await fetch(limit);
    const kept = found.filter(({ id }) => !isMasked(id));
    if (found.length < limit || enough(kept)) return kept;
  }
};

/**
 * Collects the `limit` best hits, and those as good as the last, so that the smallest ids can be chosen.
 * @param first Rows of the first fetch, more than `limit`.
 */
const collectBest = async (
  reading: Reading,
  limit: number,
  first: number,
  fetch: (count: number) => Promise<readonly TableHit[]>,
): Promise<readonly TableHit[]> => {
  const ordered = async (count: number): Promise<readonly TableHit[]> => (await fetch(count)).toSorted(byScore);
  return collect(reading, first, ordered, (kept) => {
    const [last, lowest] = [kept[limit - 1], kept.at(-1)];
    // A row that scores below the last hit proves that all equal rows are there.
    return last !== undefined && lowest !== undefined && (lowest.score < last.score || kept.length > limit + maxTies);
  });
};

/** Returns the frequencies of the terms of a text. */
const statisticsOf = async ({ table, base, ref }: Reading, text: string): Promise<TextStatistics> => {
  const rules = rulesOf(ref);
  const analysis = analysisOf(rules);
  const { scored } = parseText(text, rules);
  const terms = tokenize(scored, analysis).length === 0 ? [] : distinctTerms(analysis, scored);
  return tableStatistics(table, base, terms);
};

const searchesOf = (reading: Reading): Pick<BaseTable, 'nearest' | 'statistics' | 'bestTexts' | 'rowsOf'> => {
  const { table, base, ref } = reading;
  const targetFor = memoizePerOwner((query: SearchQuery) => targetOf(table, ref, query));
  return {
    nearest: async (query, vector, limit) => {
      const target = await targetFor(query);
      const probing = await planProbing(target);
      return collectBest(reading, limit, limit + 1, (count) => nearestRows(target, vector, probing, count));
    },
    statistics: (text) => statisticsOf(reading, text),
    bestTexts: async (query, text, beside, limit) => {
      const [target, bm25] = await Promise.all([targetFor(query), bm25Query(table, base, rulesOf(ref), text, beside)]);
      if (bm25 === null) return [];
      return collectBest(reading, limit, Math.max(bm25.minRows, limit + 1 + textTies), async (count) => {
        const found = await bestTexts(target, bm25.query, count);
        return bm25.scoring === null ? found : rescored(bm25.scoring, target, found);
      });
    },
    rowsOf: async (query, hits) =>
      rowsAt(
        await targetFor(query),
        hits.map(({ rowId }) => rowId),
      ),
  };
};

/** Starts a query for the rows that satisfy a condition. */
const rowsWith = ({ table }: Reading, where: string | undefined): Query =>
  where === undefined ? table.query() : table.query().where(where);

const conditionOf = async ({ table }: Reading, filter: Filter | undefined): Promise<string | undefined> =>
  (await narrowFilter(table, filter)).where;

const listIds = async (reading: Reading, { after, limit, filter }: TablePage): Promise<readonly string[]> => {
  const where = allOf(after === null ? undefined : `id > ${quote(after)}`, await conditionOf(reading, filter));
  const fetch = async (count: number) => {
    const query = rowsWith(reading, where).orderBy({ columnName: 'id' }).limit(count);
    return idsOf(await query.select(['id']).toArrow()).map((id) => ({ id }));
  };
  const found = await collect(reading, limit, fetch, (kept) => kept.length >= limit);
  return found.slice(0, limit).map(({ id }) => id);
};

const idsWith = async ({ table, isMasked }: Reading, prefix: string): Promise<readonly string[]> => {
  const end = `${prefix.slice(0, -1)}${String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1)}`;
  const where = `id >= ${quote(prefix)} AND id < ${quote(end)}`;
  return idsOf(await table.query().where(where).select(['id']).toArrow()).filter((id) => !isMasked(id));
};

/** Returns up to `count` different numbers below `total`. */
const draw = (total: number, count: number, seed: number): readonly number[] => {
  if (total <= count) return Array.from({ length: total }, (_, position) => position);
  const drawn = new Set<number>();
  for (let turn = 0; drawn.size < count; turn += 1) drawn.add(hashed(`${seed}:${turn}`) % total);
  return [...drawn];
};

const sampleRows = async (reading: Reading, count: number, seed: number): Promise<readonly FoundRow[]> => {
  const { table, base, ref } = reading;
  const fetch = async (limit: number) => {
    const offsets = draw(base.rows, limit, seed);
    if (offsets.length === 0) return [];
    const answer: ArrowTable = await table
      .takeOffsets([...offsets])
      .select(['id'])
      .withRowId()
      .toArrow();
    const [id, rowId] = [columnOf<string>(answer, 'id'), columnOf<bigint>(answer, '_rowid')];
    return mapRows(answer, (at) => ({ id: id(at), rowId: rowId(at) }));
  };
  const drawn = await collect(reading, count * drawsPerRow, fetch, (kept) => kept.length >= count);
  // Each drawn position is equally likely to be among the first.
  const order = ({ id }: { readonly id: string }): number => hashed(`${seed}:${id}`);
  const chosen = drawn.toSorted((left, right) => order(left) - order(right)).slice(0, count);
  if (chosen.length === 0) return [];
  const rows = table.takeRowIds(chosen.map(({ rowId }) => rowId)).select([...(await rowColumnsOf(table)), 'vector']);
  return decodeRows(await rows.toArrow(), ref);
};

const readsOf = (
  reading: Reading,
): Pick<
  BaseTable,
  'fetch' | 'idsWith' | 'listIds' | 'count' | 'matching' | 'visit' | 'numbersOf' | 'facetColumn' | 'sample'
> => {
  const { table, ref, isMasked } = reading;
  return {
    fetch: async (ids, includeVector) => {
      const columns = [...(await rowColumnsOf(table)), 'row_version', ...(includeVector ? ['vector'] : [])];
      const visible = ids.filter((id) => !isMasked(id));
      const rows = batchesOf(visible, idsPerQuery).map(async (some) =>
        decodeRows(await table.query().where(anyOf('id', some)).select(columns).toArrow(), ref),
      );
      return (await Promise.all(rows)).flat();
    },
    idsWith: (prefix) => idsWith(reading, prefix),
    listIds: (page) => listIds(reading, page),
    count: async (filter) => {
      let count = 0;
      for await (const batch of rowsWith(reading, await conditionOf(reading, filter)).select(['id']))
        count += idsOf(batch).filter((id) => !isMasked(id)).length;
      return count;
    },
    matching: async (matcher) => {
      const isJob = 'jobId' in matcher;
      const where = isJob ? `job_id = ${quote(matcher.jobId)}` : await conditionOf(reading, matcher.filter);
      const found: { readonly id: string; readonly version: string }[] = [];
      for await (const batch of rowsWith(reading, where).select(['id', 'row_version'])) {
        const [id, version] = [columnOf<string>(batch, 'id'), columnOf<string>(batch, 'row_version')];
        const rows = mapRows(batch, (at) => ({ id: id(at), version: version(at) }));
        for (const row of rows) if (!isMasked(row.id)) found.push(row);
      }
      return found;
    },
    visit: async (filter, add) => {
      for await (const batch of rowsWith(reading, await conditionOf(reading, filter)).select(['id', 'meta'])) {
        const [id, meta] = [columnOf<string>(batch, 'id'), columnOf<string>(batch, 'meta')];
        for (let at = 0; at < batch.numRows; at += 1)
          // Cast: the engine stored the JSON of an object.
          if (!isMasked(id(at))) add(JSON.parse(meta(at)) as JsonObject, id(at));
        // Other requests of the process go on between two batches.
        await nextTurn();
      }
    },
    numbersOf: async (filter) => numbersOf(table, await conditionOf(reading, filter), isMasked),
    facetColumn: (key) => facetColumn(table, ref, key),
    sample: (count, seed) => sampleRows(reading, count, seed),
  };
};

/** Returns reads that throw `DamagedIndex` if files of their table are missing or damaged. */
const guarded = (reads: BaseTable): BaseTable =>
  // Cast: each read keeps its parameters and its result.
  Object.fromEntries(
    Object.entries(reads).map(([name, read]: [string, (...args: never[]) => Promise<unknown>]) => [
      name,
      (...args: never[]) => reportingDamage(() => read(...args)),
    ]),
  ) as unknown as BaseTable;

/** Opens tables under segments, as LanceDB stores them. Throws `DamagedIndex`, also in reads. */
export const baseTables =
  (tables: Pick<OpenTables, 'at'>): OpenBaseTable =>
  async (base, ref, isMasked) => {
    const table = await reportingDamage(() => tables.at(base.table, base.version));
    const reading = { table, base, ref, isMasked };
    return guarded({ ...searchesOf(reading), ...readsOf(reading) });
  };
