import { numberOf } from '../db/read-item.ts';
import type { Table } from '../db/contracts.ts';
import { openTable } from '../db/table.ts';
import { capability, type Runtime } from '../kernel/capability.ts';
import { defaultWaitingWrites } from '../kernel/config.ts';
import { AppError } from '../kernel/errors.ts';
import { waitingWritesKey } from '../kernel/names.ts';
import { isTransientSdkError } from '../kernel/sdk-error.ts';

/** The index that a write waits for. */
interface WrittenIndex {
  readonly organizationId: string;
  readonly id: string;
}

/**
 * Writes that have waited for their receipt for so long that they are counted. Each holds a function, so a stalled index
 * or region would otherwise take the concurrency of the account from all others.
 */
export interface WaitingWrites {
  /** Throws 429 if as many writes of the index or of the deployment wait as may. */
  requireRoom(index: WrittenIndex): Promise<void>;
  /** Counts a write as waiting. Returns what ends that. */
  begin(index: WrittenIndex): Promise<() => Promise<void>>;
}

/** Seconds after which a refused write is worth repeating. */
const retrySeconds = 2;

/** Counts lie in items of so many seconds, because a killed function never takes back what it has added. */
const windowSeconds = 30;

const deploymentName = 'all';

const nameOf = ({ organizationId, id }: WrittenIndex): string => `${organizationId}#${id}`;

interface Parts {
  readonly runtime: Runtime;
  readonly table: Table;
}

const windowOf = ({ clock }: Runtime): number => Math.floor(clock.now().getTime() / 1000 / windowSeconds);

/** Runs a step without which a write goes on. */
const orUncounted = async <Result>({ log }: Runtime, step: () => Promise<Result>): Promise<Result | null> => {
  try {
    return await step();
  } catch (error) {
    if (!isTransientSdkError(error)) throw error;
    log.warn('usage.waiting_writes.count.failed', { error });
    return null;
  }
};

/** Adds to the counts of a window. */
const add = async ({ runtime, table }: Parts, window: number, index: WrittenIndex, change: number): Promise<void> => {
  await orUncounted(runtime, () =>
    table.update(
      { pk: waitingWritesKey, sk: String(window) },
      {
        add: { [deploymentName]: change, [nameOf(index)]: change },
        set: { expires_at_epoch: (window + 10) * windowSeconds },
      },
    ),
  );
};

const refusal = (waiting: number, limit: number, place: string): AppError =>
  new AppError(
    'rate_limited',
    `${waiting} writes of ${place} have been waiting for more than a second, of ${limit} that may; nothing was written. Repeat the request in ${retrySeconds} seconds`,
    { headers: { 'retry-after': String(retrySeconds) } },
  );

export const waitingWritesUse = capability<WaitingWrites>(['writes.wait'], (runtime) => {
  const parts: Parts = { runtime, table: openTable(runtime, 'usage') };
  const { deployment, index: perIndex } = runtime.config.waitingWrites ?? defaultWaitingWrites;
  return {
    requireRoom: async (index) => {
      // No write waits for longer than a window, so those that wait have begun in this one or the one before.
      const after = String(windowOf(runtime) - 2);
      const page = await orUncounted(runtime, () => parts.table.query(waitingWritesKey, { after }));
      const sum = (name: string): number => page?.items.reduce((total, item) => total + numberOf(item, name), 0) ?? 0;
      const [ofIndex, ofAll] = [sum(nameOf(index)), sum(deploymentName)];
      if (ofIndex >= perIndex) throw refusal(ofIndex, perIndex, 'the index');
      if (ofAll >= deployment) throw refusal(ofAll, deployment, 'the deployment');
    },
    begin: async (index) => {
      const window = windowOf(runtime);
      await add(parts, window, index, 1);
      return () => add(parts, window, index, -1);
    },
  };
});
