import type { Table } from '@lancedb/lancedb';
import type { Table as ArrowTable } from 'apache-arrow';
import { LRUCache } from 'lru-cache';
import { memoize, memoizePerOwner } from '../../../../shared/kernel/memoize.ts';
import { indexNames } from './create-table.ts';
import { columnOf } from './decode-rows.ts';
import {
  areFew,
  type Counted,
  countFew,
  countMany,
  countsOf,
  fewRows,
  measureMany,
  type TextCounts,
  textRows,
} from './term-statistics.ts';
import type { TextAnalysis } from './text-analysis.ts';

/** Tables whose counts are remembered. For few rows that includes all their terms, which take up to 4 MB. */
const rememberedTables = 100;

/** Segment of the texts of one table that is searched at once. */
export interface TextSegment {
  readonly counts: TextCounts;
  /** SQL for its rows. Undefined if all rows are searched. */
  readonly where: string | undefined;
  /** Whether rows that the text index does not cover are skipped. */
  readonly indexedOnly: boolean;
  /**
   * Whether the engine's own scores are correct: it weighs indexed rows by the index, and others by the rows that a
   * filter leaves.
   */
  readonly weighed: boolean;
}

/** Rows that the text index of a table does not cover, which are the last ones. */
interface UnindexedRows {
  readonly count: number;
  /** Offset of the first of them. */
  readonly offset: number;
  readonly firstId: bigint;
}

const countUnindexed = memoizePerOwner(async (table: Table): Promise<number> => {
  // Every commit rewrites the journal, which has no text.
  const rows = (await table.indexStats(indexNames.text))?.numUnindexedRows ?? 0;
  return rows > 1 ? rows : 0;
});

const seen = ({ firstId }: UnindexedRows): string => `_rowid < ${firstId}`;
const unseen = ({ firstId }: UnindexedRows): string => `_rowid >= ${firstId}`;

/** Finds the first unindexed row. Null if they are not adjacent, as after interrupted maintenance. */
const findUnindexed = async (table: Table, count: number, rows: number): Promise<UnindexedRows | null> => {
  const offset = rows - count;
  const first: ArrowTable = await table.query().select(['id']).withRowId().offset(offset).limit(1).toArrow();
  if (first.numRows === 0) return null;
  const fresh = { count, offset, firstId: columnOf<bigint>(first, '_rowid')(0) };
  return (await table.countRows(unseen(fresh))) === count ? fresh : null;
};

/** Of many unindexed rows, estimates from a sample how many have a term. */
const countTextsUnindexed = async (table: Table, analysis: TextAnalysis, fresh: UnindexedRows): Promise<TextCounts> => {
  const read = Math.min(fresh.count, fewRows);
  const share = fresh.count / read;
  const offsets = Array.from({ length: read }, (_, at) => fresh.offset + Math.floor(at * share));
  const rows = await textRows(share > 1 ? table.takeOffsets(offsets) : table.query().where(unseen(fresh)));
  const counts = countFew(analysis, rows);
  if (share === 1 && areFew(rows)) return counts;
  return {
    // If none of these has a term, others may.
    documents: Math.max(1, counts.documents) * share,
    texts: null,
    length: counts.length * share,
    countOf: async (term) => (await counts.countOf(term)) * share,
  };
};

const countedSeen = new LRUCache<string, Promise<Counted>>({ max: rememberedTables });

// Indexed rows stay the same until the next maintenance, while each write makes a new version of the table.
const countTextsIndexed = async (table: Table, analysis: TextAnalysis, fresh: UnindexedRows): Promise<TextCounts> => {
  const { indexUuid = '' } = (await table.listIndices()).find(({ name }) => name === indexNames.text) ?? {};
  const counted = await memoize(countedSeen, indexUuid, () => measureMany(table, analysis, seen(fresh)));
  return countMany(table, counted, true);
};

const divide = async (table: Table, analysis: TextAnalysis): Promise<readonly TextSegment[]> => {
  const [count, rows] = await Promise.all([countUnindexed(table), table.countRows()]);
  const fresh = count > 0 && rows > fewRows ? await findUnindexed(table, count, rows) : null;
  if (fresh === null) {
    const counts = await countsOf(table, analysis);
    return [{ counts, where: undefined, indexedOnly: false, weighed: count === 0 }];
  }
  const [settled, unsettled] = await Promise.all([
    countTextsIndexed(table, analysis, fresh),
    countTextsUnindexed(table, analysis, fresh),
  ]);
  return [
    { counts: settled, where: undefined, indexedOnly: true, weighed: false },
    { counts: unsettled, where: unseen(fresh), indexedOnly: false, weighed: false },
  ];
};

const divided = new LRUCache<Table, Promise<readonly TextSegment[]>>({ max: rememberedTables });

/**
 * Divides the texts of a table at a fixed version, with a fixed analysis, into segments that have scores of their own.
 */
export const textSegmentsOf = (table: Table, analysis: TextAnalysis): Promise<readonly TextSegment[]> =>
  memoize(divided, table, () => divide(table, analysis));

/** Returns whether the engine weighs all texts of a table alike. */
export const isFullyIndexed = async (table: Table): Promise<boolean> => (await countUnindexed(table)) === 0;
