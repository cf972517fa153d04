import { parentPort, workerData } from 'node:worker_threads';
import type { TableName } from '../../../../shared/kernel/names.ts';
import { copyState } from './copy-state.ts';
import { ItemStore } from './item-store.ts';
import { type PlannedRequest, planRequest, writeOutcome } from './operations.ts';
import type { OperationName } from './requests.ts';
import type { TableDefinition } from './table-definition.ts';
import { errorAnswer, TablesError } from './tables-error.ts';

export interface WorkerData {
  readonly file: string;
  readonly tables: readonly TableDefinition[];
}

export interface WorkerRequest {
  readonly id: number;
  readonly operation: OperationName;
  readonly body: string;
}

/** Request to copy the file. The caller waits for a change of `state`, see `copyState`. */
export interface CopyRequest {
  readonly copyTo: string;
  readonly state: Int32Array;
}

export interface WorkerAnswer {
  readonly id: number;
  readonly status: number;
  readonly body: string;
}

/** Messages of the worker: that the tables are open or cannot be opened, then answers, with the reason of failures. */
export type WorkerMessage =
  | { readonly opened: true }
  | { readonly refused: string }
  | { readonly answers: readonly WorkerAnswer[]; readonly failure: unknown };

/**
 * Table whose items count requests. Each read of the API changes them, so a commit with nothing else is not synced, and it
 * is kept in memory while the disk takes no data.
 */
const counterTable = 'usage' satisfies TableName;

const countsRequests = (table: string): boolean => table.endsWith(`-${counterTable}`);

const port = parentPort;
if (port === null) throw new Error('the tables run in a worker');
const send = (message: WorkerMessage): void => port.postMessage(message);

interface Job extends PlannedRequest {
  readonly id: number;
}

const answered = ({ id }: Pick<Job, 'id'>, output: object): WorkerAnswer => ({
  id,
  status: 200,
  body: JSON.stringify(output),
});

/** Answers a request by what `carryOut` returns. Only errors of DynamoDB are answers. */
const answer = (job: Job, carryOut: () => object): WorkerAnswer => {
  try {
    return answered(job, carryOut());
  } catch (error) {
    if (!(error instanceof TablesError)) throw error;
    return { id: job.id, ...errorAnswer(error) };
  }
};

/** Carries out requests, those that have come while the commit before was written as one. */
class Executor {
  private readonly store: ItemStore;
  private waiting: Job[] = [];
  /** Error of the last failure that has not been reported. */
  private failure: unknown;

  constructor(store: ItemStore) {
    this.store = store;
  }

  take({ id, operation, body }: WorkerRequest): void {
    if (this.waiting.length === 0) setImmediate(() => this.runAll());
    try {
      this.waiting.push({ id, ...planRequest(operation, body) });
    } catch (error) {
      send({ answers: [{ id, ...errorAnswer(error) }], failure: undefined });
    }
  }

  runAll(): void {
    const jobs = this.waiting;
    this.waiting = [];
    if (jobs.length === 0) return;
    const answers = this.run(jobs);
    send({ answers, failure: this.failure });
    this.failure = undefined;
  }

  private run(jobs: readonly Job[]): readonly WorkerAnswer[] {
    const { store } = this;
    const now = new Date();
    const changed = jobs.flatMap(({ changes }) => changes);
    const isDurable = changed.some((table) => !countsRequests(table));
    const carryOut = (job: Job) =>
      answer(job, () => {
        const outcome = job.plan(store, now);
        writeOutcome(store, outcome, now);
        return outcome.output;
      });
    try {
      return changed.length === 0 ? jobs.map(carryOut) : store.transaction(isDurable, () => jobs.map(carryOut));
    } catch (error) {
      // Each by itself, so that only those fail that cannot be carried out.
      return jobs.length === 1 ? jobs.map((job) => this.fail(job, error, now)) : jobs.flatMap((job) => this.run([job]));
    }
  }

  private fail(job: Job, error: unknown, now: Date): WorkerAnswer {
    this.failure = error;
    const isCount = job.changes.length > 0 && job.changes.every(countsRequests);
    try {
      if (!isCount) throw error;
      return answer(job, () => {
        const { output, writes } = job.plan(this.store, now);
        for (const write of writes) this.store.keep(write);
        return output;
      });
    } catch (cause) {
      return { id: job.id, ...errorAnswer(cause) };
    }
  }
}

const { file, tables } = workerData as WorkerData;
try {
  const store = new ItemStore(file, tables);
  const executor = new Executor(store);
  const copy = ({ copyTo, state }: CopyRequest): void => {
    let ended: number = copyState.done;
    try {
      store.copyTo(copyTo);
    } catch (error) {
      ended = copyState.failed;
      send({ answers: [], failure: error });
    }
    Atomics.store(state, 0, ended);
    Atomics.notify(state, 0);
  };
  port.on('message', (message: WorkerRequest | CopyRequest | 'close') => {
    if (message !== 'close') {
      if ('copyTo' in message) copy(message);
      else executor.take(message);
      return;
    }
    executor.runAll();
    store.close();
    port.close();
  });
  send({ opened: true });
} catch (error) {
  send({ refused: error instanceof Error ? error.message : String(error) });
}
