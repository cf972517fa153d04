import { type IndexRecord, type LogMessage, toIndexRef } from '../../../../shared/indexes/index.ts';
import { acknowledge } from './receipts.ts';
import type { Writing } from './writing.ts';

/** How long a version that no branch needs is kept for readers that still hold it. */
const keepSeconds = 600;

/** Compacts a table and brings its indexes up to date. */
export const applyMaintain = async (writing: Writing, index: IndexRecord, message: LogMessage): Promise<void> => {
  const { deps } = writing;
  const engine = deps.engines(index.organizationId);
  const keepVersions = [...index.dependents].map((dependent) => Number(dependent.split('@')[1]));
  const state = await engine.maintain(toIndexRef(index), { keepSeconds, keepVersions });
  await deps.indexes.saveState(index.organizationId, index.id, state, null);
  await acknowledge(writing, message, { written: 0, deleted: 0, error: null });
};
