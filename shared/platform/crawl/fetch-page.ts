import { setTimeout as pause } from 'node:timers/promises';
import { type Dispatcher, fetch, type Response } from 'undici';
import { ForbiddenAddress, guardedAgent, type Permits, type Resolve } from '../delivery/guarded-agent.ts';
import { isPublicAddress } from '../delivery/public-address.ts';
import { crawlerUserAgent, type FetchFailure, type PageAnswer, type PageRequest, type Web } from './port.ts';

interface WebOptions {
  /** From the lookup to the last byte of the body. */
  readonly timeoutMs: number;
  /** The one address of this machine that may be read, `127.0.0.1:8080`; empty for none. */
  readonly localAddress: string;
  /** How names become addresses; by default as the operating system does it. */
  readonly resolve?: Resolve;
}

const protocols: ReadonlySet<string> = new Set(['http:', 'https:']);

const pagesAgent = ({ localAddress, resolve }: WebOptions): Dispatcher => {
  const [localHost = '', localPort = ''] = localAddress.split(':');
  const isPublic: Permits = isPublicAddress;
  const isPublicOrThis: Permits = (address) => isPublicAddress(address) || address === localHost;
  return guardedAgent({
    permits: (protocol, port) => {
      if (!protocols.has(protocol)) return null;
      return localAddress !== '' && port === localPort ? isPublicOrThis : isPublic;
    },
    ...(resolve === undefined ? {} : { resolve }),
  });
};

/** The body up to a limit; null where it goes on beyond it, and then the connection is closed. */
const readBounded = async (response: Response, limitBytes: number): Promise<Uint8Array | null> => {
  const chunks: Uint8Array[] = [];
  let read = 0;
  for await (const chunk of response.body ?? []) {
    // A fetched body consists of bytes.
    const bytes = chunk as Uint8Array;
    read += bytes.byteLength;
    if (read > limitBytes) return null;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
};

const bodyOf = async (response: Response, limitBytes: number): Promise<Pick<PageAnswer, 'body' | 'tooLarge'>> => {
  if (limitBytes === 0 || !response.ok) {
    await response.body?.cancel();
    return { body: null, tooLarge: false };
  }
  const body = await readBounded(response, limitBytes);
  return { body, tooLarge: body === null };
};

const causes = function* (error: unknown): Iterable<unknown> {
  for (let cause = error; cause instanceof Error; cause = cause.cause) yield cause;
};

const failureOf = (error: unknown): FetchFailure => {
  for (const cause of causes(error)) {
    if (cause instanceof ForbiddenAddress) return 'address_not_allowed';
    if (cause instanceof Error && (cause.name === 'TimeoutError' || cause.name === 'ConnectTimeoutError'))
      return 'timeout';
  }
  return 'connection_failed';
};

const headersOf = ({ etag, lastModified }: PageRequest): Record<string, string> => ({
  'user-agent': crawlerUserAgent,
  accept: 'text/html,application/xhtml+xml,application/pdf;q=0.9,text/plain;q=0.8,*/*;q=0.1',
  'accept-encoding': 'gzip, deflate, br',
  ...(etag == null ? {} : { 'if-none-match': etag }),
  ...(lastModified == null ? {} : { 'if-modified-since': lastModified }),
});

/** The public web over HTTP and HTTPS. Every connection is judged by the address that it is really made to. */
export const openWeb = (options: WebOptions): Web => {
  const dispatcher = pagesAgent(options);
  return {
    wait: (ms) => pause(ms),
    fetch: async (request) => {
      try {
        const response = await fetch(request.url, {
          dispatcher,
          redirect: 'manual',
          headers: headersOf(request),
          signal: AbortSignal.timeout(options.timeoutMs),
        });
        const header = (name: string): string | null => response.headers.get(name);
        const contentType = header('content-type') ?? '';
        return {
          status: response.status,
          contentType,
          location: header('location'),
          etag: header('etag'),
          lastModified: header('last-modified'),
          retryAfter: header('retry-after'),
          robotsTag: header('x-robots-tag'),
          ...(await bodyOf(response, request.limitBytes(contentType))),
        };
      } catch (error) {
        return { failure: failureOf(error) };
      }
    },
  };
};
