import { InvokeCommand } from '@aws-sdk/client-lambda';
import type { Runtime } from '../../kernel/capability.ts';
import { answerTooLarge, unavailable } from '../../kernel/errors.ts';
import { functionName } from '../../kernel/names.ts';
import { lambdaClient } from './lambda-client.ts';

/** How Lambda says that a function's answer was too large to be handed on. */
const tooLarge = 'Function.ResponseSizeTooLarge';

/** A service function that failed; what it said of that is for the log. */
export class FunctionFault extends Error {
  private readonly answer: string;

  constructor(id: string, answer: string) {
    super(`${id}: ${answer.slice(0, 2000)}`);
    this.name = 'FunctionFault';
    this.answer = answer;
  }

  /** Whether what the function threw had this name. */
  isOf(name: string): boolean {
    return this.answer.includes(`"${name}"`);
  }
}

/** Shorter than an endpoint may run, which is to tell its caller when the answer is late. */
const timeoutMs = 27_000;

/**
 * Calls a service function and waits for its answer. Throws `FunctionFault` where it failed, `unavailable` where it took 27
 * seconds, and `payload_too_large` where its answer was too large.
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
