import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { AwsAnswer } from '../endpoint/aws-request.ts';
import { isOperation } from './requests.ts';
import type { WorkerAnswer, WorkerData, WorkerMessage, WorkerRequest } from './serve-worker.ts';
import type { TableDefinition } from './table-definition.ts';
import { errorAnswer } from './tables-error.ts';

/** The tables of one region. */
export interface Tables {
  /** Carries out an operation of DynamoDB's JSON protocol; null for one that the tables do not have. */
  readonly call: (operation: string, body: string) => Promise<AwsAnswer | null>;
  readonly close: () => Promise<void>;
}

interface TableOptions {
  /** SQLite file; `:memory:` for none. */
  readonly file: string;
  readonly tables: readonly TableDefinition[];
  /** Gets failures of the store, whose callers got a 500. */
  readonly onError: (error: unknown) => void;
}

const headers = { 'content-type': 'application/x-amz-json-1.0' };

/**
 * Opens the tables of a region, creates those that are missing and follows changed indexes. The store runs in a thread of
 * its own, because it blocks while it reads and writes.
 * Rejects if the file is damaged, or a table has changed in a way that its data cannot follow.
 */
export const openTables = async ({ file, tables, onError }: TableOptions): Promise<Tables> => {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true });
  const workerData: WorkerData = { file, tables };
  const worker = new Worker(new URL('serve-worker.ts', import.meta.url), { workerData });
  const exited = new Promise<void>((resolve) => {
    worker.once('exit', () => resolve());
  });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  const post = (message: WorkerRequest | 'close'): void => worker.postMessage(message);
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
    close: async () => {
      fault ??= new Error('the tables are closed');
      post('close');
      await exited;
    },
  };
};
