import type { RunOutcome } from './function-process.ts';

// https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
const answerLimitBytes = 6_291_556;
/** Most that the event of a run may take that somebody waits for, as JSON. */
export const eventLimitBytes = 6_291_456;

/** Whether an event is more than a function can be handed. */
export const isTooLarge = (payload: string): boolean => Buffer.byteLength(payload) > eventLimitBytes;

/** The outcome of a run as its caller gets it: one whose answer is too large to be handed on has failed. */
export const handedOn = (outcome: RunOutcome): RunOutcome =>
  outcome.ok && Buffer.byteLength(outcome.payload) > answerLimitBytes
    ? {
        ok: false,
        fault: {
          errorType: 'Function.ResponseSizeTooLarge',
          errorMessage: `Response payload size exceeded maximum allowed payload size (${answerLimitBytes} bytes).`,
        },
      }
    : outcome;
