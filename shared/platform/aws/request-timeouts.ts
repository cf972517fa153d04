const connectionTimeout = 2_000;

/**
 * Returns the timeouts of a client. Without them, a request on a silently broken connection lasts as long as the run.
 * Connections break this way while a function is frozen. A request that times out is retried by the client.
 * @param requestTimeout Milliseconds from a request to the headers of its response.
 */
export const requestTimeouts = (requestTimeout: number) => ({
  connectionTimeout,
  requestTimeout,
  throwOnRequestTimeout: true,
});
