import { InvokeCommand } from '@aws-sdk/client-lambda';
import type { Runtime } from '../../kernel/capability.ts';
import { answerTooLarge, unavailable } from '../../kernel/errors.ts';
import { functionName } from '../../kernel/names.ts';
import { lambdaClient } from './lambda-client.ts';

/** Lambda's error type for a response that is too large. */
const tooLarge = 'Function.ResponseSizeTooLarge';

/** A service function that failed. Its error payload is for the log. */
export class FunctionFault extends Error {
  private readonly payload: string;

  constructor(id: string, payload: string) {
    super(`${id}: ${payload.slice(0, 2000)}`);
    this.name = 'FunctionFault';
    this.payload = payload;
  }

  /** Whether the function threw an error with this name. */
  isOf(name: string): boolean {
    return this.payload.includes(`"${name}"`);
  }
}

/** Timeout of a call, shorter than that of an endpoint, which must still respond to its caller. */
const timeoutMs = 27_000;

/**
 * Invokes a service function and returns its response.
 * Throws `FunctionFault` if it failed, `unavailable` after 27 seconds, and `payload_too_large` if its response was too
 * large.
 */
export const invoke = async (runtime: Runtime, region: string, id: string, request: unknown): Promise<unknown> => {
  const FunctionName = functionName(runtime.config.deployment, id);
  const command = new InvokeCommand({ FunctionName, Payload: JSON.stringify(request) });
  const abortSignal = AbortSignal.timeout(timeoutMs);
  const answered = lambdaClient(region).send(command, { abortSignal });
  const { Payload, FunctionError } = await answered.catch((error: unknown) => {
    throw abortSignal.aborted ? unavailable(error) : error;
  });
  const text = Payload === undefined ? 'null' : new TextDecoder().decode(Payload);
  if (FunctionError !== undefined) {
    const fault = new FunctionFault(id, text);
    throw fault.isOf(tooLarge) ? answerTooLarge() : fault;
  }
  return JSON.parse(text);
};
