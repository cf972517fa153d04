/**
 * Runs upkeep every `periodMs` until the returned function is called. A failure, as on a full disk, is reported, and the
 * next period runs it again. No caller awaits it, so an error that escaped would end the whole service.
 */
export const repeatUpkeep = (
  upkeep: () => void | Promise<void>,
  periodMs: number,
  onError: (error: unknown) => void,
): (() => void) => {
  const timer = setInterval(() => void Promise.try(upkeep).catch(onError), periodMs).unref();
  return () => clearInterval(timer);
};
