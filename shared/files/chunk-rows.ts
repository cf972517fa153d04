import type { PlacedChunk } from '#documents';
import type { Row } from '#engine';
import { packPassage } from '../kernel/passage.ts';

const padded = (number: number, digits: number): string => String(number).padStart(digits, '0');

/** Returns the id of the row of a chunk. In order of id, the chunks of a job are in the order of the file. */
export const chunkId = (jobId: string, ordinal: number, position: number): string =>
  `${jobId}:${padded(ordinal, 6)}:${padded(position, 5)}`;

/** Returns the ordinal of the task that wrote a chunk. Null: the row has an id of its own. */
export const ordinalOfChunk = (jobId: string, id: string): number | null => {
  const [, ordinal] = /^:(\d{6}):\d{5,}$/.exec(id.startsWith(jobId) ? id.slice(jobId.length) : '') ?? [];
  return ordinal === undefined ? null : Number(ordinal);
};

/** Part of the file of a job, whose rows one task has written. */
export interface FilePart {
  readonly jobId: string;
  readonly ordinal: number;
}

/** Returns the part and the position of the chunk that an id is made for; null: it is another id. */
export const partOfChunk = (id: string): (FilePart & { readonly position: number }) | null => {
  const [, jobId = '', ordinal, position] = /^(job_[^:]+):(\d{6}):(\d{5,})$/.exec(id) ?? [];
  return ordinal === undefined ? null : { jobId, ordinal: Number(ordinal), position: Number(position) };
};

/** Returns what the ids of the chunks of a part begin with. */
export const chunkPrefix = ({ jobId, ordinal }: FilePart): string => `${jobId}:${padded(ordinal, 6)}:`;

/** Returns the row of a chunk, without its vector. */
export const rowOfChunk = (
  part: FilePart,
  position: number,
  { chunk, passage }: PlacedChunk,
  { metadata, filename }: Pick<Row, 'metadata' | 'filename'>,
): Omit<Row, 'vector'> => ({
  id: chunkId(part.jobId, part.ordinal, position),
  text: chunk.text,
  metadata: {
    ...metadata,
    ...chunk.place,
    heading_path: chunk.headingPath,
    chunk: position,
    start: chunk.start,
    end: chunk.end,
  },
  jobId: part.jobId,
  filename,
  pageStart: chunk.pageStart,
  pageEnd: chunk.pageEnd,
  passage: packPassage(passage),
});
