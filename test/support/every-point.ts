import type { Fault } from './emulated-cloud.ts';

/** Which requests are points to die at: every so many-th, of those whose reply is lost from the given one on. */
interface Points {
  readonly step: number;
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
  for (const [kind, first] of [
    ['not applied', 1],
    // A walk that takes every request leaves none out.
    ['reply lost', Math.min(lostFrom, step)],
  ] as const) {
    for (let request = first, reached = true; reached; request += step) {
      try {
        reached = await run({ request, kind });
      } catch (error) {
        throw new Error(`died at request ${request}, ${kind}`, { cause: error });
      }
      points += 1;
    }
  }
  return points;
};
