import { numberOf } from '../db/read-item.ts';
import type { Table } from '../db/contracts.ts';
import { openTable } from '../db/table.ts';
import { capability, type Runtime } from '../kernel/capability.ts';
import { defaultWaitingWrites } from '../kernel/config.ts';
import { AppError } from '../kernel/errors.ts';
import { waitingWritesKey } from '../kernel/names.ts';
import { isTransientSdkError } from '../kernel/sdk-error.ts';

/** Index of a waiting write. */
interface WrittenIndex {
  readonly organizationId: string;
  readonly id: string;
}

/**
 * Limits the writes that wait for their receipt. Each waiting write occupies a function, so a stalled index or region would
 * otherwise use the whole concurrency of the account.
 */
export interface WaitingWrites {
  /** Throws 429 if too many writes of the index or of the deployment wait. */
  requireBelowLimit(index: WrittenIndex): Promise<void>;
  /** Counts a write as waiting. Returns the function that ends the wait. */
  begin(index: WrittenIndex): Promise<() => Promise<void>>;
}

/** Seconds of the `retry-after` header of a refused write. */
const retrySeconds = 2;

/** Seconds that one item counts. Items expire, because a killed function never undoes its count. */
const windowSeconds = 30;

const deploymentName = 'all';

const nameOf = ({ organizationId, id }: WrittenIndex): string => `${organizationId}#${id}`;

interface Parts {
  readonly runtime: Runtime;
  readonly table: Table;
}

const windowOf = ({ clock }: Runtime): number => Math.floor(clock.now().getTime() / 1000 / windowSeconds);

/** Runs a counting step. A transient failure is logged, and does not fail the write. */
const orUncounted = async <Result>({ log }: Runtime, step: () => Promise<Result>): Promise<Result | null> => {
  try {
    return await step();
  } catch (error) {
    if (!isTransientSdkError(error)) throw error;
    log.warn('usage.waiting_writes.count.failed', { error });
    return null;
  }
};

/** Changes the counts of a window. */
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
    `${waiting} writes of ${place} have been waiting for more than a second, and the limit is ${limit}. Nothing was written. Repeat the request in ${retrySeconds} seconds`,
    { headers: { 'retry-after': String(retrySeconds) } },
  );

export const waitingWritesUse = capability<WaitingWrites>(['writes.wait'], (runtime) => {
  const parts: Parts = { runtime, table: openTable(runtime, 'usage') };
  const { deployment, index: perIndex } = runtime.config.waitingWrites ?? defaultWaitingWrites;
  return {
    requireBelowLimit: async (index) => {
      // No write waits longer than a window, so each has begun in this window or the one before.
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
