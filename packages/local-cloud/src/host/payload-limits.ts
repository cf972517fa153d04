import type { RunOutcome } from './sandbox.ts';

// https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
const answerLimitBytes = 6_291_556;
/** Maximum size of the event of a synchronous invocation, in bytes of JSON. */
export const eventLimitBytes = 6_291_456;

/** Whether an event exceeds the limit of a synchronous invocation. */
export const isTooLarge = (payload: string): boolean => Buffer.byteLength(payload) > eventLimitBytes;

/** Returns the outcome of a run as its caller gets it: a fault if the response is too large. */
export const limitPayload = (outcome: RunOutcome): RunOutcome =>
  outcome.ok && Buffer.byteLength(outcome.payload) > answerLimitBytes
    ? {
        ok: false,
        fault: {
          errorType: 'Function.ResponseSizeTooLarge',
          errorMessage: `Response payload size exceeded maximum allowed payload size (${answerLimitBytes} bytes).`,
        },
      }
    : outcome;
