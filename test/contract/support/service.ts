import { appendFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { inspect } from 'node:util';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { endpoints } from '../../../functions/registry.ts';
import { apiEvent, createMatcher } from '#local-cloud';
import { projectDirectory } from '../../../scripts/support/project-directory.ts';
import { functionLogFile } from '../../../scripts/support/service-log.ts';
import { auditLogOf } from '../../../shared/audit/index.ts';
import { aliasResolver, aliasUses } from '../../../shared/aliases/index.ts';
import {
  authenticationUsesOf,
  authenticator,
  authorizationUses,
  authorizer,
} from '../../../shared/credentials/index.ts';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import { handleEndpoint } from '../../../shared/http/handle.ts';
import { idempotencyUse } from '../../../shared/idempotency/index.ts';
import { makeDeps, type Runtime } from '../../../shared/kernel/capability.ts';
import { systemClock } from '../../../shared/kernel/clock.ts';
import { readConfig } from '../../../shared/kernel/config.ts';
import { type Logger, silentLogger } from '../../../shared/kernel/log.ts';
import { findService } from '../../support/shared-service.ts';

/** Request in its wire form. */
export interface WireRequest {
  readonly method: string;
  /** Encoded path and query. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface WireAnswer {
  readonly status: number;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Sends one request to the service. */
export type Send = (request: WireRequest) => Promise<WireAnswer>;

/** Running service with data of its own. */
export interface ContractService {
  readonly baseUrl: string;
  /** Sends over HTTP to the gateway, with a process for each function. */
  readonly overHttp: Send;
  /** Calls the Lambda handlers in this process with events of the gateway. Everything else is that of the service. */
  readonly inProcess: Send;
  readonly idToken: (email: string) => Promise<string>;
  readonly close: () => Promise<void>;
}

const json = { 'content-type': 'application/json' };

const sendOverHttp =
  (baseUrl: string): Send =>
  async ({ method, url, headers = {}, body }) => {
    const response = await fetch(`${baseUrl}${url}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : Buffer.from(body) }),
    });
    return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
  };

/** Adds errors to what the functions of the service log, where a failed test finds them. */
const errorLogger = (dataDirectory: string): Logger => ({
  ...silentLogger,
  error: (message, fields) => {
    const output = { level: 'ERROR', message, ...fields, error: inspect(fields?.['error'], { depth: 8 }) };
    const line = { at: systemClock.now().toISOString(), function: 'in process', stream: 'stderr', output };
    appendFileSync(functionLogFile(dataDirectory), `${JSON.stringify(line)}\n`);
  },
});

/** As a function is served, but for its metrics. */
const serveQuietly = (endpoint: Endpoint, log: Logger) => {
  const assetsDirectory = join(projectDirectory, 'dist', 'functions', endpoint.id);
  const runtime: Runtime = { config: { ...readConfig(process.env), assetsDirectory }, clock: systemClock, log };
  return handleEndpoint(endpoint, {
    runtime,
    authenticate: authenticator(makeDeps(authenticationUsesOf(endpoint), runtime), systemClock),
    audit: auditLogOf(endpoint, runtime),
    authorize: authorizer(makeDeps(authorizationUses, runtime)),
    resolvePath: aliasResolver(makeDeps(aliasUses, runtime)),
    idempotency: endpoint.idempotent === true ? makeDeps({ idempotency: idempotencyUse }, runtime).idempotency : null,
  });
};

const sendInProcess = (elsewhere: Send, log: Logger): Send => {
  const definitions = Object.values(endpoints) as readonly Endpoint[];
  const byRoute = new Map(definitions.map((definition) => [`${definition.method} ${definition.path}`, definition]));
  const handlers = new Map(definitions.map((definition) => [definition, serveQuietly(definition, log)]));
  const match = createMatcher([...byRoute.keys()].map((key) => ({ key, functionArn: key, timeoutMs: 30_000 })));
  return async (wire) => {
    const { method, url, headers = {}, body = '' } = wire;
    const found = match(method, url);
    const handler = handlers.get(byRoute.get(found?.route.key ?? '') as Endpoint);
    if (found === null || handler === undefined) return elsewhere(wire);
    const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value]] as const);
    const request = { method, url, headersDistinct: Object.fromEntries(lower), httpVersion: '1.1', socket: {} };
    const { payload } = apiEvent({
      // The parts of the event.
      request: request as unknown as IncomingMessage,
      body: Buffer.from(body),
      match: found,
      apiId: 'api',
      accountId: '000000000000',
      clock: systemClock,
    });
    const answer = await handler(JSON.parse(payload) as APIGatewayProxyEventV2, {} as Context);
    const text = Buffer.from(answer.body, answer.isBase64Encoded === true ? 'base64' : 'utf8').toString();
    return { status: answer.statusCode, headers: answer.headers, text };
  };
};

/**
 * Connects to the running service, or starts one. The caller closes it.
 * @param own Variables of handlers in this process.
 */
export const openContractService = async (own: Readonly<Record<string, string>> = {}): Promise<ContractService> => {
  const { service, close } = await findService();
  const { baseUrl, environment, dataDirectory } = service;
  Object.assign(process.env, environment, own);
  const overHttp = sendOverHttp(baseUrl);
  const idToken = async (email: string): Promise<string> => {
    const body = JSON.stringify({ email, name: 'Test Person' });
    const { text } = await overHttp({ method: 'POST', url: '/_local/id-token', headers: json, body });
    return (JSON.parse(text) as { readonly id_token: string }).id_token;
  };
  const inProcess = sendInProcess(overHttp, errorLogger(dataDirectory));
  return { baseUrl, overHttp, inProcess, idToken, close };
};
