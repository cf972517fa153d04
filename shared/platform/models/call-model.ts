import { setTimeout as pause } from 'node:timers/promises';
import { isTransientStatus } from '../../kernel/http-status.ts';
import { retryAfterSeconds } from '../../kernel/retry-after.ts';
import { isTransient, type SdkError } from '../../kernel/sdk-error.ts';

/** Error name by which the caller of a function recognizes that its model rejects the request. */
export const modelRefusal = 'ModelRefusal';

/** A failed request to a model. */
export class ModelFault extends Error {
  /** Whether the same request may succeed later: too many requests, a server error, or a timeout. */
  readonly isTransient: boolean;
  /** Wait that the server requested, in seconds. */
  readonly retryAfterSeconds: number | null;
  /** HTTP status; null if there was no response, or one without meaning. */
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

/** Retry and circuit breaker policy of one model. */
export interface CallPolicy {
  /** Maximum attempts, including the first. */
  readonly attempts: number;
  /** Upper limit of the first pause; it doubles with each attempt. */
  readonly firstPauseMs: number;
  readonly maxPauseMs: number;
  /** Consecutive transient errors that open the circuit breaker. */
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
 * Circuit breaker of a model. After its open period one request goes through as a probe: success closes it, failure
 * opens it again.
 */
const createBreaker = ({ failureThreshold, openMs, nowMs }: CallPolicy) => {
  let faults = 0;
  let openUntilMs = Number.NEGATIVE_INFINITY;
  return {
    enter: (): void => {
      if (faults < failureThreshold) return;
      if (nowMs() < openUntilMs)
        throw new ModelFault('The circuit breaker of the model is open after repeated failures', { isTransient: true });
      // Requests during the probe find the breaker open.
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
 * Creates the caller of one model. Transient errors are retried after a random pause (full jitter).
 * A pause that the server requests is used unless it is too long. Throws the last `ModelFault`.
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

/** Returns the error of an unsuccessful response. */
export const statusFault = (what: string, status: number, retryAfter: number | null = null): ModelFault =>
  new ModelFault(`${what} responded with status ${status}`, {
    isTransient: isTransientStatus(status),
    retryAfterSeconds: retryAfter,
    status,
  });

/** Whether a host has no address: the service is not in this region, or its name is wrong. A retry does not help. */
export const isUnknownHost = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOTFOUND';

/** Converts an error of an AWS client. */
export const sdkFault = (what: string, error: unknown, now: Date): ModelFault => {
  // Errors of AWS clients have these fields, unless there was no response.
  const fault = error as SdkError;
  const { name, message, $metadata, $response } = fault;
  return new ModelFault(`${what}: ${name}: ${message}`, {
    isTransient: isTransient(fault) && !isUnknownHost(error),
    retryAfterSeconds: retryAfterSeconds($response?.headers?.['retry-after'], now),
    status: $metadata?.httpStatusCode,
    cause: error,
  });
};
