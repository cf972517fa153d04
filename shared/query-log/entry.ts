import { type LogEntry, shapeOf } from './record.ts';

/** Characters of a question, and hits, that are logged. */
const [maxCharacters, maxHits] = [1_000, 10];

/** Characters of the shape of a filter as JSON. Of a longer one, only that is logged. */
const maxShape = 2_000;

const shapeOrLarge = (filter: unknown): unknown => {
  const shape = shapeOf(filter);
  return JSON.stringify(shape).length > maxShape ? 'large' : shape;
};

/** A search and what it has found, as far as they are logged. */
interface LoggedSearch {
  readonly mode: LogEntry['mode'];
  readonly text?: string | undefined;
  readonly queries?: readonly { readonly text?: string | undefined }[] | undefined;
  readonly filter?: unknown;
  readonly top_k: number;
}

interface LoggedResult {
  readonly hits: readonly { readonly row: { readonly id: string }; readonly score: number }[];
  readonly tookMs: number;
}

/** Returns the entry of a search. */
export const logged = (
  id: string,
  key: string,
  { mode, text, queries, filter, top_k: topK }: LoggedSearch,
  { hits, tookMs }: LoggedResult,
): LogEntry => ({
  id,
  query: (text ?? queries?.find((query) => query.text !== undefined)?.text)?.slice(0, maxCharacters) ?? null,
  mode,
  topK,
  filter: filter === undefined ? null : shapeOrLarge(filter),
  hits: hits.slice(0, maxHits).map(({ row, score }) => [row.id, score]),
  found: hits.length,
  tookMs,
  key,
});
