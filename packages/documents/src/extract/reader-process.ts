import { createHash } from 'node:crypto';
import { createPageDrawer } from './draw-page.ts';
import { createFileOpener, type FileOpener, type OpenedFormat } from './read-file.ts';
import {
  UnreadableFile,
  type CountedRange,
  type DrawnPage,
  type Inspection,
  type PageRequest,
  type Part,
  type SourceFile,
  type SpanLines,
} from './port.ts';
import { readVectorSpan } from './data/read-vector-lines.ts';
import { cutOf } from './format.ts';
import { joinUnits } from './pack-parts.ts';
import { serveGuarded } from '../../../../shared/platform/serve-guarded.ts';

/** File without its bytes, which are sent separately. */
type FileHeader = Omit<SourceFile, 'bytes'>;

/** Request to the process that reads files. */
export type ReadRequest =
  | { readonly task: 'inspect'; readonly file: FileHeader }
  | { readonly task: 'extract'; readonly file: FileHeader; readonly range: CountedRange }
  | { readonly task: 'extract span'; readonly lines: SpanLines }
  | { readonly task: 'draw'; readonly file: FileHeader; readonly page: PageRequest };

/** Its response. `unreadable` contains the reason for the user and the parser's error for the log. */
export type ReadResponse =
  | { readonly task: 'inspect'; readonly result: Inspection }
  | { readonly task: 'extract'; readonly result: readonly Part[] }
  | { readonly task: 'draw'; readonly result: DrawnPage }
  | { readonly task: 'units changed' }
  | { readonly task: 'unreadable'; readonly reason: string; readonly cause: string };

const maxTextChars = 64 * 1024 * 1024;
const maxParts = 200_000;

const checkSize = (parts: readonly Part[]): readonly Part[] => {
  const chars = parts.reduce((sum, part) => sum + (part.kind === 'text' ? part.text.length : 0), 0);
  if (chars > maxTextChars || parts.length > maxParts)
    throw new UnreadableFile('The file contains more text than can be read');
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
  // A file of one unit is read again by its only task.
  ...(opened.packed !== undefined && opened.packed.length > 1 && { packed: joinUnits(opened.packed) }),
});

// A parser depends on the file alone, so every error is permanent.
const refusalOf = (error: unknown): ReadResponse => {
  const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const isTooDeep = error instanceof RangeError && /call stack/.test(error.message);
  const general = isTooDeep ? 'The file is nested too deep to be read' : "The file is damaged and can't be read";
  const reason = error instanceof UnreadableFile ? error.message : general;
  return { task: 'unreadable', reason, cause: cause.slice(0, 4_000) };
};

const nameOf = ({ bytes, ...declared }: SourceFile): string =>
  createHash('sha256').update(JSON.stringify(declared)).update(bytes).digest('hex');

/** Caches the last open file: tasks of one file often follow each other. */
const keepLast = (open: FileOpener): FileOpener => {
  let kept: { readonly name: string; readonly opened: OpenedFormat } | undefined;
  return async (file) => {
    const name = nameOf(file);
    if (kept?.name === name) return kept.opened;
    // Two open files may exceed the memory of the process.
    kept = undefined;
    const opened = await open(file);
    kept = { name, opened };
    return opened;
  };
};

/**
 * Serves the requests of the parent process until that exits.
 * @param args Directory of `readerFiles`, and maximum megabytes of memory of the process.
 */
export const serveReader = ([assetsDirectory = '.', maxMemoryMb = '1024']: readonly string[]): void => {
  const open = keepLast(createFileOpener(assetsDirectory));
  const draw = createPageDrawer(assetsDirectory);
  const handle = async (request: ReadRequest, bytes: Uint8Array): Promise<ReadResponse> => {
    try {
      if (request.task === 'extract span') {
        const parts = readVectorSpan(bytes, request.lines);
        return { task: 'extract', result: checkSize(parts) };
      }
      const file = { ...request.file, bytes };
      if (request.task === 'draw') return { task: 'draw', result: await draw(file, request.page) };
      const opened = await open(file);
      if (request.task === 'inspect') return { task: 'inspect', result: inspectionOf(opened) };
      const { cut = null, ...range } = request.range;
      if (cut !== null && cut !== cutOf(opened)) return { task: 'units changed' };
      return { task: 'extract', result: checkSize(await opened.read(range)) };
    } catch (error) {
      return refusalOf(error);
    }
  };
  serveGuarded(Number(maxMemoryMb), handle);
};
