import { randomUUID } from 'node:crypto';
import { timestamp, type Clock } from '../../../../shared/kernel/clock.ts';
import type { FunctionDefinition } from '../host/function-definition.ts';
import type { FunctionHost } from '../host/host-contracts.ts';

/** A rule that runs a function every so many minutes. */
export interface ScheduleDefinition {
  readonly name: string;
  readonly region: string;
  readonly arn: string;
  readonly everyMinutes: number;
  readonly functionArn: string;
  /** Event in JSON that replaces the default event of the scheduler. */
  readonly input: string | null;
}

/** Delay of the first run. It is short, because work that was overdue at the last exit should not wait a whole period. */
const firstRunMs = 10_000;

const eventOf = (schedule: ScheduleDefinition, accountId: string, clock: Clock): string =>
  schedule.input ??
  JSON.stringify({
    version: '0',
    id: randomUUID(),
    'detail-type': 'Scheduled Event',
    source: 'aws.events',
    account: accountId,
    time: timestamp(clock).replace(/\.\d+Z$/, 'Z'),
    region: schedule.region,
    resources: [schedule.arn],
    detail: {},
  });

/** Runs each schedule's function periodically. A period is skipped if the last run has not ended. */
export const runSchedules = (options: {
  readonly schedules: readonly { readonly schedule: ScheduleDefinition; readonly definition: FunctionDefinition }[];
  readonly host: FunctionHost;
  readonly accountId: string;
  readonly clock: Clock;
}): { readonly stop: () => void } => {
  const stops = options.schedules.map(({ schedule, definition }) => {
    let busy = false;
    const run = async (): Promise<void> => {
      if (busy) {
        return;
      }
      busy = true;
      await options.host.invoke(definition, eventOf(schedule, options.accountId, options.clock));
      busy = false;
    };
    const periodMs = schedule.everyMinutes * 60_000;
    const first = setTimeout(() => void run(), Math.min(firstRunMs, periodMs)).unref();
    const every = setInterval(() => void run(), periodMs).unref();
    return () => {
      clearTimeout(first);
      clearInterval(every);
    };
  });
  return { stop: () => stops.forEach((stop) => stop()) };
};
