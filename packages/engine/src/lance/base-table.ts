import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Table } from '@lancedb/lancedb';
import type { JsonObject } from '../../../../shared/kernel/json.ts';
import { byScore } from '../fuse-hits.ts';
import { parseText } from '../parse-text.ts';
import type { FoundRow, IndexRef, SearchQuery } from '../port.ts';
import type {
  BaseTable,
  IsMasked,
  OpenBaseTable,
  PartStatistics,
  TableBase,
  TableHit,
  TablePage,
} from '../segments/base-table.ts';
import { rulesOf } from '../text-language.ts';
import { tokenize } from '../tokenizer.ts';
import { bm25Queries, distinctTerms } from './bm25-query.ts';
import { allOf, compileFilter, quote } from './compile-filter.ts';
import { columnOf, decodeRows } from './decode-rows.ts';
import { narrowFilter } from './narrow-filter.ts';
import type { OpenTables } from './open-tables.ts';
import { collect, live, readStates } from './read-layers.ts';
import { fetchRows } from './read-rows.ts';
import { sampleRows } from './sample-rows.ts';
import { bestPortion, type LayerCaches, settled, targetsOf } from './search-view.ts';
import { rowsOf, type Target } from './search-table.ts';
import { rowColumns } from './table-schema.ts';
import { analysisOf } from './text-analysis.ts';
import { textSegmentsOf } from './text-segments.ts';
import { nearestRows, planProbing } from './vector-query.ts';

const noCaches: LayerCaches = { vectorCache: async () => null, rowCache: () => null };

/** Rows that are drawn for each of a sample, because some are masked. */
const drawsPerRow = 2;

/** A table with what reads of it need. */
interface Reading {
  readonly table: Table;
  readonly base: TableBase;
  readonly ref: IndexRef;
  readonly isMasked: IsMasked;
}

const targetFor = async ({ table, ref }: Reading, query: SearchQuery): Promise<Target> => {
  const [target] = await targetsOf(ref, [table], query, noCaches);
  if (target === undefined) throw new Error('a search of one table has no target');
  return target;
};

/** Fetches more and more rows until enough of them are not masked. */
const visible = (
  { isMasked }: Reading,
  limit: number,
  least: number,
  fetch: (count: number) => Promise<readonly TableHit[]>,
): Promise<readonly TableHit[]> =>
  collect({
    first: Math.max(least, limit + 1),
    fetch,
    keep: async (found) => found.filter(({ id }) => !isMasked(id)).toSorted(byScore),
    enough: (kept) => settled(kept, limit),
  });

const searchesOf = (reading: Reading): Pick<BaseTable, 'nearest' | 'statistics' | 'bestTexts' | 'rowsOf'> => ({
  nearest: async (query, vector, limit) => {
    const target = await targetFor(reading, query);
    const probing = await planProbing(target);
    return visible(reading, limit, 0, (count) => nearestRows(target, vector, probing, count));
  },
  statistics: async (text): Promise<PartStatistics> => {
    const { table, base, ref } = reading;
    const rules = rulesOf(ref);
    const analysis = analysisOf(rules);
    const { scored } = parseText(text, rules);
    const terms = tokenize(scored, analysis).length === 0 ? [] : distinctTerms(analysis, scored);
    const parts = await textSegmentsOf(table, analysis);
    const counted = terms.map(async (term) => {
      const counts = await Promise.all(parts.map(({ counts: { countOf } }) => countOf(term)));
      return [term.form, counts.reduce((sum, count) => sum + count, 0)] as const;
    });
    const matches = new Map(await Promise.all(counted));
    return { texts: base.texts, length: base.terms, matchesOf: (term) => matches.get(term) ?? 0 };
  },
  bestTexts: async (query, text, beside, limit) => {
    const { table, ref } = reading;
    const [target, [searches = []]] = await Promise.all([
      targetFor(reading, query),
      bm25Queries([table], rulesOf(ref), text, beside),
    ]);
    const least = Math.max(0, ...searches.map(({ minRows }) => minRows));
    return visible(reading, limit, least, async (count) =>
      (await Promise.all(searches.map((search) => bestPortion(target, search, count)))).flat(),
    );
  },
  rowsOf: async (query, hits) => rowsOf(await targetFor(reading, query), hits),
});

const listRows = async ({ table, ref, isMasked }: Reading, page: TablePage): Promise<readonly FoundRow[]> => {
  const start = page.after === null ? undefined : `id > ${quote(page.after)}`;
  const where = allOf(live, start, page.filter && (await narrowFilter(table, page.filter))) ?? live;
  const rows = await collect({
    first: page.limit,
    fetch: async (limit) => {
      const query = table.query().where(where).orderBy({ columnName: 'id' }).limit(limit);
      return decodeRows(await query.select([...rowColumns, 'row_version']).toArrow(), ref);
    },
    keep: async (found) => found.filter(({ id }) => !isMasked(id)),
    enough: (kept) => kept.length >= page.limit,
  });
  return rows.slice(0, page.limit);
};

const readsOf = (reading: Reading): Pick<BaseTable, 'fetch' | 'list' | 'matching' | 'visit' | 'sample'> => {
  const { table, ref, isMasked } = reading;
  return {
    fetch: (ids, includeVector) =>
      fetchRows(
        [table],
        ids.filter((id) => !isMasked(id)),
        ref,
        includeVector,
      ),
    list: (page) => listRows(reading, page),
    matching: async (matcher) => {
      const where = 'filter' in matcher ? compileFilter(matcher.filter) : `job_id = ${quote(matcher.jobId)}`;
      const states = await readStates(table, allOf(where, live) ?? live);
      return states.flatMap(({ id, version }) => (version === null || isMasked(id) ? [] : [{ id, version }]));
    },
    visit: async (filter, add) => {
      const where = allOf(filter && (await narrowFilter(table, filter)), live) ?? live;
      for await (const batch of table.query().where(where).select(['id', 'meta'])) {
        const [id, meta] = [columnOf<string>(batch, 'id'), columnOf<string>(batch, 'meta')];
        for (let at = 0; at < batch.numRows; at += 1)
          // Cast: the engine stored the JSON of an object.
          if (!isMasked(id(at))) add(JSON.parse(meta(at)) as JsonObject);
        // Other requests of the process go on between two batches.
        await nextTurn();
      }
    },
    sample: async (count, seed) => {
      const rows = await sampleRows([table], ref, count * drawsPerRow, seed);
      return rows.filter(({ id }) => !isMasked(id)).slice(0, count);
    },
  };
};

/** Opens tables under segments, as LanceDB stores them. */
export const baseTables =
  (tables: Pick<OpenTables, 'exact'>): OpenBaseTable =>
  async (base, ref, isMasked) => {
    const reading = { table: await tables.exact(base.table, base.version), base, ref, isMasked };
    return { ...searchesOf(reading), ...readsOf(reading) };
  };
