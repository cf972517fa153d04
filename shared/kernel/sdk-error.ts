import { isTransientStatus } from './http-status.ts';

/** What of an error of the AWS SDK tells how it came about; https://docs.aws.amazon.com/sdk-for-javascript/v3/developer-guide */
export interface SdkError {
  readonly name: string;
  readonly message: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
  readonly $response?: { readonly headers?: Readonly<Record<string, string>> };
}

const throttles = /Throttl|TooManyRequests|LimitExceeded|ProvisionedThroughputExceeded|ModelNotReady|ServiceQuota/;

/**
 * Whether a call of an AWS client that failed with this error may succeed when it is made again: the service was throttled,
 * in trouble or not reached.
 */
export const isTransient = ({ name, $metadata }: SdkError): boolean => {
  const status = $metadata?.httpStatusCode;
  // Without a status there was no answer: a timeout, or a connection that broke.
  if (status === undefined) return name !== 'CredentialsProviderError';
  return isTransientStatus(status) || throttles.test(name);
};

/** The same of an error that may come from anywhere; false where it is not of an AWS client. */
export const isTransientSdkError = (error: unknown): boolean =>
  error instanceof Error && '$metadata' in error && isTransient(error as SdkError);

/** Whether a service of AWS takes what it was given for no valid request, such as an item that is too large. */
export const isRefusedInput = (error: unknown): boolean =>
  error instanceof Error && '$metadata' in error && error.name === 'ValidationException';
