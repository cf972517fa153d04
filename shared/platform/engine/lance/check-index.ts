import type { Float32, Table as ArrowTable, Vector } from 'apache-arrow';
import type { Table } from '@lancedb/lancedb';
import type { IndexRef } from '../port.ts';
import { languageOf } from '../text-language.ts';
import { columnOf, mapRows } from './decode-rows.ts';
import { askedRows, probingOf } from './nearest-rows.ts';
import type { Target } from './search-table.ts';
import { rowColumns } from './table-schema.ts';

/** Stored vectors that are asked for; of a large table fewer, since each is compared with all numbers of the table. */
const mostQuestions = 20;
const leastQuestions = 5;
const comparedFloats = 320_000_000;
/** Nearest rows that are asked for each time. */
const nearest = 10;
/** Scores that differ by rounding alone, as a part of them. */
const tolerance = 1e-6;

/** Vectors that are spread over a table, the same each time. */
const drawVectors = async (table: Table, rows: number, count: number): Promise<readonly Float32Array[]> => {
  const offsets = Array.from({ length: count }, (_, at) => Math.floor(((at + 0.5) * rows) / count));
  const answer: ArrowTable = await table.takeOffsets(offsets).select(['vector']).toArrow();
  // A tombstone has none.
  const vector = columnOf<Vector<Float32> | null>(answer, 'vector');
  return mapRows(answer, vector).flatMap((numbers) => numbers?.toArray() ?? []);
};

/** Tells the share of the nearest rows that the vector index of a table gives, as it is built now. */
export type RecallCheck = () => Promise<number>;

/** Finds the rows nearest to some of the table's own vectors, by comparison, for any index over the same rows. */
export const openRecallCheck = async (table: Table, ref: IndexRef): Promise<RecallCheck> => {
  const rows = await table.countRows();
  const affordable = Math.floor(comparedFloats / (rows * ref.dimensions));
  const count = Math.max(leastQuestions, Math.min(mostQuestions, affordable));
  const textLanguage = languageOf(ref);
  const target: Target = {
    ...ref,
    table,
    resident: null,
    where: undefined,
    most: rows,
    textLanguage,
    exact: false,
    columns: rowColumns,
    known: null,
  };
  const questions: { readonly vector: Float32Array; readonly given: number; readonly last: number }[] = [];
  for (const vector of await drawVectors(table, rows, count)) {
    const exact = await askedRows(target, vector, null, nearest);
    questions.push({ vector, given: exact.length, last: exact.at(-1)?.score ?? 0 });
  }
  return async () => {
    let [found, wanted] = [0, 0];
    for (const { vector, given, last } of questions) {
      const byIndex = await askedRows(target, vector, probingOf(rows, rows), nearest);
      // A row that is as near as the last one is as good an answer.
      found += byIndex.filter(({ score }) => score >= last - tolerance * Math.abs(last)).length;
      wanted += given;
    }
    return wanted === 0 ? 1 : found / wanted;
  };
};
