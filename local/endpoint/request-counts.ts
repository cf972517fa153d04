import type { IncomingMessage } from 'node:http';

/** Counts the requests that functions and callers send to AWS, as a bill would: by service and operation. */
export interface RequestCounts {
  readonly note: (service: string, request: Pick<IncomingMessage, 'headers' | 'method'>) => void;
  /** Requests since the start by `service.Operation`; those of S3 go by their method. */
  readonly counts: () => Readonly<Record<string, number>>;
}

const operationOf = (service: string, { headers, method }: Pick<IncomingMessage, 'headers' | 'method'>): string => {
  if (service === 'lambda') return 'Invoke';
  return headers['x-amz-target']?.toString().split('.').at(-1) ?? method ?? 'GET';
};

/** Starts counting at nothing. */
export const countRequests = (): RequestCounts => {
  const counts = new Map<string, number>();
  return {
    note: (service, request) => {
      const name = `${service}.${operationOf(service, request)}`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
    },
    counts: () => Object.fromEntries([...counts].toSorted(([one], [other]) => (one < other ? -1 : 1))),
  };
};
