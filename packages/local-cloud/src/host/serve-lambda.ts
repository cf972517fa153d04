import { setTimeout as delay } from 'node:timers/promises';
import type { AwsAnswer, AwsRequest } from '../endpoint/aws-request.ts';
import type { FunctionDefinition } from './function-definition.ts';
import type { FunctionHost } from './host-contracts.ts';
import type { RunOutcome } from './sandbox.ts';
import { eventLimitBytes, isTooLarge } from './payload-limits.ts';

const invokePath = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/;
const asynchronousRetryMs = [60_000, 120_000];

const refusal = (status: number, code: string, message: string): AwsAnswer => ({
  status,
  headers: { 'content-type': 'application/json', 'x-amzn-errortype': code },
  body: JSON.stringify({ Type: 'User', Message: message, message }),
});

/** Returns region and name of the function that a name, a partial or a whole ARN refers to. */
const resolve = (reference: string, region: string): { readonly region: string; readonly name: string } => {
  const parts = reference.split(':');
  const at = parts.indexOf('function');
  const name = at < 0 ? parts[0] : parts[at + 1];
  return { region: parts[0] === 'arn' ? (parts[3] ?? region) : region, name: name ?? '' };
};

/** Returns the payload of the response to an invocation. */
const outcomePayload = (outcome: RunOutcome): string => (outcome.ok ? outcome.payload : JSON.stringify(outcome.fault));

/** Invokes a function asynchronously. A run that fails is retried twice, as Lambda does. */
const invokeLater = async (host: FunctionHost, definition: FunctionDefinition, payload: string): Promise<void> => {
  for (const retryMs of [...asynchronousRetryMs, null]) {
    const { outcome } = await host.invoke(definition, payload);
    if (outcome.ok || retryMs === null) {
      return;
    }
    await delay(retryMs, undefined, { ref: false });
  }
};

const invokeNow = async (host: FunctionHost, definition: FunctionDefinition, payload: string): Promise<AwsAnswer> => {
  const { requestId, outcome } = await host.invoke(definition, payload);
  return {
    status: 200,
    headers: {
      'content-type': 'application/json',
      'x-amzn-requestid': requestId,
      'x-amz-executed-version': '$LATEST',
      ...(outcome.ok ? {} : { 'x-amz-function-error': 'Unhandled' }),
    },
    body: outcomePayload(outcome),
  };
};

/**
 * Handles Invoke. Returns null for any other operation.
 * https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
 */
export const serveLambda =
  (host: FunctionHost, accountId: string) =>
  async (request: AwsRequest): Promise<AwsAnswer | null> => {
    const [, sent] = invokePath.exec(request.path) ?? [];
    const type = request.headers['x-amz-invocation-type'] ?? 'RequestResponse';
    if (request.method !== 'POST' || sent === undefined || (type !== 'RequestResponse' && type !== 'Event')) {
      return null;
    }
    // Only a colon and a dollar sign are escaped in a name; no function has a name with another escape.
    const reference = sent.replaceAll(/%3A/gi, ':').replaceAll('%24', '$');
    const { region, name } = resolve(reference, request.region);
    request.authorize('lambda:InvokeFunction', `arn:aws:lambda:${region}:${accountId}:function:${name}`);
    const definition = host.find(region, name);
    if (definition === undefined) {
      return refusal(404, 'ResourceNotFoundException', `Function not found: ${reference}`);
    }
    const payload = request.body.toString() || '{}';
    if (isTooLarge(payload)) {
      const message = `Request must be smaller than ${eventLimitBytes} bytes for the InvokeFunction operation`;
      return refusal(413, 'RequestTooLargeException', message);
    }
    try {
      JSON.parse(payload);
    } catch {
      return refusal(400, 'InvalidRequestContentException', 'Could not parse request body into json');
    }
    if (type === 'Event') {
      void invokeLater(host, definition, payload);
      return { status: 202, headers: {}, body: '' };
    }
    return await invokeNow(host, definition, payload);
  };
