import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { batchesOf } from '../../../../shared/kernel/batches.ts';
import { memoize, memoizePerOwner } from '../../../../shared/kernel/memoize.ts';
import { collectColumn, type FacetColumn, keptColumns } from '../facet-column.ts';
import { countFacet, facetSummary } from '../facets.ts';
import type { Filter } from '../filter.ts';
import type { Facet, FacetCounts, IndexRef } from '../port.ts';
import type { BaseTable } from './base-table.ts';
import { outOf } from './match-rows.ts';
import type { Segment } from './open-segment.ts';
import type { LiveSegment, OpenVersion } from './open-versions.ts';
import { summarizeRows } from './read-segments.ts';

/** Rows whose metadata are in memory at once. */
const rowsAtOnce = 1_000;

const numbersBelow = (end: number): readonly number[] => Array.from({ length: end }, (_, row) => row);

/** Column of a key, or null if the rows have more values than are counted. */
interface CountedColumn {
  readonly column: FacetColumn | null;
}

const columnsOf = memoizePerOwner<Segment, LRUCache<string, Promise<CountedColumn>>>(
  () => new LRUCache({ max: keptColumns }),
);

const columnOf = (segment: Segment, ref: IndexRef, key: string): Promise<CountedColumn> =>
  memoize(columnsOf(segment), key, async () => {
    const { add, column } = collectColumn(ref, key);
    for (const rows of batchesOf(numbersBelow(segment.info.rows), rowsAtOnce)) {
      for (const { metadata } of await segment.records(rows)) add(metadata);
      // Other requests of the process go on between two batches.
      await nextTurn();
    }
    return { column: column() };
  });

/** Returns the rows of a segment that match. */
const rowsIn = async (live: LiveSegment, filter: Filter | undefined): Promise<Uint32Array> => {
  const isOut = await outOf(live, filter);
  return Uint32Array.from(numbersBelow(live.info.rows).filter((row) => isOut?.(row) !== true));
};

/** A part of an index, with its rows that match. */
interface Part {
  readonly rows: Uint32Array;
  readonly columnOf: (key: string) => Promise<CountedColumn>;
}

/**
 * Counts the values of keys over all rows that match. The values of a part that never changes are read once. A key with more
 * values than are counted is read row by row, because the rows that match may have fewer.
 */
export const countFacets = async (
  version: OpenVersion,
  table: BaseTable | null,
  ref: IndexRef,
  filter: Filter | undefined,
  facets: readonly Facet[],
): Promise<readonly FacetCounts[]> => {
  const segments = version.live.map(async (live): Promise<Part> => {
    const { segment } = live;
    return { rows: await rowsIn(live, filter), columnOf: (key) => columnOf(segment, ref, key) };
  });
  const parts = await Promise.all(segments);
  if (table !== null)
    parts.push({
      rows: await table.numbersOf(filter),
      columnOf: async (key) => ({ column: await table.facetColumn(key) }),
    });
  const counts: FacetCounts[] = [];
  for (const facet of facets) {
    const { addColumn, result } = countFacet(facet);
    let isWhole = true;
    for (const part of parts) {
      const { column } = await part.columnOf(facet.key);
      if (column === null) isWhole = false;
      else addColumn(column, part.rows);
    }
    const [read] = isWhole ? [] : await summarizeRows(version, table, filter, facetSummary(ref, [facet])());
    counts.push(read ?? result());
  }
  return counts;
};
