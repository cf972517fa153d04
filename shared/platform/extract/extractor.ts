import { BoundExceeded, guardedProcess, type GuardedOptions } from '../guarded-process.ts';
import { CutOtherwise, UnreadableFile, type Extractor, type Part } from './port.ts';
import type { ReadAnswer, ReadRequest } from './reader-process.ts';

/**
 * Where files are read: `assetsDirectory` holds the files of `readerFiles` (`node_modules`, or where they lie beside a
 * bundle), the module at `processPath` calls `serveReader`. Time and memory are what any file may take.
 */
export type ExtractorOptions = Pick<GuardedOptions, 'assetsDirectory' | 'processPath' | 'codeDirectory'> &
  Partial<Pick<GuardedOptions, 'timeoutSeconds' | 'memoryMb'>>;

const refusalOf = ({ bound }: BoundExceeded): UnreadableFile => {
  if ('memoryMb' in bound)
    return new UnreadableFile(`The file could not be read within ${bound.memoryMb} MB of memory`);
  const seconds = bound.seconds < 1 ? bound.seconds : Math.round(bound.seconds);
  return new UnreadableFile(`The file could not be read within ${seconds} seconds`);
};

/** Reads files of every format, each call within bounds of time and memory, in a guarded process. */
export const createExtractor = (options: ExtractorOptions): Extractor => {
  const send = guardedProcess<ReadRequest, ReadAnswer>({ timeoutSeconds: 45, memoryMb: 1_536, ...options });
  const call = (request: ReadRequest, bytes: Uint8Array, maxMs?: number): Promise<ReadAnswer> =>
    send(request, { bytes, maxMs }).catch((error: unknown) => {
      throw error instanceof BoundExceeded ? refusalOf(error) : error;
    });
  const refuse = (answer: ReadAnswer): never => {
    if (answer.task === 'unreadable') throw new UnreadableFile(answer.reason, answer.cause);
    if (answer.task === 'cut otherwise') throw new CutOtherwise();
    throw new Error(`the reader answered ${answer.task} to another question`);
  };
  const extracted = async (request: ReadRequest, bytes: Uint8Array, maxMs?: number): Promise<readonly Part[]> => {
    const answer = await call(request, bytes, maxMs);
    return answer.task === 'extract' ? answer.result : refuse(answer);
  };
  return {
    inspect: async ({ bytes, ...file }, maxMs) => {
      if (bytes.length === 0) return { format: 'text', units: 0, paged: false, cut: '0', notes: [] };
      const answer = await call({ task: 'inspect', file }, bytes, maxMs);
      return answer.task === 'inspect' ? answer.result : refuse(answer);
    },
    extract: async ({ bytes, ...file }, range, maxMs) =>
      bytes.length === 0 ? [] : extracted({ task: 'extract', file, range }, bytes, maxMs),
    extractSpan: (bytes, line, maxMs) => extracted({ task: 'extract span', line }, bytes, maxMs),
  };
};
