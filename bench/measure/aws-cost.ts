import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { sequentialRounds } from '#local-cloud';
import type { Service } from '../peers/service.ts';

type Local = Pick<Service, 'call'>;

const TracedRequest = z
  .object({
    service: z.string(),
    operation: z.string(),
    caller: z.string(),
    path: z.string(),
    start_ms: z.number(),
    end_ms: z.number(),
    request_bytes: z.number(),
    response_bytes: z.number(),
  })
  .transform(({ start_ms: startMs, end_ms: endMs, request_bytes: sent, response_bytes: received, ...request }) => ({
    ...request,
    startMs,
    endMs,
    bytes: sent + received,
  }));
type TracedRequest = z.output<typeof TracedRequest>;

const Trace = z.object({
  open_requests: z.number(),
  running: z.array(z.string()),
  messages: z.number(),
  runs: z.array(z.object({ function: z.string(), cold: z.boolean() })),
  requests: z.array(TracedRequest),
});
type Trace = z.output<typeof Trace>;

/** Requests and time of one operation, including the work that it triggers. */
export interface AwsCost {
  /** Reason of a failed operation; null if it succeeded. */
  readonly failure: string | null;
  /** Time until the caller had the response. */
  readonly ms: number;
  /** Requests of functions, by service and operation, such as `s3.GET`. */
  readonly requests: Readonly<Record<string, number>>;
  /** Length of the longest chain of requests that waited for each other. */
  readonly rounds: number;
  /** Bytes to and from S3. */
  readonly s3Bytes: number;
  readonly coldStarts: number;
  readonly traced: readonly TracedRequest[];
}

/** Whether a function is scheduled. Its requests belong to no operation. */
const isScheduled = (name: string): boolean => /(^|-)sweep/.test(name);

const isQuiet = ({ open_requests: open, running, messages, runs, requests }: Trace): boolean =>
  open + messages + runs.length + requests.length + running.filter((id) => !isScheduled(id)).length === 0;

/** Waits until no function runs and no message waits, except delayed ones. Returns the trace of that time. */
const waitUntilIdle = async (service: Local): Promise<Pick<Trace, 'requests' | 'runs'>> => {
  const found: Trace[] = [];
  // Twice in a row, because a completed message may have sent the next one.
  for (let quiet = 0; quiet < 2; await delay(5)) {
    const trace = Trace.parse(await service.call('POST', '/_local/trace'));
    quiet = isQuiet(trace) ? quiet + 1 : 0;
    found.push(trace);
  }
  return { requests: found.flatMap(({ requests }) => requests), runs: found.flatMap(({ runs }) => runs) };
};

/** Requests by service and operation, the most frequent first. */
const countRequests = (requests: readonly TracedRequest[]): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [...Map.groupBy(requests, ({ service, operation }) => `${service}.${operation}`)]
      .map(([name, same]): readonly [string, number] => [name, same.length])
      .toSorted(([, one], [, other]) => other - one),
  );

/** Runs an action and counts its requests to AWS. No other work may be going on. */
export const measureCost = async (service: Local, act: () => Promise<unknown>): Promise<AwsCost> => {
  await waitUntilIdle(service);
  const startMs = performance.now();
  let failure: string | null = null;
  try {
    await act();
  } catch (error) {
    failure = String(error);
  }
  const ms = performance.now() - startMs;
  const { requests, runs } = await waitUntilIdle(service);
  const traced = requests.filter(({ caller }) => caller !== 'operator' && caller !== '' && !isScheduled(caller));
  const ofStore = traced.filter(({ service: name }) => name === 's3');
  return {
    failure,
    ms,
    requests: countRequests(traced),
    rounds: sequentialRounds(traced),
    s3Bytes: ofStore.reduce((sum, { bytes }) => sum + bytes, 0),
    coldStarts: runs.filter(({ cold, function: id }) => cold && !isScheduled(id)).length,
    traced,
  };
};

/** Returns the number of requests to a service, or to some of its operations. */
export const requestsOf = ({ requests }: Pick<AwsCost, 'requests'>, service: string, operation = ''): number =>
  Object.entries(requests).reduce(
    (sum, [name, count]) =>
      name === `${service}.${operation}` || (operation === '' && name.startsWith(`${service}.`)) ? sum + count : sum,
    0,
  );
