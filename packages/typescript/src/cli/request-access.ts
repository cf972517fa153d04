import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface, type Interface } from 'node:readline';
import { type Credentials, clientId, requestTokens } from './credentials.ts';

const timeoutMinutes = 10;
const timeoutMs = timeoutMinutes * 60_000;

/** Programs that open an address in the browser of the person. */
const openers: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens the browser. A machine without one ignores it. */
const openBrowser = (url: string): void => {
  const [program, ...args] = openers[process.platform] ?? ['xdg-open'];
  spawn(program, [...args, url], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref();
};

const respond = (response: ServerResponse, status: number, text: string, onSent?: () => void): void => {
  const headers = { 'content-type': 'text/plain; charset=utf-8', connection: 'close' };
  response.writeHead(status, headers).end(`${text}\n`, onSent);
};

/**
 * Resolves to the result of an access request, which arrives as a request or as a line of input. `resultIn` returns the
 * result of an address; null for one of another request or service. Sources: RFC 6749, 10.12, and RFC 9207. Rejects if there
 * is none in time.
 */
const receiveResult = (
  server: Server,
  input: Interface,
  resultIn: (address: string) => URLSearchParams | null,
): Promise<URLSearchParams> =>
  new Promise((resolve, reject) => {
    server.on('request', ({ url: address = '' }, response) => {
      const result = resultIn(address);
      if (result === null) respond(response, 400, 'This is not the result of the login that waits here.');
      else respond(response, 200, 'Return to the terminal. You can close this page.', () => resolve(result));
    });
    input.on('line', (line) => {
      const result = URL.canParse(line.trim()) ? resultIn(line.trim()) : null;
      if (result !== null) resolve(result);
    });
    setTimeout(() => reject(new Error(`There was no decision within ${timeoutMinutes} minutes.`)), timeoutMs).unref();
  });

interface AccessRequest {
  readonly opensBrowser: boolean;
  /** Receives the address at which the person decides. */
  readonly onAddress: (address: string) => void;
}

/**
 * Asks the person for access in the browser, and resolves to its tokens. The result arrives at a loopback address, or as a
 * line of stdin if the browser runs on another machine. Sources: OAuth 2.1, 4.1, and RFC 8252, 7.3. Throws Error if the
 * person refuses or does not decide in time.
 */
export const requestAccess = async (url: string, request: AccessRequest): Promise<Credentials> => {
  const [state, verifier] = [randomBytes(16).toString('base64url'), randomBytes(32).toString('base64url')];
  const issuer = new URL(url).origin;
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const redirectUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
  const input = createInterface({ input: process.stdin });
  try {
    const received = receiveResult(server, input, (address) => {
      const { pathname, searchParams: result } = new URL(address, redirectUri);
      const isOwn = pathname === '/callback' && result.get('state') === state && result.get('iss') === issuer;
      return isOwn ? result : null;
    });
    const address = new URL('/v1/oauth/authorize', issuer);
    address.search = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      resource: issuer,
      scope: 'read write',
      state,
    }).toString();
    request.onAddress(address.href);
    if (request.opensBrowser) openBrowser(address.href);
    const result = await received;
    const code = result.get('code');
    if (code === null) throw new Error(result.get('error_description') ?? 'The access was not granted.');
    return await requestTokens(url, {
      grant_type: 'authorization_code',
      code,
      code_verifier: verifier,
      redirect_uri: redirectUri,
    });
  } finally {
    input.close();
    server.close();
    // A browser keeps connections open that it has not used, which would keep the process alive.
    server.closeAllConnections();
  }
};
