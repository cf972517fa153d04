import type { Clock } from '../../../shared/kernel/clock.ts';
import type { CloudPlan } from './assembly/plan-cloud.ts';
import { driveQueue } from './events/drive-queue.ts';
import { runSchedules } from './events/run-schedules.ts';
import type { FunctionHost } from './host/host-contracts.ts';
import type { QueueStore } from './queues/queue-types.ts';

interface DriverOptions {
  readonly plan: CloudPlan;
  readonly host: FunctionHost;
  readonly store: QueueStore;
  readonly accountId: string;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

const find = <Item extends { readonly arn: string }>(items: readonly Item[], arn: string): Item => {
  const found = items.find((item) => item.arn === arn);
  if (found === undefined) {
    throw new Error(`the templates have no resource ${arn}`);
  }
  return found;
};

/** Starts event source mappings and schedules. They stop with `opened`. */
export const startDrivers = (
  { plan, host, store, accountId, clock, onError }: DriverOptions,
  opened: AsyncDisposableStack,
): void => {
  const schedules = plan.schedules.map((schedule) => ({
    schedule,
    definition: find(plan.functions, schedule.functionArn),
  }));
  const drivers = plan.mappings.map((mapping) =>
    driveQueue({
      mapping,
      queue: find(store.definitions, mapping.queueArn),
      definition: find(plan.functions, mapping.functionArn),
      store,
      host,
      accountId,
      onError,
    }),
  );
  const clockwork = runSchedules({ schedules, host, accountId, clock });
  opened.defer(() => {
    clockwork.stop();
    for (const { stop } of drivers) {
      stop();
    }
  });
};
