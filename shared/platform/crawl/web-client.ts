import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { type Dispatcher, request } from 'undici';
import { decodeBody } from '../../kernel/decode-body.ts';
import {
  ForbiddenAddress,
  guardedAgent,
  type Permits,
  type Resolve,
  systemResolve,
} from '../delivery/guarded-agent.ts';
import { isPublicAddress } from '../delivery/public-address.ts';
import { crawlerUserAgent, type FetchFailure, type PageResponse, type PageRequest, type WebClient } from './port.ts';

interface WebOptions {
  /** Timeout from the DNS lookup to the headers, and then between two pieces of the body. */
  readonly timeoutMs: number;
  /** Timeout from the DNS lookup to the last byte of the body; default: 90 seconds. */
  readonly maxMs?: number;
  /**
   * The one address of this machine that may be read, such as `127.0.0.1:8080`; empty for none. Names in `.test`
   * resolve to it.
   */
  readonly localAddress: string;
  /** DNS lookup; default: that of the operating system. */
  readonly resolve?: Resolve;
}

/** Enough for a PDF of 32 MB from a slow site, and less than a run of the worker has. */
const defaultMaxMs = 90_000;
/** Bytes of an unwanted body that are read because that costs less than a new connection. */
const dumpedBytes = 16 * 1024;

const protocols: ReadonlySet<string> = new Set(['http:', 'https:']);

/** No public name server has names in `.test`. Source: RFC 6761, 6.2. */
const pagesAgent = ({ localAddress, resolve = systemResolve }: WebOptions): Dispatcher => {
  const [localHost = '', localPort = ''] = localAddress.split(':');
  const isPublic: Permits = isPublicAddress;
  const isPublicOrThis: Permits = (address) => isPublicAddress(address) || address === localHost;
  return guardedAgent({
    permits: (protocol, port) => {
      if (!protocols.has(protocol)) return null;
      return localAddress !== '' && port === localPort ? isPublicOrThis : isPublic;
    },
    resolve: async (hostname) =>
      localHost !== '' && hostname.endsWith('.test') ? [{ address: localHost, family: 4 }] : resolve(hostname),
  });
};

type Read = Pick<PageResponse, 'body' | 'tooLarge' | 'contentType'>;

/** Content types that say no more than that the body is a file. */
const unnamedTypes = /^\s*(?:application\/(?:octet-stream|x-download|force-download)|binary\/octet-stream)?\s*(?:;|$)/i;
const pdfType = 'application/pdf';
const pdfMark = '%PDF-';

const unwanted = (contentType: string): Read => ({ contentType, body: null, tooLarge: false });

/** Reads the body up to the limit of its type. Leaving the loop closes the connection. */
const readToLimit = async (body: Readable, type: string, request: PageRequest): Promise<Read> => {
  const chunks: Uint8Array[] = [];
  let [contentType, limit, read] = [type, request.limitBytes(type), 0];
  let mayBePdf = unnamedTypes.test(type);
  for await (const chunk of body) {
    // A stream without an encoding yields bytes.
    const bytes = chunk as Uint8Array;
    read += bytes.byteLength;
    chunks.push(bytes);
    if (mayBePdf && read >= pdfMark.length) {
      mayBePdf = false;
      if (Buffer.concat(chunks).toString('latin1').startsWith(pdfMark))
        [contentType, limit] = [pdfType, request.limitBytes(pdfType)];
    }
    if (limit === 0 && mayBePdf) continue;
    if (limit === 0) return unwanted(type);
    if (read <= limit) continue;
    const beginning = request.keepsBeginning === true ? Buffer.concat(chunks).subarray(0, limit) : null;
    return { contentType, body: beginning, tooLarge: true };
  }
  return limit === 0 ? unwanted(type) : { contentType, body: Buffer.concat(chunks), tooLarge: false };
};

/** Returns all values of a header, one for each line. */
const linesOf = ({ headers }: Dispatcher.ResponseData, name: string): readonly string[] => [headers[name] ?? []].flat();

/** Returns the first content type of a response. PDFs get their standard name. */
const typeOf = (answer: Dispatcher.ResponseData): string =>
  (linesOf(answer, 'content-type')[0] ?? '').replace(/,.*$/s, '').replace(/^\s*application\/x-pdf\b/i, pdfType);

const isCharset = (name: string): boolean => {
  try {
    return new TextDecoder(name).encoding !== '';
  } catch {
    return false;
  }
};

/**
 * Returns the content encoding. Charsets and empty words that sites send there by mistake are ignored, as browsers do.
 */
const encodingOf = (answer: Dispatcher.ResponseData): string =>
  linesOf(answer, 'content-encoding')
    .flatMap((line) => line.toLowerCase().split(','))
    .map((coding) => coding.trim())
    .filter((coding) => coding !== 'none' && coding !== 'binary' && !isCharset(coding))
    .join();

const bodyOf = async (answer: Dispatcher.ResponseData, request: PageRequest): Promise<Read> => {
  const contentType = typeOf(answer);
  const isWanted = request.limitBytes(contentType) > 0 || unnamedTypes.test(contentType);
  const isGood = answer.statusCode >= 200 && answer.statusCode < 300;
  // Browsers read a body whose encoding lacks its end.
  const body = isWanted && isGood ? decodeBody(answer.body, encodingOf(answer), { mayLackEnd: true }) : null;
  if (body !== null) return readToLimit(body, contentType, request);
  await answer.body.dump({ limit: dumpedBytes });
  return unwanted(contentType);
};

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Decodes an address header. Bytes beyond ASCII are read as UTF-8 if they are valid, as browsers do. */
const addressOf = (value: string | undefined): string | null => {
  if (value === undefined) return null;
  try {
    return utf8.decode(Buffer.from(value, 'latin1'));
  } catch {
    return value;
  }
};

const causes = function* (error: unknown): Iterable<unknown> {
  for (let cause = error; cause instanceof Error; cause = cause.cause) yield cause;
};

const failureOf = (error: unknown): FetchFailure => {
  for (const cause of causes(error)) {
    if (cause instanceof ForbiddenAddress) return 'address_not_allowed';
    // A timeout of the headers, the body, the connection or the whole request.
    if (cause instanceof Error && cause.name.endsWith('TimeoutError')) return 'timeout';
  }
  return 'connection_failed';
};

const cookieOf = ({ headers, cookie }: PageRequest): string =>
  [headers?.['cookie'], cookie].filter((part) => part != null).join('; ');

const headersOf = (page: PageRequest): Record<string, string> => ({
  ...page.headers,
  'user-agent': crawlerUserAgent,
  accept: 'text/html,application/xhtml+xml,application/pdf;q=0.9,text/plain;q=0.8,*/*;q=0.1',
  'accept-encoding': 'gzip, br',
  ...(cookieOf(page) === '' ? {} : { cookie: cookieOf(page) }),
  ...(page.etag == null ? {} : { 'if-none-match': page.etag }),
  ...(page.lastModified == null ? {} : { 'if-modified-since': page.lastModified }),
});

const answerOf = async (answer: Dispatcher.ResponseData, request: PageRequest): Promise<PageResponse> => {
  const header = (name: string): string | null => linesOf(answer, name)[0] ?? null;
  return {
    status: answer.statusCode,
    location: addressOf(linesOf(answer, 'location')[0]),
    etag: header('etag'),
    lastModified: header('last-modified'),
    retryAfter: header('retry-after'),
    refresh: addressOf(linesOf(answer, 'refresh')[0]),
    setCookies: linesOf(answer, 'set-cookie'),
    robotsTag: linesOf(answer, 'x-robots-tag').join('\n') || null,
    ...(await bodyOf(answer, request)),
  };
};

/** Opens a client for HTTP and HTTPS. Every connection is checked by the address that it is made to. */
export const openWebClient = (options: WebOptions): WebClient => {
  const { timeoutMs } = options;
  const dispatcher = pagesAgent(options);
  return {
    wait: (ms) => pause(ms),
    fetch: async (page) => {
      const silent = new AbortController();
      const timer = setTimeout(() => silent.abort(new DOMException('no headers', 'TimeoutError')), timeoutMs);
      const whole = AbortSignal.timeout(page.maxMs ?? options.maxMs ?? defaultMaxMs);
      try {
        const answer = await request(page.url, {
          dispatcher,
          headers: headersOf(page),
          bodyTimeout: timeoutMs,
          signal: AbortSignal.any([silent.signal, whole]),
        });
        clearTimeout(timer);
        return await answerOf(answer, page);
      } catch (error) {
        return { failure: failureOf(error) };
      } finally {
        clearTimeout(timer);
      }
    },
  };
};
