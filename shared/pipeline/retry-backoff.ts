const firstRetrySeconds = 2;
const longestRetrySeconds = 60;

/** Returns the seconds until a message is retried, with exponential backoff. @param failures Failures in a row, at least 1. */
export const retrySeconds = (failures: number): number =>
  Math.min(longestRetrySeconds, firstRetrySeconds * 2 ** (failures - 1));
