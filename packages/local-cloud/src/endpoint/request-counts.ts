import type { IncomingMessage } from 'node:http';
import * as z from 'zod';

/** Counts the requests of functions and callers to AWS as they are billed: by service and operation. */
export interface RequestCounts {
  readonly note: (service: string, request: Pick<IncomingMessage, 'headers' | 'method' | 'url'>, body?: Buffer) => void;
  /**
   * Requests since the start by `service.Operation`, or by method for S3. A batch counts once for each of its items, and a
   * transaction twice.
   */
  readonly counts: () => Readonly<Record<string, number>>;
}

/** Returns the operation of a request; for S3 its method. */
export const operationOf = (
  service: string,
  { headers, method, url }: Pick<IncomingMessage, 'headers' | 'method' | 'url'>,
): string => {
  if (service === 's3vectors') return url?.split('/', 2)[1] ?? '';
  if (service === 'lambda') return 'Invoke';
  return headers['x-amz-target']?.toString().split('.').at(-1) ?? method ?? 'GET';
};

const Batch = z.object({ RequestItems: z.record(z.string(), z.object({ Keys: z.array(z.unknown()) })) });

const Transaction = z.object({ TransactItems: z.array(z.unknown()) });

/** Number of billed requests: a batch is billed once for each item that it reads, and a transaction twice for each. */
const unitsOf = (operation: string, body: Buffer | undefined): number => {
  if (body === undefined || (operation !== 'BatchGetItem' && operation !== 'TransactWriteItems')) return 1;
  try {
    const request: unknown = JSON.parse(body.toString());
    if (operation === 'TransactWriteItems') return 2 * Transaction.parse(request).TransactItems.length;
    const { RequestItems: tables } = Batch.parse(request);
    return Object.values(tables).reduce((sum, { Keys: keys }) => sum + keys.length, 0);
  } catch {
    // The tables refuse a malformed request.
    return 1;
  }
};

/** Starts counting at zero. */
export const countRequests = (): RequestCounts => {
  const counts = new Map<string, number>();
  return {
    note: (service, request, body) => {
      const operation = operationOf(service, request);
      const name = `${service}.${operation}`;
      counts.set(name, (counts.get(name) ?? 0) + unitsOf(operation, body));
    },
    counts: () => Object.fromEntries([...counts].toSorted(([one], [other]) => (one < other ? -1 : 1))),
  };
};
