import type { Change, ChangeResult, Row } from '../../../shared/platform/engine/port.ts';
import { oracle } from './filter-oracle.ts';

/** What an index should hold: the plain meaning of every change, one after the other. */
export type Model = Map<string, Row>;

const removeWhere = (model: Model, matches: (row: Row) => boolean): number => {
  const gone = [...model.values()].filter(matches);
  gone.forEach(({ id }) => model.delete(id));
  return gone.length;
};

const put = (model: Model, rows: readonly Row[]): number => {
  rows.forEach((row) => model.set(row.id, row));
  return new Set(rows.map(({ id }) => id)).size;
};

/** Applies one change to the model and says what it did. */
export const applyToModel = (model: Model, change: Change): ChangeResult => {
  switch (change.kind) {
    case 'upsert':
      return { written: put(model, change.rows), deleted: 0 };
    case 'delete':
      return { written: 0, deleted: removeWhere(model, ({ id }) => change.ids.includes(id)) };
    case 'deleteWhere':
      return { written: 0, deleted: removeWhere(model, ({ metadata }) => oracle(change.filter, metadata)) };
    case 'deleteJob':
      return { written: 0, deleted: removeWhere(model, ({ jobId }) => jobId === change.jobId) };
    case 'replaceJob': {
      const ids = new Set(change.rows.map(({ id }) => id));
      const deleted = removeWhere(model, ({ id, jobId }) => jobId === change.oldJobId && !ids.has(id));
      return { written: put(model, change.rows), deleted };
    }
  }
};

/** Rows best first by negative squared euclidean distance, then by id. */
export const nearest = (
  model: Model,
  vector: readonly number[],
  topK: number,
): readonly (readonly [string, number])[] =>
  [...model.values()]
    .map((row): readonly [string, number] => [
      row.id,
      0 - row.vector.reduce((sum, item, at) => sum + (item - (vector[at] ?? 0)) ** 2, 0),
    ])
    .toSorted(([left, one], [right, other]) => other - one || (left < right ? -1 : 1))
    .slice(0, topK);

/** Ids of the rows with a word in their text, in order. */
export const withWord = (model: Model, word: string): readonly string[] =>
  [...model.values()]
    .filter(({ text }) => text?.split(' ').includes(word))
    .map(({ id }) => id)
    .toSorted();
