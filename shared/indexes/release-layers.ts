import type { Clock } from '../kernel/clock.ts';
import type { Layer } from '../platform/engine/port.ts';
import type { IndexWriter } from './contracts.ts';
import type { IndexLog } from './index-log.ts';
import { dependentOf, type IndexRecord } from './record.ts';

/**
 * Releases tables that a branch or an export has read. A deleted index without other dependents is dropped next. Any other
 * removes the versions that it kept.
 */
export const releaseLayers = async (
  deps: {
    readonly indexes: Pick<IndexWriter, 'changeDependents' | 'notePendingCleanup'>;
    readonly log: Pick<IndexLog, 'append'>;
  },
  { organizationId, id }: Pick<IndexRecord, 'organizationId' | 'id'>,
  layers: readonly Layer[],
  clock: Clock,
): Promise<void> => {
  for (const { table, version } of layers) {
    const ancestor = await deps.indexes.changeDependents(organizationId, table, { exclude: dependentOf(id, version) });
    if (ancestor?.status === 'deleting' && ancestor.dependents.size === 0)
      await deps.log.append(ancestor, { op: 'drop' });
    if (ancestor?.status === 'ready')
      await deps.indexes.notePendingCleanup(ancestor.organizationId, ancestor.id, clock.now().toISOString());
  }
};
