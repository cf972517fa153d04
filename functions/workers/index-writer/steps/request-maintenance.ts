import { type IndexRecord, isMaintained } from '../../../../shared/indexes/index.ts';
import { engines, type TableState } from '#engine';
import type { Writing } from '../uses.ts';

/** Versions after which those before them are removed. */
const mostVersions = 128;

/**
 * Requests maintenance that a commit has made due, or notes it until writes pause. If the run dies before, a later commit or the
 * sweep requests it.
 */
export const requestMaintenance = async (
  { deps, run }: Writing,
  index: IndexRecord,
  state: TableState,
): Promise<void> => {
  const hasMany = engines[index.engine].keepsRemovedContent && state.version - index.maintainedVersion >= mostVersions;
  const isDue = state.maintenance === 'due' || state.maintenance === 'overdue';
  if ((isDue || hasMany) && !isMaintained(index, run.clock.now())) await deps.builds.request(index);
  // The first such commit. Maintenance puts the note off.
  if (state.maintenance === 'paused' && index.state.maintenance !== 'paused')
    await deps.indexes.noteFold(index.organizationId, index.id, run.clock.now().toISOString());
};
