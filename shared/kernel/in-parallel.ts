/**
 * Processes inputs with a concurrency limit; results are in order. After a failure no further input is started.
 * The first error is thrown once all running work has ended.
 */
export const inParallel = async <Input, Output>(
  inputs: readonly Input[],
  atOnce: number,
  work: (input: Input) => Promise<Output>,
): Promise<readonly Output[]> => {
  const outputs = new Map<number, Output>();
  const errors: unknown[] = [];
  const waiting = inputs.entries();
  const lane = async (): Promise<void> => {
    for (const [at, input] of waiting) {
      try {
        outputs.set(at, await work(input));
      } catch (error) {
        errors.push(error);
      }
      if (errors.length > 0) return;
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, inputs.length) }, lane));
  if (errors.length > 0) throw errors[0];
  return [...outputs].toSorted(([a], [b]) => a - b).map(([, output]) => output);
};
