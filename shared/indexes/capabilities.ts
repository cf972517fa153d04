import { capability } from '../kernel/capability.ts';
import type { IndexReader, IndexWriter } from './contracts.ts';
import { subjectUsageWrite, waitingWritesUse } from '../usage/index.ts';
import { logSend } from './index-log.ts';
import { openIndexReader, openIndexWriter } from './repository.ts';

export const indexesRead = capability<IndexReader>(['indexes.read'], openIndexReader);

/** Capabilities to change an index through its log, to wait for the receipt, and to count what the caller has used. */
export const changeIndexUses = {
  indexes: indexesRead,
  log: logSend,
  waits: waitingWritesUse,
  subjectUsage: subjectUsageWrite,
};

export const indexesWrite = capability<IndexWriter>(['indexes.read', 'indexes.write'], openIndexWriter);
