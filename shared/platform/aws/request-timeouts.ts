const connectionTimeout = 2_000;

/**
 * Bounds of the requests of a client. Without them, a request on a connection that broke without a word, such as while the
 * function was frozen, lasts as long as the run; with them it fails, and the client repeats it.
 * @param requestTimeout Milliseconds from a request to the head of its answer.
 */
export const requestTimeouts = (requestTimeout: number) => ({
  connectionTimeout,
  requestTimeout,
  throwOnRequestTimeout: true,
});
