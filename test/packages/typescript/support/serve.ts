import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after } from 'node:test';
import { createClient } from '#client';

interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface Reply {
  readonly status: number;
  readonly body?: unknown;
  /** Body as it is sent, in place of JSON. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Ends the connection in place of an answer. */
export const cut = 'cut';
/** Ends the connection in the middle of an answer. */
export const cutShort = 'cut short';

const send = (response: ServerResponse, reply: Reply | typeof cut | typeof cutShort): void => {
  if (reply === cut) {
    response.destroy();
    return;
  }
  if (reply === cutShort) {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
    response.write('[{"id"', () => response.destroy());
    return;
  }
  const { status, body, text: raw, headers = {} } = reply;
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(raw ?? (body === undefined ? undefined : JSON.stringify(body)));
};

/** A server that gives the replies of `script` in their order, and keeps what it was asked. */
export const serve = async (
  script: readonly (Reply | typeof cut | typeof cutShort | ((baseUrl: string) => Reply))[],
) => {
  const received: Received[] = [];
  const left = script.values();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers } = request;
    received.push({ method, url, headers, body: await text(request) });
    const next = left.next().value ?? { status: 500 };
    send(response, typeof next === 'function' ? next(baseUrl) : next);
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  after(() => server.close());
  return { received, baseUrl, client: createClient({ baseUrl, token: 'svc_live_test', organizationId: 'org_1' }) };
};

/** Makes a repeat come without a wait. */
export const atOnce = { 'retry-after': '0' };
