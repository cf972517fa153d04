import type { IncomingMessage, ServerResponse } from 'node:http';
import * as z from 'zod';
import { errorResponse } from '../../../../shared/http/response.ts';
import { type Clock, systemClock } from '../../../../shared/kernel/clock.ts';
import { AppError, type ErrorCode } from '../../../../shared/kernel/errors.ts';
import { newId } from '../../../../shared/kernel/ids.ts';
import { BodyTooLarge, drainBody, readBody } from '../endpoint/read-body.ts';
import type { FunctionDefinition } from '../host/function-definition.ts';
import type { FunctionHost } from '../host/host-contracts.ts';
import { eventLimitBytes, isTooLarge } from '../host/payload-limits.ts';
import { hasDied, hasNotStarted, type RunOutcome } from '../host/sandbox.ts';
import type { FunctionFault } from '../host/messages.ts';
import type { DiskWatch } from '../data/disk-watch.ts';
import { preciseNowMs, type RequestTrace } from '../shape/request-trace.ts';
import type { ApiDefinition } from './api-definition.ts';
import { apiEvent } from './api-event.ts';
import { corsHeaders, preflightHeaders } from './cors.ts';
import { createMatcher, type RouteMatch } from './match-route.ts';

const bodyLimitBytes = 10 * 1024 * 1024;
const drainLimitBytes = 64 * 1024 * 1024;

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const functionAnswer = z.object({
  statusCode: z.int().min(100).max(599),
  headers: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String)).default({}),
  body: z.string().default(''),
  isBase64Encoded: z.boolean().default(false),
});

/** Builds an error response of the gateway itself, in the format of the functions. API Gateway words these differently. */
export const gatewayRefusal = (code: ErrorCode, detail: string): HttpAnswer => {
  const { statusCode, headers, body } = errorResponse(new AppError(code, detail), newId('req', systemClock.now()));
  return { status: statusCode, headers, body: Buffer.from(body) };
};

const broken = (): HttpAnswer => gatewayRefusal('internal', 'Internal error');

/** A process that ended, or could not start, may work for the next request. */
const faultAnswer = (fault: FunctionFault): HttpAnswer =>
  hasDied(fault) || hasNotStarted(fault)
    ? gatewayRefusal('unavailable', 'The process of this function ended or could not start; try again')
    : broken();

const answerOf = (outcome: RunOutcome): HttpAnswer => {
  if (!outcome.ok) {
    return faultAnswer(outcome.fault);
  }
  const value: unknown = JSON.parse(outcome.payload);
  if (typeof value !== 'object' || value === null || !('statusCode' in value)) {
    const body = typeof value === 'string' ? value : outcome.payload;
    return { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(body) };
  }
  const parsed = functionAnswer.safeParse(value);
  if (!parsed.success) {
    return broken();
  }
  const { statusCode, headers, body, isBase64Encoded } = parsed.data;
  return { status: statusCode, headers, body: Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8') };
};

const refusalBody = z.looseObject({ detail: z.string() });

const checksBody = z.array(z.unknown());

const withBody = (answer: HttpAnswer, body: unknown): HttpAnswer => ({
  ...answer,
  body: Buffer.from(JSON.stringify(body)),
});

const parsedBody = <Schema extends z.ZodType>(schema: Schema, { body }: HttpAnswer): z.output<Schema> | null => {
  try {
    return schema.parse(JSON.parse(body.toString()));
  } catch {
    return null;
  }
};

/** Adds the problem of the disk to responses about the health of the service, and to those that only advise to try again. */
const withDiskProblem = (route: string, answer: HttpAnswer, problem: string | null): HttpAnswer => {
  if (problem === null) return answer;
  if (route.endsWith(' /v1/health')) return gatewayRefusal('unavailable', problem);
  if (route === 'GET /v1/health/deep' && answer.status === 200) {
    const checks = parsedBody(checksBody, answer);
    const disk = { name: 'disk', status: 'failed', ms: 0, error: problem };
    return checks === null ? answer : withBody(answer, [...checks, disk]);
  }
  const refusal = answer.status === 503 ? parsedBody(refusalBody, answer) : null;
  return refusal === null ? answer : withBody(answer, { ...refusal, detail: `${refusal.detail} (${problem})` });
};

/** Resolves to the outcome, or to null after `limitMs`. The function runs on. */
const withinMs = async (outcome: Promise<RunOutcome>, limitMs: number): Promise<RunOutcome | null> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), limitMs);
  });
  return await Promise.race([outcome, late]).finally(() => clearTimeout(timer));
};

/** Sends a response. If it leaves a body unread, the connection closes after it. */
export const sendAnswer = (
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: HttpAnswer,
  extra: Readonly<Record<string, string>> = {},
): void => {
  if (response.destroyed) {
    return;
  }
  const bodiless = status === 204 || status === 304;
  response.writeHead(status, {
    ...headers,
    ...(bodiless ? {} : { 'content-length': String(body.length) }),
    ...(request.complete ? {} : { connection: 'close' }),
    ...extra,
  });
  response.end(bodiless || request.method === 'HEAD' ? undefined : body);
};

interface ApiOptions {
  readonly api: ApiDefinition;
  readonly functions: readonly FunctionDefinition[];
  readonly host: FunctionHost;
  readonly accountId: string;
  readonly clock: Clock;
  readonly disk: Pick<DiskWatch, 'problem'>;
  /** Records calls. Default: none. */
  readonly trace?: Pick<RequestTrace, 'call'> | undefined;
}

type Run = (
  request: IncomingMessage,
  response: ServerResponse,
  match: RouteMatch,
) => Promise<{ readonly answer: HttpAnswer; readonly requestId: string }>;

/** Returns what passes a request to the function of its route. */
const runnerOf = ({ api, functions, host, accountId, clock, disk, trace }: ApiOptions): Run => {
  const byArn = new Map(functions.map((definition) => [definition.arn, definition]));
  return async (request, response, match) => {
    const startMs = preciseNowMs();
    const body = await readBody(request, bodyLimitBytes);
    const { requestId, payload } = apiEvent({ request, body, match, apiId: api.id, accountId, clock });
    // Quoting as JSON makes the body longer.
    if (isTooLarge(payload)) throw new BodyTooLarge(eventLimitBytes);
    const eventMs = preciseNowMs();
    const definition = byArn.get(match.route.functionArn);
    const outcome =
      definition === undefined
        ? null
        : await withinMs(
            host.invoke(definition, payload).then((invocation) => invocation.outcome),
            match.route.timeoutMs,
          );
    if (trace !== undefined) {
      const outcomeMs = preciseNowMs();
      response.once('close', () =>
        trace.call({ route: match.route.key, startMs, eventMs, outcomeMs, endMs: preciseNowMs() }),
      );
    }
    const answer = outcome === null ? gatewayRefusal('unavailable', 'There was no answer in time') : answerOf(outcome);
    return { answer: withDiskProblem(match.route.key, answer, disk.problem()), requestId };
  };
};

/** Serves the HTTP API of the templates: routes to functions, with the gateway's own limits and refusals. */
export const serveApi = (
  options: ApiOptions,
): ((request: IncomingMessage, response: ServerResponse) => Promise<void>) => {
  const { api } = options;
  const matchRoute = createMatcher(api.routes);
  const run = runnerOf(options);

  return async (request, response) => {
    const preflight = preflightHeaders(api.cors, request);
    if (preflight !== null) {
      sendAnswer(request, response, { status: 204, headers: preflight, body: Buffer.alloc(0) });
      return;
    }
    const cors = corsHeaders(api.cors, request);
    const match = matchRoute(request.method ?? 'GET', request.url ?? '/');
    if (match === null) {
      sendAnswer(request, response, gatewayRefusal('not_found', 'Path not found'), cors);
      return;
    }
    try {
      const { answer, requestId } = await run(request, response, match);
      sendAnswer(request, response, answer, { ...cors, 'apigw-requestid': requestId });
    } catch (error) {
      if (!(error instanceof BodyTooLarge)) {
        throw error;
      }
      await drainBody(request, drainLimitBytes);
      sendAnswer(request, response, gatewayRefusal('payload_too_large', 'The body is too large'), cors);
    }
  };
};
