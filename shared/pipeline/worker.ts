import type * as z from 'zod';
import type { Clock } from '../kernel/clock.ts';
import type { Deps, Uses } from '../kernel/capability.ts';
import type { Logger } from '../kernel/log.ts';
import type { QueueName } from '../kernel/names.ts';
import type { Sizing } from '../kernel/sizing.ts';

/** What a handler knows about its run. */
export interface Run {
  readonly clock: Clock;
  readonly log: Logger;
  /** Lambda's request id: one per invocation, a new one for each retry. */
  readonly invocationId: string;
  /** 1 for the first delivery of a message. */
  readonly attempt: number;
  /** Megabytes of memory that the function has. */
  readonly memoryMb: number;
  /** Milliseconds until the platform kills the run. */
  readonly remainingMs: () => number;
}

/** What a function works with during one run. */
export interface Turn<U extends Uses> {
  readonly deps: Deps<U>;
  readonly run: Run;
}

/** One queue message after validation. */
export interface Delivery<Message> {
  readonly message: Message;
  /** The queue's id of the message: hand it back to report that this one failed. */
  readonly messageId: string;
  readonly attempt: number;
}

/** Changes when a message that was received comes again, if ever. */
export interface QueueControl {
  /** Counts from now on; false where the message is not this run's any more. */
  hideFor(queueArn: string, receiptHandle: string, seconds: number): Promise<boolean>;
  /** Deletes the message at once; false where that failed, so that it comes again. */
  remove(queueArn: string, receiptHandle: string): Promise<boolean>;
}

/** How long a message stays with the run that received it, in timeouts of the run: longer than any run of it lasts. */
const visibilityFactor = 2;

/** The same on a FIFO queue, in seconds after the timeout: a message whose run was killed holds up its group as long. */
const orderedMarginSeconds = 5;

/** Seconds for which a queue hides a message that was received. */
export const visibilitySecondsOf = ({ timeoutSeconds, ordered }: Pick<Worker, 'timeoutSeconds' | 'ordered'>): number =>
  ordered === undefined ? visibilityFactor * timeoutSeconds : timeoutSeconds + orderedMarginSeconds;

interface WorkerShape<Message, U extends Uses> extends Sizing {
  readonly id: string;
  readonly summary: string;
  readonly queue: QueueName;
  readonly message: z.ZodType<Message>;
  readonly uses: U;
  /** What a line of the log says of a message in which ids do not stand by their names. */
  readonly about?: (message: Message) => Readonly<Record<string, unknown>>;
  /** Deliveries before the failure of a message is made final. */
  readonly attempts: number;
  /** Most messages per run, 1 to 10. */
  readonly batchSize: number;
  /** Most runs side by side, 2 to 1,000. */
  readonly maxConcurrency: number;
  /**
   * Handles the messages of one run, in order. Returns the ids of those that failed and are to come again;
   * a throw means all of them. May run twice for a message, die at any line, or run beside itself.
   */
  readonly handle: (
    input: Turn<U> & { readonly deliveries: readonly Delivery<Message>[] },
  ) => Promise<readonly string[]>;
  /** Makes the failure of a message final after its last attempt; called until it succeeds. */
  readonly onTerminal: (input: Turn<U> & { readonly message: Message }) => Promise<void>;
  /** For the worker of a FIFO queue, in place of `attempts` and `onTerminal`. */
  readonly ordered?: OrderedRetries<Message, U>;
}

/** Runs that were begun for one message alone, counted in a store that outlives a killed run. */
export interface RetryCount {
  /** The run that is about to begin is included. */
  readonly begun: number;
  /** When the first of them began. */
  readonly since: Date;
  /** Whether the run before this one noted that it failed transiently. */
  readonly isTransient: boolean;
}

/**
 * How a message that always fails leaves the group of a FIFO queue within minutes: after some attempts alone, more of them
 * while its failure is transient, one run reconciles it in its place. If that fails too, the message goes to a consumer outside the group.
 */
export interface OrderedRetries<Message, U extends Uses> {
  /** Counts a run that is about to begin for this message alone. */
  readonly countRetry: (
    input: Turn<U> & { readonly message: Message; readonly messageId: string },
  ) => Promise<RetryCount>;
  /** Returns whether a failure may pass by itself, such as throttling. */
  readonly isTransient: (error: unknown) => boolean;
  /** Notes that the run which was counted as this one failed transiently. */
  readonly noteTransient: (
    input: Turn<U> & { readonly message: Message; readonly messageId: string; readonly begun: number },
  ) => Promise<void>;
  /** Ends a message without applying it. Returns the message that the consumer outside has to go on with, null for none. */
  readonly reconcile: (input: Turn<U> & { readonly message: Message }) => Promise<Message | null>;
  /** Sends a message, validated or not, to the consumer outside. */
  readonly handOff: (input: Turn<U> & { readonly message: unknown }) => Promise<void>;
}

/** A function that a queue drives. */
// oxlint-disable-next-line typescript/no-explicit-any -- the registry holds workers of every message type
export type Worker = WorkerShape<any, any> & { readonly kind: 'worker' };

/** Defines a worker: its queue, message, permissions, retries and code in one value. */
export const worker = <Message, U extends Uses>(definition: WorkerShape<Message, U>): Worker => ({
  kind: 'worker',
  ...definition,
});

/** Defines the worker of a FIFO queue. */
export const orderedWorker = <Message, U extends Uses>(
  definition: Omit<WorkerShape<Message, U>, 'attempts' | 'onTerminal'> & {
    readonly ordered: OrderedRetries<Message, U>;
  },
): Worker => worker({ ...definition, attempts: Infinity, onTerminal: () => Promise.resolve() });

interface ServiceShape<Request, Response, U extends Uses> extends Sizing {
  readonly id: string;
  readonly summary: string;
  readonly scope: 'home' | 'region';
  /** Where the HTTP API leads to it, though it is none of the endpoints that clients call: the request is then its event. */
  readonly route?: { readonly method: 'POST'; readonly path: string };
  readonly request: z.ZodType<Request>;
  readonly uses: U;
  readonly handle: (input: Turn<U> & { readonly request: Request }) => Promise<Response>;
}

/** A function that other functions, or a partner of the service, call directly. */
// oxlint-disable-next-line typescript/no-explicit-any -- the registry holds services of every type
export type Service = ServiceShape<any, any, any> & { readonly kind: 'service' };

/** Defines a function that is called by Invoke. */
export const service = <Request, Response, U extends Uses>(
  definition: ServiceShape<Request, Response, U>,
): Service => ({ kind: 'service', ...definition });

interface ScheduleShape<U extends Uses> extends Sizing {
  readonly id: string;
  readonly summary: string;
  readonly scope: 'home' | 'region';
  readonly everyMinutes: number;
  readonly uses: U;
  readonly handle: (input: Turn<U>) => Promise<void>;
}

/** A function that the clock drives. */
// oxlint-disable-next-line typescript/no-explicit-any -- the registry holds schedules of every type
export type Schedule = ScheduleShape<any> & { readonly kind: 'schedule' };

/** Defines a function that runs every so many minutes. */
export const schedule = <U extends Uses>(definition: ScheduleShape<U>): Schedule => ({
  kind: 'schedule',
  ...definition,
});
