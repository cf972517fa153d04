import type { Fault } from './emulated-cloud.ts';

/** Requests that are points to die at. With a step of 1 these are all requests. */
interface Points {
  readonly step: number;
  /** First request whose reply is lost. None is lost if the work ends before it. */
  readonly lostFrom?: number;
}

/**
 * Goes through the points at which work can die, by a request that is not applied or whose reply is lost, until the
 * work ends before it gets there. A failure names its point.
 * @param run Lets the work die at a point, checks what is left, and says whether it got that far.
 * @returns How many points there were.
 */
export const everyPoint = async (
  { step, lostFrom = 1 }: Points,
  run: (fault: Fault) => Promise<boolean>,
): Promise<number> => {
  let points = 0;
  let end = Number.POSITIVE_INFINITY;
  for (const [kind, first] of [
    ['not applied', 1],
    ['reply lost', step === 1 ? 1 : lostFrom],
  ] as const) {
    // A sample runs the work once without a fault: the second time would show nothing new.
    for (let request = first, reached = true; reached && request < end; request += step) {
      try {
        reached = await run({ request, kind });
      } catch (error) {
        throw new Error(`died at request ${request}, ${kind}`, { cause: error });
      }
      if (!reached && step > 1) end = Math.min(end, request);
      points += 1;
    }
  }
  return points;
};
