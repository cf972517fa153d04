import { Agent, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as TlsAgent, request as httpsRequest } from 'node:https';
import type { SignedRequest } from './store-access.ts';

/** Milliseconds until the headers of a response. */
const requestTimeoutMs = 30_000;

/** Response of the object store, with its body unread. */
export interface Upstream {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: IncomingMessage;
  readonly drop: () => void;
}

const agents = { 'http:': new Agent({ keepAlive: true }), 'https:': new TlsAgent({ keepAlive: true }) };

/**
 * Sends a signed request once.
 * @param isFresh Whether to open a new connection. Kept connections may have died while the function was frozen.
 */
export const sendOnce = (signed: SignedRequest, body: Buffer | null, isFresh: boolean): Promise<Upstream> =>
  new Promise((resolve, reject) => {
    const { protocol, hostname, port, path, method, headers } = signed;
    const options = { hostname, port, path, method, headers, timeout: requestTimeoutMs };
    const sent =
      protocol === 'http:'
        ? httpRequest({ ...options, agent: isFresh ? false : agents['http:'] })
        : httpsRequest({ ...options, agent: isFresh ? false : agents['https:'] });
    sent.on('response', (answer) =>
      resolve({
        status: answer.statusCode ?? 500,
        headers: answer.headers,
        body: answer,
        drop: () => answer.resume(),
      }),
    );
    sent.on('timeout', () => sent.destroy(new Error('the object store does not answer')));
    sent.on('error', reject);
    sent.end(body ?? undefined);
  });
