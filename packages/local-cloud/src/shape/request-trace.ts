import type { IncomingMessage, ServerResponse } from 'node:http';
import { operationOf } from '../endpoint/request-counts.ts';

/** Milliseconds since 1970, with fractions, by a clock that every process of the machine has. */
export const preciseNowMs = (): number => performance.timeOrigin + performance.now();

/** A completed request to an AWS service. All times of a trace are of `preciseNowMs`. */
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
  /** When the host had the event, and when it had the response. */
  readonly startMs: number;
  readonly endMs: number;
  /** When the handler began and ended; undefined for a run that a crash or a timeout ended. */
  readonly handler: HandlerSpan | undefined;
}

/** When a handler began and ended. */
export interface HandlerSpan {
  readonly startMs: number;
  readonly endMs: number;
}

/** A request to the HTTP API. */
export interface TracedCall {
  /** `METHOD /path/{parameter}`. */
  readonly route: string;
  /** When the gateway had its headers, had its event, had the outcome, and had sent the response. */
  readonly startMs: number;
  readonly eventMs: number;
  readonly outcomeMs: number;
  readonly endMs: number;
}

/** Calls, requests and runs since the trace was last read. */
interface Trace {
  readonly calls: readonly TracedCall[];
  readonly requests: readonly TracedRequest[];
  readonly runs: readonly TracedRun[];
}

/** Records calls, requests and runs until they are read. */
export interface RequestTrace {
  readonly request: (service: string, accessKeyId: string, request: IncomingMessage, response: ServerResponse) => void;
  readonly run: (run: TracedRun) => void;
  readonly call: (call: TracedCall) => void;
  /** Returns the number of requests without a response so far. */
  readonly open: () => number;
  /** Returns the recorded trace and clears it. */
  readonly take: () => Trace;
}

/** Maximum of recorded calls, requests and runs; beyond it, the oldest are dropped. */
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
  let calls: TracedCall[] = [];
  let open = 0;
  return {
    request: (service, accessKeyId, request, response) => {
      const { socket } = request;
      const startMs = preciseNowMs();
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
          endMs: preciseNowMs(),
          requestBytes: Number(request.headers['content-length'] ?? 0),
          responseBytes: socket.bytesWritten - writtenBefore,
        });
      });
    },
    run: (run) => keep(runs, run),
    call: (call) => keep(calls, call),
    open: () => open,
    take: () => {
      const trace = { calls, requests, runs };
      [calls, requests, runs] = [[], [], []];
      return trace;
    },
  };
};
