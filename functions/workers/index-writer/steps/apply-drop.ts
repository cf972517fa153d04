import type { IndexRecord, LogMessage } from '../../../../shared/indexes/index.ts';
import { acknowledge } from './receipts.ts';
import type { Writing } from './writing.ts';

/** Frees what an index stands on; an ancestor that waits to be dropped and has no other dependent is dropped next. */
const releaseAncestors = async ({ deps }: Writing, index: IndexRecord): Promise<void> => {
  for (const { table, version } of index.layers.slice(1)) {
    const ancestor = await deps.indexes.changeDependents(index.organizationId, table, {
      exclude: `${index.id}@${version}`,
    });
    if (ancestor?.status === 'deleting' && ancestor.dependents.size === 0)
      await deps.log.append(ancestor, { op: 'drop' });
  }
};

/** Removes a deleted index with all that belongs to it, unless branches still read its table: then the last of them does. */
export const applyDrop = async (writing: Writing, index: IndexRecord, message: LogMessage): Promise<void> => {
  const { deps } = writing;
  if (index.status === 'deleting' && index.dependents.size === 0) {
    const engine = deps.engines(index.organizationId);
    await engine.drop(index.id);
    await deps.stored.deleteAll(index.region, `uploads/${index.organizationId}/${index.id}/`);
    await deps.stored.deleteAll(index.region, `batches/${index.organizationId}/${index.id}/`);
    for (const content of [deps.files, deps.crawls, deps.imports, deps.connectors])
      await content.removeAll(index.organizationId, index.id);
    await releaseAncestors(writing, index);
    await deps.usage.releaseIndex(index.organizationId, index.id);
    await deps.indexes.remove(index.organizationId, index.id);
  }
  await acknowledge(writing, message, { written: 0, deleted: 0, error: null });
};
