import type { JsonObject } from './json.ts';

/** Names under which rows of files tell in their metadata where in the source they stand. */
export const locationNames = [
  'slide',
  'sheet',
  'row_start',
  'row_end',
  'line_start',
  'line_end',
  'start_seconds',
  'end_seconds',
  'message',
  'attachment',
  'ocr_confidence',
] as const;

/** Names under which the service states something in the metadata of a chunk; those of a place only where it has that. */
export const ownNames = ['heading_path', 'chunk', 'start', 'end', ...locationNames] as const;

/** Most bytes of one thing's metadata as JSON. */
export const maxMetadataBytes = 40 * 1024;

/** More than a chunk is told: some seven titles and two names of up to 200 characters, each up to six bytes of JSON. */
const ownBytes = 16 * 1024;

const own: ReadonlySet<string> = new Set(ownNames);

const bytesOf = (entries: readonly (readonly [string, unknown])[]): number =>
  Buffer.byteLength(JSON.stringify(Object.fromEntries(entries)));

/**
 * Bytes of a row's metadata as JSON that count against `metadataBytes`: all but what the service states of a chunk, so
 * that every row of a file can be changed and written back.
 */
export const rowMetadataBytes = (metadata: JsonObject): number => {
  const { stated = [], told = [] } = Object.groupBy(Object.entries(metadata), ([name]) =>
    own.has(name) ? 'told' : 'stated',
  );
  return bytesOf(stated) + Math.max(0, bytesOf(told) - ownBytes);
};
