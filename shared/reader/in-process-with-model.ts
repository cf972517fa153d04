import type { Sizing } from '../pipeline/worker.ts';
import { embedderUse } from '../platform/models/capability.ts';
import { inProcessReader, wordReadingSize } from './in-process.ts';

/** Size of a function that reads indexes and embeds text itself. */
export const readingSize = { ...wordReadingSize, assets: ['engine', 'embedding-model'] } as const satisfies Sizing;

/** As `wordReaderInProcess`, with the model that embeds the text of a search. */
export const readerInProcess = inProcessReader(embedderUse);
