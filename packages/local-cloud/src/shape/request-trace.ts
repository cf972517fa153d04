import type { IncomingMessage, ServerResponse } from 'node:http';
import { operationOf } from '../endpoint/request-counts.ts';

/** A completed request to an AWS service. Times are milliseconds of one clock. */
export interface TracedRequest {
  readonly service: string;
  /** The operation; for S3 the method, or `LIST` and `DELETE` for operations that use another method. */
  readonly operation: string;
  readonly accessKeyId: string;
  readonly path: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly requestBytes: number;
  readonly responseBytes: number;
}

/** A run of a function. */
export interface TracedRun {
  readonly function: string;
  /** Whether a process was started for it. */
  readonly cold: boolean;
}

/** Requests and runs since the trace was last read. */
interface Trace {
  readonly requests: readonly TracedRequest[];
  readonly runs: readonly TracedRun[];
}

/** Records requests and runs until they are read. */
export interface RequestTrace {
  readonly request: (service: string, accessKeyId: string, request: IncomingMessage, response: ServerResponse) => void;
  readonly run: (run: TracedRun) => void;
  /** Returns the number of requests without a response so far. */
  readonly open: () => number;
  /** Returns the recorded trace and clears it. */
  readonly take: () => Trace;
}

/** Maximum of recorded requests and runs; beyond it, the oldest are dropped. */
const maxKept = 200_000;

const keep = <Item>(kept: Item[], item: Item): void => {
  kept.push(item);
  if (kept.length > maxKept) kept.splice(0, kept.length - maxKept);
};

const tracedOperation = (service: string, request: IncomingMessage): string => {
  const query = request.url?.split('?', 2)[1] ?? '';
  if (service === 's3' && request.method === 'GET' && query.includes('list-type=')) return 'LIST';
  if (service === 's3' && request.method === 'POST' && /(^|&)delete/.test(query)) return 'DELETE';
  return operationOf(service, request);
};

/** Starts an empty trace. */
export const openRequestTrace = (): RequestTrace => {
  let requests: TracedRequest[] = [];
  let runs: TracedRun[] = [];
  let open = 0;
  return {
    request: (service, accessKeyId, request, response) => {
      const { socket } = request;
      const startMs = performance.now();
      const writtenBefore = socket.bytesWritten;
      open += 1;
      response.once('close', () => {
        open -= 1;
        keep(requests, {
          service,
          operation: tracedOperation(service, request),
          accessKeyId,
          path: request.url?.split('?', 1)[0] ?? '',
          startMs,
          endMs: performance.now(),
          requestBytes: Number(request.headers['content-length'] ?? 0),
          responseBytes: socket.bytesWritten - writtenBefore,
        });
      });
    },
    run: (run) => keep(runs, run),
    open: () => open,
    take: () => {
      const trace = { requests, runs };
      [requests, runs] = [[], []];
      return trace;
    },
  };
};
