import { type Dispatcher, request } from 'undici';
import { ForbiddenAddress, guardedAgent, type Permits, type Resolve } from './guarded-agent.ts';
import { isLoopbackAddress, isPublicAddress } from './public-address.ts';

interface GuardOptions {
  /** Lets loopback addresses pass, over `http:` too; nothing else passes over `http:`. */
  readonly allowLocal: boolean;
  /** How names become addresses; by default as the operating system does it. */
  readonly resolve?: Resolve;
}

/** Public addresses over `https:`, and loopback addresses where they are allowed. */
const receiverAgent = ({ allowLocal, resolve }: GuardOptions): Dispatcher => {
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
const discardAnswer = async (body: AsyncIterable<Uint8Array>): Promise<void> => {
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
  const dispatcher = receiverAgent(options);
  return async ({ url, headers, body }) => {
    try {
      const signal = AbortSignal.timeout(options.timeoutMs);
      const answer = await request(url, { dispatcher, method: 'POST', headers, body, signal });
      await discardAnswer(answer.body);
      const retryAfter = answer.headers['retry-after'];
      return { status: answer.statusCode, retryAfter: typeof retryAfter === 'string' ? retryAfter : null };
    } catch (error) {
      return failureOf(error);
    }
  };
};
