import type { Clock } from '../kernel/clock.ts';
import { type Logger, maintenanceFailed } from '../kernel/log.ts';
import type { IndexRecord, MaintenanceFailures, MaintenanceTask } from './record.ts';

type Maintained = Pick<IndexRecord, 'id' | 'organizationId' | 'maintenanceFailures' | 'state'>;

/** Counts one more failure of a task, and logs it for the alarm. */
export const countMaintenanceFailure = (
  { organizationId, id, maintenanceFailures, state }: Maintained,
  task: MaintenanceTask,
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
): MaintenanceFailures => {
  const last = maintenanceFailures[task];
  const failure = { failures: (last?.failures ?? 0) + 1, since: last?.since ?? clock.now().toISOString() };
  log.error(maintenanceFailed.message, {
    organization_id: organizationId,
    index_id: id,
    task,
    [maintenanceFailed.failures]: failure.failures,
    since: failure.since,
    rows: state.rows,
    bytes: state.denseBytes + state.sparseBytes,
  });
  return { ...maintenanceFailures, [task]: failure };
};

const reasons: Readonly<Record<MaintenanceTask, string>> = {
  compaction:
    'The table could not be compacted. Searches compare fresh rows one by one and become slower. No row is lost.',
  vector_index:
    'The vector index could not be built. Dense searches compare rows one by one and become slower. No row is lost.',
};

/** State of the maintenance of an index as `IndexStats` has it. */
export const maintenanceStats = ({ build, maintenanceFailures: failed }: IndexRecord) => {
  const task: MaintenanceTask = failed.vector_index === undefined ? 'compaction' : 'vector_index';
  const failure = failed[task];
  if (failure === undefined)
    return { status: build?.state === 'running' ? 'building' : 'ok', reason: null, failures: 0, since: null } as const;
  return { status: 'failing', reason: reasons[task], ...failure } as const;
};
