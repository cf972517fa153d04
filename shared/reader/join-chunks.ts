import type { Json } from '../kernel/json.ts';
import type { FoundRow } from '#engine';

/** A chunk of a file. */
export type ChunkRow = Pick<FoundRow, 'id' | 'text' | 'metadata'>;

const wholeNumber = (value: Json | undefined): number | null =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : null;

/** Place of a chunk within its section, in UTF-16 code units. Callers can write this metadata too, so it is checked. */
const placeOf = ({ metadata }: ChunkRow): { readonly start: number; readonly end: number } | null => {
  const [start, end] = [wholeNumber(metadata['start']), wholeNumber(metadata['end'])];
  return start === null || end === null || end <= start ? null : { start, end };
};

const numberOf = (id: string): number => Number(id.slice(id.lastIndexOf(':') + 1));
const partOf = (id: string): string => id.slice(0, id.lastIndexOf(':'));

/** Characters between two chunks that are white space at their ends. */
const maxGap = 8;

/** Returns the text of a chunk behind the one before, without what both contain, and what divides them. */
const continued = (before: ChunkRow, chunk: ChunkRow): string => {
  const text = chunk.text ?? '';
  const [last, next] = [placeOf(before), placeOf(chunk)];
  const isNext = partOf(before.id) === partOf(chunk.id) && numberOf(chunk.id) === numberOf(before.id) + 1;
  if (!isNext || last === null || next === null || next.start <= last.start) return `\n\n${text}`;
  const gap = next.start - last.end;
  if (gap > maxGap) return `\n\n${text}`;
  // A chunk that begins within a table repeats its head.
  const own = text.slice(Math.max(0, text.length - (next.end - next.start)));
  if (gap >= 0) return `${gap === 0 ? '' : '\n'}${own}`;
  const overlap = own.slice(0, -gap);
  return (before.text ?? '').endsWith(overlap) ? own.slice(-gap) : `\n\n${text}`;
};

/** Joins chunks of a file in their order. What two chunks share is written once. */
export const joinChunks = (chunks: readonly ChunkRow[]): string =>
  chunks
    .map((chunk, at) => {
      const before = chunks[at - 1];
      return before === undefined ? (chunk.text ?? '') : continued(before, chunk);
    })
    .join('');
