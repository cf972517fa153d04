import type * as z from 'zod';
import type { Clock } from '../kernel/clock.ts';
import type { Deps, Uses } from '../kernel/capability.ts';
import type { Logger } from '../kernel/log.ts';
import type { QueueName } from '../kernel/names.ts';
import type { Sizing } from '../kernel/sizing.ts';

/** Context of one run of a handler. */
export interface Run {
  readonly clock: Clock;
  readonly log: Logger;
  /** Lambda's request id: one per invocation, a new one for each retry. */
  readonly invocationId: string;
  /** 1 for the first delivery of a message. */
  readonly attempt: number;
  /** Memory of the function in megabytes. */
  readonly memoryMb: number;
  /** Milliseconds until the platform kills the run. */
  readonly remainingMs: () => number;
}

/** Dependencies and context of one run. */
export interface RunContext<U extends Uses> {
  readonly deps: Deps<U>;
  readonly run: Run;
}

/** One queue message after validation. */
export interface Delivery<Message> {
  readonly message: Message;
  /** Id of the message in the queue, which a handler returns if the message failed. */
  readonly messageId: string;
  readonly attempt: number;
}

/** Controls the visibility of received messages. */
export interface QueueControl {
  /** Hides a message for this many seconds from now. Returns false if the run does not hold the message any more. */
  hideFor(queueArn: string, receiptHandle: string, seconds: number): Promise<boolean>;
  /** Deletes a message. Returns false if that failed, so that the queue delivers it again. */
  remove(queueArn: string, receiptHandle: string): Promise<boolean>;
}

/** Visibility timeout of a queue, in timeouts of the function. Lambda requires one that is longer than any run. */
const visibilityFactor = 2;

/** The same on a FIFO queue, in seconds beyond the timeout. A message of a killed run blocks its group for that time. */
const orderedMarginSeconds = 5;

/** Returns the visibility timeout of a queue in seconds. */
export const visibilitySecondsOf = ({ timeoutSeconds, ordered }: Pick<Worker, 'timeoutSeconds' | 'ordered'>): number =>
  ordered === undefined ? visibilityFactor * timeoutSeconds : timeoutSeconds + orderedMarginSeconds;

/** Seconds for which a long run hides its messages at a time. If it dies, they are visible again at the end of that time. */
export const renewedSeconds = 60;

/** Milliseconds between two renewals. Two may fail, or be late, before a message is visible again. */
export const renewalMs = 20_000;

/**
 * Whether the runs of a worker renew the visibility timeout of their messages. In a group of a FIFO queue, an early second
 * run would pass the first, so those queues do without.
 */
export const renewsVisibility = (worker: Pick<Worker, 'timeoutSeconds' | 'ordered'>): boolean =>
  worker.ordered === undefined && visibilitySecondsOf(worker) > 2 * renewedSeconds;

interface WorkerShape<Message, U extends Uses> extends Sizing {
  readonly id: string;
  readonly summary: string;
  readonly queue: QueueName;
  readonly message: z.ZodType<Message>;
  readonly uses: U;
  /** Returns the fields that identify a message in the log, if its ids have other names. */
  readonly about?: (message: Message) => Readonly<Record<string, unknown>>;
  /** Deliveries before the retries of a message are exhausted. */
  readonly attempts: number;
  /** Maximum messages of a run, 1 to 10. */
  readonly batchSize: number;
  /** Maximum concurrent runs, 2 to 1,000. */
  readonly maxConcurrency: number;
  /**
   * Processes the messages of one run, in order. Returns the ids of failed messages, which are retried; an error means
   * all of them. It may run twice for a message, die at any line, or run concurrently with itself.
   */
  readonly handle: (
    input: RunContext<U> & { readonly deliveries: readonly Delivery<Message>[] },
  ) => Promise<readonly string[]>;
  /** Records the failure of a message whose retries are exhausted. Called until it succeeds. */
  readonly onExhausted: (input: RunContext<U> & { readonly message: Message }) => Promise<void>;
  /** Retries of the worker of a FIFO queue, in place of `attempts` and `onExhausted`. */
  readonly ordered?: OrderedRetries<Message, U>;
}

/** Count of the runs for one message alone, in a store that survives killed runs. */
export interface RetryCount {
  /** Runs, including the one that is about to begin. */
  readonly begun: number;
  /** Runs that failed. The others before this one were killed. */
  readonly failed: number;
  /** Start of the first run. */
  readonly since: Date;
}

/**
 * Retry policy of a FIFO queue, by which a poison message leaves its group within minutes. It is attempted alone for a
 * while, and then ended.
 */
export interface OrderedRetries<Message, U extends Uses> {
  /** Counts a run that is about to begin for a message alone. */
  readonly countRetry: (
    input: RunContext<U> & { readonly message: Message; readonly messageId: string },
  ) => Promise<RetryCount>;
  /** Records that a counted run failed. */
  readonly noteFailure: (
    input: RunContext<U> & { readonly message: Message; readonly messageId: string },
  ) => Promise<void>;
  /**
   * Ends a poison message, validated or not, without applying it.
   * @param mayLookUp False if that has killed a run, or if the message cannot be read.
   */
  readonly endPoison: (
    input: RunContext<U> & { readonly message: unknown; readonly mayLookUp: boolean },
  ) => Promise<void>;
}

/** Function that processes the messages of a queue. */
// oxlint-disable-next-line typescript/no-explicit-any -- the registry holds workers of every message type
export type Worker = WorkerShape<any, any> & { readonly kind: 'worker' };

/** Defines a worker: its queue, message, permissions, retries and code in one value. */
export const worker = <Message, U extends Uses>(definition: WorkerShape<Message, U>): Worker => ({
  kind: 'worker',
  ...definition,
});

/** Defines the worker of a FIFO queue. */
export const orderedWorker = <Message, U extends Uses>(
  definition: Omit<WorkerShape<Message, U>, 'attempts' | 'onExhausted'> & {
    readonly ordered: OrderedRetries<Message, U>;
  },
): Worker => worker({ ...definition, attempts: Infinity, onExhausted: () => Promise.resolve() });

interface ServiceShape<Request, Response, U extends Uses> extends Sizing {
  readonly id: string;
  readonly summary: string;
  readonly scope: 'home' | 'region';
  /** Route of the HTTP API that invokes the service, if it has one. The request is then the event of the API. */
  readonly route?: { readonly method: 'POST'; readonly path: string };
  readonly request: z.ZodType<Request>;
  readonly uses: U;
  readonly handle: (input: RunContext<U> & { readonly request: Request }) => Promise<Response>;
}

/** Function that other functions or a partner service invoke. */
// oxlint-disable-next-line typescript/no-explicit-any -- the registry holds services of every type
export type Service = ServiceShape<any, any, any> & { readonly kind: 'service' };

/** Defines a function that is invoked directly. */
export const service = <Request, Response, U extends Uses>(
  definition: ServiceShape<Request, Response, U>,
): Service => ({ kind: 'service', ...definition });

interface ScheduleShape<U extends Uses> extends Sizing {
  readonly id: string;
  readonly summary: string;
  readonly scope: 'home' | 'region';
  readonly everyMinutes: number;
  readonly uses: U;
  readonly handle: (input: RunContext<U>) => Promise<void>;
}

/** Function that runs on a schedule. */
// oxlint-disable-next-line typescript/no-explicit-any -- the registry holds schedules of every type
export type Schedule = ScheduleShape<any> & { readonly kind: 'schedule' };

/** Defines a function that runs every `everyMinutes` minutes. */
export const schedule = <U extends Uses>(definition: ScheduleShape<U>): Schedule => ({
  kind: 'schedule',
  ...definition,
});
