import { isTransientStatus } from './http-status.ts';

/** Fields of an AWS SDK error that show its cause; https://docs.aws.amazon.com/sdk-for-javascript/v3/developer-guide */
export interface SdkError {
  readonly name: string;
  readonly message: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
  readonly $response?: { readonly headers?: Readonly<Record<string, string>> };
}

/**
 * Names of transient errors whose status is that of a client error. Bedrock returns a `ModelErrorException` with 424. A
 * transaction is cancelled by conflicts, since failed conditions are no errors.
 */
const transientNames =
  /Throttl|TooManyRequests|LimitExceeded|ProvisionedThroughputExceeded|ModelNotReady|ModelError|ServiceQuota|Transaction(?:Canceled|Conflict)/;

/** Whether a failed AWS call may succeed if it is retried: the service throttled it, failed or was unreachable. */
export const isTransient = ({ name, $metadata }: SdkError): boolean => {
  const status = $metadata?.httpStatusCode;
  // Without a status there was no response: a timeout, or a broken connection.
  if (status === undefined) return name !== 'CredentialsProviderError';
  return isTransientStatus(status) || transientNames.test(name);
};

/** Whether an error of any origin is a transient error of an AWS client. */
export const isTransientSdkError = (error: unknown): boolean =>
  error instanceof Error && '$metadata' in error && isTransient(error as SdkError);

/** Whether an AWS service rejected the input as invalid, such as an item that is too large. */
export const isRefusedInput = (error: unknown): boolean =>
  error instanceof Error && '$metadata' in error && error.name === 'ValidationException';
