import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { AwsAnswer } from '../endpoint/aws-request.ts';
import { isOperation } from './requests.ts';
import type { CopyRequest, WorkerAnswer, WorkerData, WorkerMessage, WorkerRequest } from './serve-worker.ts';
import { copyState } from './copy-state.ts';
import type { TableDefinition } from './table-definition.ts';
import { errorAnswer } from './tables-error.ts';

/** The tables of one region. */
export interface Tables {
  /** Carries out an operation of DynamoDB's JSON protocol; null for one that the tables do not have. */
  readonly call: (operation: string, body: string) => Promise<AwsAnswer | null>;
  /** Writes a copy to a file that does not exist. This thread waits for it, so that it serves nothing meanwhile. */
  readonly copyTo: (file: string) => void;
  readonly close: () => Promise<void>;
}

interface TableOptions {
  /** SQLite file; `:memory:` for none. */
  readonly file: string;
  readonly tables: readonly TableDefinition[];
  /** Gets failures of the store, whose callers got a 500. */
  readonly onError: (error: unknown) => void;
}

/** Time that a copy may take. */
const copyLimitMs = 5 * 60_000;

/** Beside this file, or beside the bundle that contains it. */
const workerFile = import.meta.url.endsWith('.ts') ? 'serve-worker.ts' : 'serve-worker.mjs';

const headers = { 'content-type': 'application/x-amz-json-1.0' };

/** Begins a copy in the thread of the tables, and waits until it has ended. */
const waitForCopy = (begin: (state: Int32Array) => void): void => {
  const state = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  begin(state);
  Atomics.wait(state, 0, copyState.begun, copyLimitMs);
  if (state[0] !== copyState.done) throw new Error('the tables could not be copied');
};

/**
 * Opens the tables of a region, creates those that are missing and follows changed indexes. The store runs in a thread of
 * its own, because it blocks while it reads and writes.
 * Rejects if the file is damaged, or a table has changed in a way that its data cannot follow.
 */
export const openTables = async ({ file, tables, onError }: TableOptions): Promise<Tables> => {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true });
  const workerData: WorkerData = { file, tables };
  const worker = new Worker(new URL(workerFile, import.meta.url), { workerData, name: 'tables' });
  const exited = new Promise<void>((resolve) => {
    worker.once('exit', () => resolve());
  });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  const post = (message: WorkerRequest | CopyRequest | 'close'): void => worker.postMessage(message);
  const [first] = (await once(worker, 'message')) as [WorkerMessage];
  if ('refused' in first) {
    await exited;
    throw new Error(first.refused);
  }
  const waiting = new Map<number, (answer: Omit<WorkerAnswer, 'id'>) => void>();
  let lastId = 0;
  let fault: unknown;
  worker.on('message', (message: WorkerMessage) => {
    if (!('answers' in message)) return;
    if (message.failure !== undefined) onError(message.failure);
    for (const { id, status, body } of message.answers) {
      waiting.get(id)?.({ status, body });
      waiting.delete(id);
    }
  });
  worker.on('error', (error) => {
    fault = error;
    onError(error);
    for (const answer of waiting.values()) answer(errorAnswer(error));
    waiting.clear();
  });
  return {
    call: async (operation, body) => {
      if (!isOperation(operation)) return null;
      if (fault !== undefined) return { headers, ...errorAnswer(fault) };
      const { promise, resolve } = Promise.withResolvers<Omit<WorkerAnswer, 'id'>>();
      lastId += 1;
      waiting.set(lastId, resolve);
      post({ id: lastId, operation, body });
      return { headers, ...(await promise) };
    },
    copyTo: (copy) => waitForCopy((state) => post({ copyTo: copy, state })),
    close: async () => {
      fault ??= new Error('the tables are closed');
      post('close');
      await exited;
    },
  };
};
