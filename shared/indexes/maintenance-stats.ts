import type { Clock } from '../kernel/clock.ts';
import { type Logger, maintenanceFailed } from '../kernel/log.ts';
import { type IndexRecord, isMaintained, type MaintenanceFailures } from './record.ts';

type Maintained = Pick<IndexRecord, 'id' | 'organizationId' | 'maintenanceFailures' | 'state'>;

/** Counts one more failure of maintenance, and logs it for the alarm. */
export const countMaintenanceFailure = (
  { organizationId, id, maintenanceFailures: last, state }: Maintained,
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
): MaintenanceFailures => {
  const failure = { failures: (last?.failures ?? 0) + 1, since: last?.since ?? clock.now().toISOString() };
  log.error(maintenanceFailed.message, {
    organization_id: organizationId,
    index_id: id,
    [maintenanceFailed.failures]: failure.failures,
    since: failure.since,
    rows: state.rows,
    bytes: state.denseBytes + state.sparseBytes,
  });
  return failure;
};

const failing = 'Recent rows could not be added to the table of the index. Searches become slower. No row is lost.';

/** State of the maintenance of an index as `IndexStats` has it. */
export const maintenanceStats = (index: IndexRecord, now: Date) => {
  const { maintenanceFailures: failed } = index;
  if (failed !== null) return { status: 'failing', reason: failing, ...failed } as const;
  const status = isMaintained(index, now) ? 'building' : 'ok';
  return { status, reason: null, failures: 0, since: null } as const;
};
