import { type LookupAddress, promises as dns } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { Agent, buildConnector, type Dispatcher, request } from 'undici';
import { bareHost, isLoopbackAddress, isPublicAddress } from './public-address.ts';

/** Raised in place of a connection to an address that is not public. */
class ForbiddenAddress extends Error {
  constructor(host: string) {
    super(`${host} is not a public address`);
    this.name = 'ForbiddenAddress';
  }
}

type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

interface GuardOptions {
  /** Lets loopback addresses pass, over `http:` too; nothing else passes over `http:`. */
  readonly allowLocal: boolean;
  /** How names become addresses; by default as the operating system does it. */
  readonly resolve?: Resolve;
}

const systemResolve: Resolve = (hostname) => dns.lookup(hostname, { all: true });

type Permits = (address: string) => boolean;

type Addresses = readonly [LookupAddress, ...LookupAddress[]];

const permitted = async (hostname: string, resolve: Resolve, permits: Permits): Promise<Addresses> => {
  const [first, ...others] = await resolve(hostname);
  if (first === undefined || ![first, ...others].every(({ address }) => permits(address))) {
    throw new ForbiddenAddress(hostname);
  }
  return [first, ...others];
};

/** Resolves once and hands over those very addresses, so that no second answer of a name server can differ. */
const guardedLookup = (resolve: Resolve, permits: Permits): LookupFunction => {
  const lookup = callbackify((hostname: string) => permitted(hostname, resolve, permits));
  return (hostname, options, callback) => {
    lookup(hostname, (error, addresses) => {
      if (error !== null) callback(error, '');
      else if (options.all === true) callback(null, [...addresses]);
      else callback(null, addresses[0].address, addresses[0].family);
    });
  };
};

/**
 * A dispatcher whose every connection is to a public address, whatever the URL, the name server or an earlier answer says.
 * All addresses of a name must be public. IP literals never reach a lookup, so they are judged apart.
 */
const guardedAgent = ({ allowLocal, resolve = systemResolve }: GuardOptions): Dispatcher => {
  const connectors = new Map(
    ['http:', 'https:'].map((protocol) => {
      const permits: Permits = (address) =>
        (protocol === 'https:' && isPublicAddress(address)) || (allowLocal && isLoopbackAddress(address));
      const connect = buildConnector({ timeout: 10_000, allowH2: false, lookup: guardedLookup(resolve, permits) });
      const guarded: buildConnector.connector = (options, callback) => {
        const host = bareHost(options.hostname);
        if (isIP(host) !== 0 && !permits(host)) callback(new ForbiddenAddress(host), null);
        else connect(options, callback);
      };
      return [protocol, guarded] as const;
    }),
  );
  return new Agent({
    connect: (options, callback) => {
      const connect = connectors.get(options.protocol);
      if (connect === undefined) callback(new ForbiddenAddress(options.hostname), null);
      else connect(options, callback);
    },
  });
};

interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What became of one POST: the status that the receiver answered, or why there was no whole answer. */
export type PostOutcome =
  | { readonly status: number; readonly retryAfter: string | null }
  | { readonly failure: 'timeout' | 'address_not_allowed' | 'connection_failed' };

/** Sends one POST, follows no redirect, and never throws. */
export type PublicPost = (post: Post) => Promise<PostOutcome>;

const answerLimitBytes = 16 * 1024;

/** Reads an answer to its end or to the limit, whichever comes first; leaving the loop closes the connection. */
const readBounded = async (body: AsyncIterable<Uint8Array>): Promise<void> => {
  let read = 0;
  for await (const chunk of body) {
    read += chunk.byteLength;
    if (read >= answerLimitBytes) return;
  }
};

const failureOf = (error: unknown): PostOutcome => {
  if (error instanceof ForbiddenAddress) return { failure: 'address_not_allowed' };
  const isTimeout = error instanceof Error && (error.name === 'TimeoutError' || error.name === 'ConnectTimeoutError');
  return { failure: isTimeout ? 'timeout' : 'connection_failed' };
};

/** Makes the function that posts to receivers. `timeoutMs` covers everything from the lookup to the end of the answer. */
export const publicPost = (options: GuardOptions & { readonly timeoutMs: number }): PublicPost => {
  const dispatcher = guardedAgent(options);
  return async ({ url, headers, body }) => {
    try {
      const signal = AbortSignal.timeout(options.timeoutMs);
      const answer = await request(url, { dispatcher, method: 'POST', headers, body, signal });
      await readBounded(answer.body);
      const retryAfter = answer.headers['retry-after'];
      return { status: answer.statusCode, retryAfter: typeof retryAfter === 'string' ? retryAfter : null };
    } catch (error) {
      return failureOf(error);
    }
  };
};
