import { BoundExceeded, guardedProcess, type GuardedOptions } from '../../../../shared/platform/guarded-process.ts';
import { UnitsChanged, UnreadableFile, type Extractor, type PageRenderer, type Part } from './port.ts';
import type { ReadResponse, ReadRequest } from './reader-process.ts';

/**
 * Options of the process that reads files. `assetsDirectory` holds `readerFiles` (`node_modules`, or beside a bundle);
 * the module at `processPath` calls `serveReader`. Time and memory bound each file.
 */
export type ExtractorOptions = Pick<GuardedOptions, 'assetsDirectory' | 'processPath' | 'codeDirectory'> &
  Partial<Pick<GuardedOptions, 'timeoutSeconds' | 'memoryMb'>>;

const refusalOf = ({ bound }: BoundExceeded): UnreadableFile => {
  if ('memoryMb' in bound)
    return new UnreadableFile(`The file could not be read within ${bound.memoryMb} MB of memory`);
  const seconds = bound.seconds < 1 ? bound.seconds : Math.round(bound.seconds);
  return new UnreadableFile(`The file could not be read within ${seconds} seconds`);
};

const emptyNote = 'The file is empty.';

/** Reads files of every format in a guarded process, each call within bounds of time and memory. */
export const createExtractor = (options: ExtractorOptions): Extractor & PageRenderer => {
  const send = guardedProcess<ReadRequest, ReadResponse>({ timeoutSeconds: 45, memoryMb: 1_536, ...options });
  const call = (request: ReadRequest, bytes: Uint8Array, maxMs?: number): Promise<ReadResponse> =>
    send(request, { bytes, maxMs }).catch((error: unknown) => {
      throw error instanceof BoundExceeded ? refusalOf(error) : error;
    });
  const refuse = (response: ReadResponse): never => {
    if (response.task === 'unreadable') throw new UnreadableFile(response.reason, response.cause);
    if (response.task === 'units changed') throw new UnitsChanged();
    throw new Error(`the reader returned ${response.task} for another request`);
  };
  const extracted = async (request: ReadRequest, bytes: Uint8Array, maxMs?: number): Promise<readonly Part[]> => {
    const response = await call(request, bytes, maxMs);
    return response.task === 'extract' ? response.result : refuse(response);
  };
  return {
    inspect: async ({ bytes, ...file }, maxMs) => {
      if (bytes.length === 0) return { format: 'text', units: 0, paged: false, cut: '0', notes: [emptyNote] };
      const response = await call({ task: 'inspect', file }, bytes, maxMs);
      return response.task === 'inspect' ? response.result : refuse(response);
    },
    extract: async ({ bytes, ...file }, range, maxMs) =>
      bytes.length === 0 ? [] : extracted({ task: 'extract', file, range }, bytes, maxMs),
    extractSpan: (bytes, lines, maxMs) => extracted({ task: 'extract span', lines }, bytes, maxMs),
    draw: async ({ bytes, ...file }, page) => {
      const response = await call({ task: 'draw', file, page }, bytes);
      return response.task === 'draw' ? response.result : refuse(response);
    },
  };
};
