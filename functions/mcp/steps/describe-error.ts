import { AppError, unavailable, ValidationFailure } from '../../../shared/kernel/errors.ts';
import type { Logger } from '../../../shared/kernel/log.ts';
import { isTransientSdkError } from '../../../shared/kernel/sdk-error.ts';

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

const waitOf = ({ headers }: AppError): string => {
  const seconds = headers['retry-after'];
  return seconds === undefined ? '' : ` Try again after ${seconds} seconds.`;
};

/** Describes an error to a model and its user, with the request id. Logs an error that is not the caller's. */
export const describeError = (thrown: unknown, requestId: string, log: Logger): string => {
  const reference = `(request ${requestId})`;
  if (thrown instanceof ValidationFailure) {
    const problems = thrown.problems.map(({ loc, msg }) => `${loc.slice(1).join('.') || 'arguments'}: ${msg}`);
    return `The arguments are not valid: ${problems.join('; ')} ${reference}`;
  }
  const error = isTransientSdkError(thrown) ? unavailable(thrown) : thrown;
  if (error instanceof AppError && error.code !== 'internal')
    return `${sentence(error.message)}${waitOf(error)} (${error.code}, request ${requestId})`;
  log.error('mcp.request.failed', { request_id: requestId, error });
  return `The service failed to answer. The operator can find the cause by the request id. ${reference}`;
};
