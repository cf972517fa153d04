import { type Dispatcher, request } from 'undici';
import { decodeBody } from '../../kernel/decode-body.ts';
import { isTransientStatus } from '../../kernel/http-status.ts';
import { readBounded } from '../../kernel/read-bounded.ts';
import { retryAfterSeconds } from '../../kernel/retry-after.ts';
import { ForbiddenAddress, guardedAgent } from '../delivery/guarded-agent.ts';
import { isLoopbackAddress, isPublicAddress, publicUrlProblem } from '../delivery/public-address.ts';
import { SourceFault } from './port.ts';

const defaultTimeoutMs = 60_000;
const maxRedirects = 3;
/** Some APIs, such as that of GitHub, refuse requests without one. */
const userAgent = 'strata-connector/1.0';
/** Retry delay of a 429 without `Retry-After`. */
const defaultRetrySeconds = 30;

export interface PublicRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  /** Body of a POST. */
  readonly body?: string;
  readonly maxBytes: number;
  /** Whether redirects are followed, as for content. Headers of the caller are not sent to another host. */
  readonly followsRedirects: boolean;
  /** Milliseconds for each request; by default a minute. */
  readonly timeoutMs?: number;
  /** Statuses that mean that the URL has no content. */
  readonly absentStatuses?: readonly number[];
  /** Statuses that concern this URL only, which the credentials may not read. */
  readonly deniedStatuses?: readonly number[];
  /** Name of a known provider for messages; absent: an API that the caller describes. */
  readonly provider?: string;
}

/** A successful response. */
interface PublicResponse {
  readonly bytes: Uint8Array;
  /** The `Link` header (RFC 8288); empty if there is none. */
  readonly link: string;
}

/** Fetches a URL. Null if it has no content. */
export type PublicGet = (ask: PublicRequest, now: Date) => Promise<PublicResponse | null>;

const goneStatuses: readonly number[] = [404, 410];

/** Reads the content. Some servers encode it although `identity` was requested; it is decoded up to the limit only. */
const contentOf = async (
  { body, headers }: Pick<Dispatcher.ResponseData, 'body' | 'headers'>,
  maxBytes: number,
): Promise<Uint8Array> => {
  const encoding = [headers['content-encoding'] ?? ''].flat().join();
  const decoded = decodeBody(body, encoding);
  if (decoded === null) {
    await body.dump();
    throw new SourceFault('unreadable', 'The API responds in an encoding other than gzip, deflate and br');
  }
  return readBounded(decoded, maxBytes, () => new SourceFault('unreadable', `it has more than ${maxBytes} bytes`));
};

const nameOf = ({ provider }: PublicRequest): string => provider ?? 'The API';

/** Converts an error status to a fault of the connection. */
const refusalOf = (ask: PublicRequest, status: number, retryAfter: string | null, now: Date): SourceFault => {
  const name = nameOf(ask);
  if (ask.deniedStatuses?.includes(status) === true)
    return new SourceFault('unreadable', `${name} denies access to it (${status})`);
  if (isTransientStatus(status)) {
    const seconds = retryAfterSeconds(retryAfter, now) ?? (status === 429 ? defaultRetrySeconds : null);
    return new SourceFault('busy', `${name} responded with status ${status}`, { retryAfterSeconds: seconds });
  }
  if (status === 401 || status === 403)
    return new SourceFault(
      'token_expired',
      `${name} rejects the credentials (${status}): connect it again with valid ones`,
    );
  // Requests to a known provider are not described by a caller.
  if (ask.provider !== undefined) return new SourceFault('busy', `${name} responded with status ${status}`);
  return new SourceFault('refused', `The API responded with status ${status}: check its address, path and query`);
};

const requirePublic = (text: string, allowLocal: boolean): URL => {
  const problem = publicUrlProblem(text, ['https:'], allowLocal);
  if (problem !== null) throw new SourceFault('unreadable', problem);
  return new URL(text);
};

const failureOf = (ask: PublicRequest, error: unknown): SourceFault => {
  if (error instanceof SourceFault) return error;
  if (error instanceof ForbiddenAddress)
    return new SourceFault('refused', `${nameOf(ask)} has no public address`, { cause: error });
  return new SourceFault('busy', `${nameOf(ask)} is unreachable`, { cause: error });
};

/**
 * Fetches URLs of callers from the public internet: HTTPS only, and every resolved address and redirect must be public.
 * @param allowLocal Also allows `http://localhost` and loopback addresses.
 */
export const openPublicGet = (allowLocal: boolean): PublicGet => {
  const dispatcher = guardedAgent({
    permits: (protocol) => (address) =>
      (protocol === 'https:' && isPublicAddress(address)) || (allowLocal && isLoopbackAddress(address)),
  });
  return async (ask, now) => {
    let url = requirePublic(ask.url, allowLocal);
    let { headers } = ask;
    try {
      for (let redirects = 0; ; redirects += 1) {
        const signal = AbortSignal.timeout(ask.timeoutMs ?? defaultTimeoutMs);
        const answer = await request(url, {
          dispatcher,
          method: ask.method,
          headers: { 'accept-encoding': 'identity', 'user-agent': userAgent, ...headers },
          body: ask.body ?? null,
          signal,
        });
        const { location, 'retry-after': retryAfter } = answer.headers;
        if (answer.statusCode === 200)
          return {
            bytes: await contentOf(answer, ask.maxBytes),
            link: [answer.headers['link'] ?? ''].flat().join(', '),
          };
        await answer.body.dump();
        if ((ask.absentStatuses ?? goneStatuses).includes(answer.statusCode)) return null;
        const leads = answer.statusCode >= 301 && answer.statusCode <= 308 && typeof location === 'string';
        if (!leads || !ask.followsRedirects || redirects === maxRedirects)
          throw refusalOf(ask, answer.statusCode, typeof retryAfter === 'string' ? retryAfter : null, now);
        const next = requirePublic(new URL(location, url).href, allowLocal);
        if (next.origin !== url.origin) headers = {};
        url = next;
      }
    } catch (error) {
      throw failureOf(ask, error);
    }
  };
};
