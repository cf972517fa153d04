const firstRetrySeconds = 2;
const longestRetrySeconds = 60;

/** @param failures How often in a row a message has failed, at least once. */
export const retrySeconds = (failures: number): number =>
  Math.min(longestRetrySeconds, firstRetrySeconds * 2 ** (failures - 1));
