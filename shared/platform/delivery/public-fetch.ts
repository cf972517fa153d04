import type { LookupFunction } from 'node:net';
import { type Dispatcher, request } from 'undici';
import {
  ForbiddenAddress,
  guardedAgent,
  guardedLookup,
  type Permits,
  type Resolve,
  systemResolve,
} from './guarded-agent.ts';
import { isLoopbackAddress, isPublicAddress } from './public-address.ts';

interface GuardOptions {
  /** Allows loopback addresses, also over `http:`. No other address is allowed over `http:`. */
  readonly allowLocal: boolean;
  /** Resolver of host names; by default that of the operating system. */
  readonly resolve?: Resolve;
}

/** Returns a dispatcher that reaches public addresses over `https:`, and loopback addresses if they are allowed. */
export const receiverAgent = ({ allowLocal, resolve }: GuardOptions): Dispatcher => {
  const isLocal: Permits = (address) => allowLocal && isLoopbackAddress(address);
  const isReceiver: Permits = (address) => isPublicAddress(address) || isLocal(address);
  const rules = new Map([
    ['https:', isReceiver],
    ['http:', isLocal],
  ]);
  return guardedAgent({
    permits: (protocol) => rules.get(protocol) ?? null,
    ...(resolve === undefined ? {} : { resolve }),
  });
};

/** Returns a lookup for clients of Node.js, with the rules of `receiverAgent` for one protocol. */
export const publicLookup = ({
  allowLocal,
  protocol,
  resolve = systemResolve,
}: GuardOptions & { readonly protocol: 'https:' | 'http:' }): LookupFunction =>
  guardedLookup(
    resolve,
    (address) => (protocol === 'https:' && isPublicAddress(address)) || (allowLocal && isLoopbackAddress(address)),
  );

interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Outcome of one POST: the status of the response, or why there was no complete response. */
export type PostOutcome =
  | { readonly status: number; readonly retryAfter: string | null }
  | { readonly failure: 'timeout' | 'address_not_allowed' | 'connection_failed' };

/** Sends one POST, follows no redirect, and never throws. */
export type PublicPost = (post: Post) => Promise<PostOutcome>;

const maxResponseBytes = 16 * 1024;

/** Reads a response to its end or to the limit, whichever comes first. Leaving the loop closes the connection. */
const drainResponse = async (body: AsyncIterable<Uint8Array>): Promise<void> => {
  let read = 0;
  for await (const chunk of body) {
    read += chunk.byteLength;
    if (read >= maxResponseBytes) return;
  }
};

const failureOf = (error: unknown): PostOutcome => {
  if (error instanceof ForbiddenAddress) return { failure: 'address_not_allowed' };
  const isTimeout = error instanceof Error && (error.name === 'TimeoutError' || error.name === 'ConnectTimeoutError');
  return { failure: isTimeout ? 'timeout' : 'connection_failed' };
};

/** Returns a function that posts to receivers. `timeoutMs` covers everything from the lookup to the end of the response. */
export const publicPost = (options: GuardOptions & { readonly timeoutMs: number }): PublicPost => {
  const dispatcher = receiverAgent(options);
  return async ({ url, headers, body }) => {
    try {
      const signal = AbortSignal.timeout(options.timeoutMs);
      const response = await request(url, { dispatcher, method: 'POST', headers, body, signal });
      await drainResponse(response.body);
      const retryAfter = response.headers['retry-after'];
      return { status: response.statusCode, retryAfter: typeof retryAfter === 'string' ? retryAfter : null };
    } catch (error) {
      return failureOf(error);
    }
  };
};
