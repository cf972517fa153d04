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
  /** From the lookup to the headers, and then from one piece of the body to the next. */
  readonly timeoutMs: number;
  /** From the lookup to the last byte of the body; by default 90 seconds. */
  readonly maxMs?: number;
  /** The one address of this machine that may be read, `127.0.0.1:8080`; empty for none. Names in `.test` lead to it. */
  readonly localAddress: string;
  /** How names become addresses; by default as the operating system does it. */
  readonly resolve?: Resolve;
}

/** Slow sites give a PDF of 32 MB in it, and a run of the worker has time for it. */
const defaultMaxMs = 90_000;
/** As much of what nobody reads is taken in as it costs less than another connection. */
const dumpedBytes = 16 * 1024;

const protocols: ReadonlySet<string> = new Set(['http:', 'https:']);

/** No name server has names in `.test`. Source: RFC 6761, 6.2. */
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

/** What says of a file no more than that it is one. */
const unnamedTypes = /^\s*(?:application\/(?:octet-stream|x-download|force-download)|binary\/octet-stream)?\s*(?:;|$)/i;
const pdfType = 'application/pdf';
const pdfMark = '%PDF-';

const unwanted = (contentType: string): Read => ({ contentType, body: null, tooLarge: false });

/** The body up to the limit of its type; leaving the loop closes the connection. */
const readToLimit = async (body: Readable, type: string, request: PageRequest): Promise<Read> => {
  const chunks: Uint8Array[] = [];
  let [contentType, limit, read] = [type, request.limitBytes(type), 0];
  let mayBePdf = unnamedTypes.test(type);
  for await (const chunk of body) {
    // A body that nobody gave an encoding consists of bytes.
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

/** All values of a header, each of which stood in a line of its own. */
const linesOf = ({ headers }: Dispatcher.ResponseData, name: string): readonly string[] => [headers[name] ?? []].flat();

/** The type that an answer names first, PDFs by their one name. */
const typeOf = (answer: Dispatcher.ResponseData): string =>
  (linesOf(answer, 'content-type')[0] ?? '').replace(/,.*$/s, '').replace(/^\s*application\/x-pdf\b/i, pdfType);

const isCharset = (name: string): boolean => {
  try {
    return new TextDecoder(name).encoding !== '';
  } catch {
    return false;
  }
};

/** What was put around a body; charsets and words for nothing, which stand there by mistake, browsers pass over as well. */
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
  // Browsers read what is there of a body whose encoding lacks its end, and so do the people who publish it.
  const body = isWanted && isGood ? decodeBody(answer.body, encodingOf(answer), { mayLackEnd: true }) : null;
  if (body !== null) return readToLimit(body, contentType, request);
  await answer.body.dump({ limit: dumpedBytes });
  return unwanted(contentType);
};

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** An address as it was sent: bytes beyond ASCII are UTF-8 where they can be, as browsers take them. */
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
    // The headers, the body or the connection, or all of it.
    if (cause instanceof Error && cause.name.endsWith('TimeoutError')) return 'timeout';
  }
  return 'connection_failed';
};

const headersOf = ({ etag, lastModified, cookie }: PageRequest): Record<string, string> => ({
  'user-agent': crawlerUserAgent,
  accept: 'text/html,application/xhtml+xml,application/pdf;q=0.9,text/plain;q=0.8,*/*;q=0.1',
  'accept-encoding': 'gzip, br',
  ...(cookie == null ? {} : { cookie }),
  ...(etag == null ? {} : { 'if-none-match': etag }),
  ...(lastModified == null ? {} : { 'if-modified-since': lastModified }),
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

/** The public web over HTTP and HTTPS. Every connection is judged by the address that it is really made to. */
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
