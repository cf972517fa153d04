/**
 * Does upkeep every `periodMs` until the function that it answers is called. One that fails, as on a full disk, is told
 * of and done again at its next time: nobody waits for it, so its error would end the whole service.
 */
export const repeatUpkeep = (
  upkeep: () => void | Promise<void>,
  periodMs: number,
  onError: (error: unknown) => void,
): (() => void) => {
  const timer = setInterval(() => void Promise.try(upkeep).catch(onError), periodMs).unref();
  return () => clearInterval(timer);
};
