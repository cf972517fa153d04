import type { IncomingMessage } from 'node:http';
import * as z from 'zod';

/** Counts the requests that functions and callers send to AWS, as a bill would: by service and operation. */
export interface RequestCounts {
  readonly note: (service: string, request: Pick<IncomingMessage, 'headers' | 'method'>, body?: Buffer) => void;
  /** Requests since the start by `service.Operation`; those of S3 go by their method, a batch counts each of its items. */
  readonly counts: () => Readonly<Record<string, number>>;
}

/** The operation of a request; of S3 its method. */
export const operationOf = (
  service: string,
  { headers, method }: Pick<IncomingMessage, 'headers' | 'method'>,
): string => {
  if (service === 'lambda') return 'Invoke';
  return headers['x-amz-target']?.toString().split('.').at(-1) ?? method ?? 'GET';
};

const Batch = z.object({ RequestItems: z.record(z.string(), z.object({ Keys: z.array(z.unknown()) })) });

/** A batch is billed as the reads that it stands for. */
const unitsOf = (operation: string, body: Buffer | undefined): number => {
  if (operation !== 'BatchGetItem' || body === undefined) return 1;
  try {
    const { RequestItems: tables } = Batch.parse(JSON.parse(body.toString()));
    return Object.values(tables).reduce((sum, { Keys: keys }) => sum + keys.length, 0);
  } catch {
    // The tables refuse what is no batch.
    return 1;
  }
};

/** Starts counting at nothing. */
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
