import { setTimeout as pause } from 'node:timers/promises';
import { isTransientStatus } from '../../kernel/http-status.ts';
import { retryAfterSeconds } from '../../kernel/retry-after.ts';
import { isTransient, type SdkError } from '../../kernel/sdk-error.ts';

/** By this name whoever called a function knows that the model which that asked refuses. */
export const modelRefusal = 'ModelRefusal';

/** A request to a model that failed. */
export class ModelFault extends Error {
  /** Whether the same request may succeed later: too many requests, a fault of the server, no answer in time. */
  readonly isTransient: boolean;
  /** What the model's server asked for. */
  readonly retryAfterSeconds: number | null;
  /** HTTP status of the answer; null where there was none, or one that means nothing. */
  readonly status: number | null;

  constructor(
    message: string,
    options: {
      readonly isTransient: boolean;
      readonly retryAfterSeconds?: number | null;
      readonly status?: number | undefined;
      readonly cause?: unknown;
    },
  ) {
    super(message, { cause: options.cause });
    this.name = options.isTransient ? 'ModelFault' : modelRefusal;
    this.isTransient = options.isTransient;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
    this.status = options.status ?? null;
  }
}

/** How requests to one model are repeated and withheld. */
export interface CallPolicy {
  /** Requests at most, the first included. */
  readonly attempts: number;
  /** Upper bound of the first pause; it doubles each time. */
  readonly firstPauseMs: number;
  readonly maxPauseMs: number;
  /** Passing faults in a row after which no request is sent for a while. */
  readonly failureThreshold: number;
  readonly openMs: number;
  readonly nowMs: () => number;
  /** 0 to 1. */
  readonly random: () => number;
  readonly pause: (ms: number) => Promise<unknown>;
}

export const defaultCallPolicy: CallPolicy = {
  attempts: 4,
  firstPauseMs: 400,
  maxPauseMs: 10_000,
  failureThreshold: 8,
  openMs: 15_000,
  nowMs: () => performance.now(),
  random: Math.random,
  pause,
};

/**
 * Withholds requests from a model that keeps failing. When its time is over, one request goes through as a probe: its
 * success opens the way, its fault closes it again.
 */
const createBreaker = ({ failureThreshold, openMs, nowMs }: CallPolicy) => {
  let faults = 0;
  let openUntilMs = Number.NEGATIVE_INFINITY;
  return {
    enter: (): void => {
      if (faults < failureThreshold) return;
      if (nowMs() < openUntilMs)
        throw new ModelFault('the model keeps failing and is left alone', { isTransient: true });
      // Whoever comes while the probe is under way finds the way closed.
      openUntilMs = nowMs() + openMs;
    },
    succeed: (): void => {
      faults = 0;
    },
    fail: (): void => {
      faults += 1;
      openUntilMs = nowMs() + openMs;
    },
  };
};

const pauseOf = (policy: CallPolicy, attempt: number, fault: ModelFault): number => {
  const jittered = policy.random() * Math.min(policy.maxPauseMs, policy.firstPauseMs * 2 ** (attempt - 1));
  return Math.max(jittered, (fault.retryAfterSeconds ?? 0) * 1_000);
};

/**
 * Sends requests to one model: passing faults are repeated after a random pause (full jitter), or the one that the server
 * asks for where it is not too long. Throws the last `ModelFault`.
 * https://aws.amazon.com/builders-library/timeouts-retries-and-backoff-with-jitter
 */
export const createCaller = (policy: CallPolicy) => {
  const breaker = createBreaker(policy);
  const once = async <Result>(request: () => Promise<Result>): Promise<Result> => {
    breaker.enter();
    try {
      const result = await request();
      breaker.succeed();
      return result;
    } catch (error) {
      if (error instanceof ModelFault && error.isTransient) breaker.fail();
      throw error;
    }
  };
  return async <Result>(request: () => Promise<Result>): Promise<Result> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await once(request);
      } catch (error) {
        if (!(error instanceof ModelFault) || !error.isTransient || attempt >= policy.attempts) throw error;
        const ms = pauseOf(policy, attempt, error);
        if (ms > policy.maxPauseMs) throw error;
        await policy.pause(ms);
      }
    }
  };
};

/** The fault of an answer that is no success. */
export const statusFault = (what: string, status: number, retryAfter: number | null = null): ModelFault =>
  new ModelFault(`${what} answered ${status}`, {
    isTransient: isTransientStatus(status),
    retryAfterSeconds: retryAfter,
    status,
  });

/** Whether a host has no address: the service is not in this region, or the name of it is wrong. No pause changes that. */
export const isUnknownHost = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOTFOUND';

/** The fault behind what an AWS client threw. */
export const sdkFault = (what: string, error: unknown, now: Date): ModelFault => {
  // Whatever an AWS client throws has these, or lacks them where there was no answer.
  const fault = error as SdkError;
  const { name, message, $metadata, $response } = fault;
  return new ModelFault(`${what}: ${name}: ${message}`, {
    isTransient: isTransient(fault) && !isUnknownHost(error),
    retryAfterSeconds: retryAfterSeconds($response?.headers?.['retry-after'], now),
    status: $metadata?.httpStatusCode,
    cause: error,
  });
};
