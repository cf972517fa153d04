import { createHash } from 'node:crypto';
import { createFileOpener, type FileOpener, type OpenedFormat } from './read-file.ts';
import { UnreadableFile, type CountedRange, type Inspection, type Part, type SourceFile } from './port.ts';
import { readVectorSpan } from './data/read-vector-lines.ts';
import { cutOf } from './format.ts';
import { joinUnits } from './pack-parts.ts';
import { watchMemory } from './watch-memory.ts';

/** What is asked of the process that reads files. */
export type ReadRequest = { readonly id: number } & (
  | { readonly task: 'inspect'; readonly file: SourceFile }
  | { readonly task: 'extract'; readonly file: SourceFile; readonly range: CountedRange }
  | { readonly task: 'extract span'; readonly bytes: Uint8Array; readonly line: number }
  /** Bytes of the file of the next request, which has none then. It has no answer. */
  | { readonly task: 'piece'; readonly at: number; readonly totalBytes: number; readonly bytes: Uint8Array }
);

type Piece = Extract<ReadRequest, { readonly task: 'piece' }>;

/** Its answer. `unreadable` holds the reason for the user, and for the log what the parser said. */
export type ReadAnswer = { readonly id: number } & (
  | { readonly task: 'inspect'; readonly result: Inspection }
  | { readonly task: 'extract'; readonly result: readonly Part[] }
  | { readonly task: 'cut otherwise' }
  | { readonly task: 'unreadable'; readonly reason: string; readonly cause: string }
);

const mostTextChars = 64 * 1024 * 1024;
const mostParts = 200_000;

const checkSize = (parts: readonly Part[]): readonly Part[] => {
  const chars = parts.reduce((sum, part) => sum + (part.kind === 'text' ? part.text.length : 0), 0);
  if (chars > mostTextChars || parts.length > mostParts)
    throw new UnreadableFile('The file holds more text than can be read');
  return parts;
};

const inspectionOf = (opened: OpenedFormat): Inspection => ({
  format: opened.format,
  units: Math.max(1, opened.units),
  paged: opened.paged,
  cut: cutOf(opened),
  notes: opened.notes,
  ...(opened.pictures === true && { pictures: true }),
  ...(opened.spans !== undefined && { spans: opened.spans }),
  // A file of one unit is read once more by its only task.
  ...(opened.packed !== undefined && opened.packed.length > 1 && { packed: joinUnits(opened.packed) }),
});

// A parser is a function of the file alone: what it stumbles over, it stumbles over for ever.
const refusalOf = (id: number, error: unknown): ReadAnswer => {
  const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const isTooDeep = error instanceof RangeError && /call stack/.test(error.message);
  const general = isTooDeep ? 'The file nests too deep to be read' : "The file is damaged and can't be read";
  const reason = error instanceof UnreadableFile ? error.message : general;
  return { id, task: 'unreadable', reason, cause: cause.slice(0, 4_000) };
};

const nameOf = ({ bytes, ...declared }: SourceFile): string =>
  createHash('sha256').update(JSON.stringify(declared)).update(bytes).digest('hex');

/** Keeps the file that was opened last: the tasks of one file are often worked on one after the other. */
const keepLast = (open: FileOpener): FileOpener => {
  let kept: { readonly name: string; readonly opened: OpenedFormat } | undefined;
  return async (file) => {
    const name = nameOf(file);
    if (kept?.name === name) return kept.opened;
    // Two files at a time may be more than the process has room for.
    kept = undefined;
    const opened = await open(file);
    kept = { name, opened };
    return opened;
  };
};

/**
 * Answers the requests of the parent process until that is gone.
 * @param args The directory of `readerFiles`, and most megabytes of memory that the process may take.
 */
export const serveReader = ([assetsDirectory = '.', mostMemoryMb = '1024']: readonly string[]): void => {
  watchMemory(Number(mostMemoryMb) * 1024 * 1024);
  const open = keepLast(createFileOpener(assetsDirectory));
  const answer = async (request: Exclude<ReadRequest, Piece>): Promise<ReadAnswer> => {
    const { id } = request;
    try {
      if (request.task === 'extract span') {
        const parts = readVectorSpan(request.bytes, request.line);
        return { id, task: 'extract', result: checkSize(parts) };
      }
      const opened = await open(request.file);
      if (request.task === 'inspect') return { id, task: 'inspect', result: inspectionOf(opened) };
      const { cut = null, ...range } = request.range;
      if (cut !== null && cut !== cutOf(opened)) return { id, task: 'cut otherwise' };
      return { id, task: 'extract', result: checkSize(await opened.read(range)) };
    } catch (error) {
      return refusalOf(id, error);
    }
  };
  let pieces: { readonly id: number; readonly bytes: Uint8Array } | undefined;
  const withBytes = (request: Exclude<ReadRequest, Piece>): Exclude<ReadRequest, Piece> => {
    const { bytes } = pieces?.id === request.id ? pieces : {};
    pieces = undefined;
    return bytes === undefined || !('file' in request) ? request : { ...request, file: { ...request.file, bytes } };
  };
  process.on('message', (message) => {
    // Only the parent, which is of the same build, holds the other end of the channel.
    const request = message as ReadRequest;
    if (request.task === 'piece') {
      if (pieces?.id !== request.id) pieces = { id: request.id, bytes: new Uint8Array(request.totalBytes) };
      pieces.bytes.set(request.bytes, request.at);
      return;
    }
    void answer(withBytes(request)).then((result) => process.send?.(result));
  });
  process.on('disconnect', () => process.exit(0));
};
