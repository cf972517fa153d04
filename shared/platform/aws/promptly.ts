/**
 * Bounds of requests: without them, one on a connection that broke without a word, such as while the function was frozen,
 * lasts as long as the run. A request that takes longer fails, and the client repeats it.
 */
export const promptly = (requestTimeout: number) => ({
  connectionTimeout: 2_000,
  requestTimeout,
  throwOnRequestTimeout: true,
});
