/** What of an error of the AWS SDK tells how it came about; https://docs.aws.amazon.com/sdk-for-javascript/v3/developer-guide */
interface SdkError extends Error {
  readonly $metadata: { readonly httpStatusCode?: number };
}

const throttles = /Throttl|TooManyRequests|LimitExceeded|ProvisionedThroughputExceeded|ModelNotReady|ServiceQuota/;

const isSdkError = (error: unknown): error is SdkError => error instanceof Error && '$metadata' in error;

/** Whether an answer of this HTTP status may be another one soon. */
export const isPassingStatus = (status: number): boolean => status === 408 || status === 429 || status >= 500;

/**
 * Whether a call of an AWS client that failed may succeed when it is made again: the service was throttled, in trouble or
 * not reached. False for any other error.
 */
export const isPassingSdkError = (error: unknown): boolean => {
  if (!isSdkError(error)) return false;
  const { name, $metadata } = error;
  const { httpStatusCode: status } = $metadata;
  // Without a status there was no answer: a timeout, or a connection that broke.
  if (status === undefined) return name !== 'CredentialsProviderError';
  return isPassingStatus(status) || throttles.test(name);
};
