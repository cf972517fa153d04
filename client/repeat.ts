import { pause } from './pause.ts';

const repeated = new Set([429, 503]);
/** Of a connection that could not be made for now, and of one that ended before the answer. */
const unreached: ReadonlySet<unknown> = new Set(
  'ECONNREFUSED EHOSTUNREACH ENETUNREACH EAI_AGAIN UND_ERR_CONNECT_TIMEOUT'.split(' '),
);
const broken: ReadonlySet<unknown> = new Set('ECONNRESET EPIPE ETIMEDOUT UND_ERR_SOCKET'.split(' '));
const firstPauseMs = 500;
/** Of those that wait for longer, the caller decides. */
const maxPauseMs = 60_000;
/** Callers that were refused together come back apart: each waits up to this part longer. */
const jitter = 0.25;

/**
 * Milliseconds that `Retry-After` asks for, in seconds or as a date; NaN where it says nothing. A date that has passed
 * says nothing either, as the clocks of both sides may differ. Source: RFC 9110, section 10.2.3.
 */
const askedMs = (header: string): number => {
  if (/^\d+(\.\d+)?$/.test(header)) return Number(header) * 1000;
  const ms = header.endsWith('GMT') ? Date.parse(header) - Date.now() : Number.NaN;
  return ms > 0 ? ms : Number.NaN;
};

/** Milliseconds to wait: what `Retry-After` asks for, else twice as long each time. */
const pauseMs = (response: Response, attempt: number): number => {
  const asked = askedMs(response.headers.get('retry-after') ?? '');
  return Number.isFinite(asked) ? asked : Math.min(firstPauseMs * 2 ** attempt, maxPauseMs);
};

interface Repeats {
  /** How often a request is sent again at most. */
  readonly retries: number;
  readonly signal: AbortSignal | null;
  /** Status that says of a repeat that an earlier attempt has done its work; null where none does. */
  readonly done: number | null;
}

/** The answer. A connection that could not be made counts as a 429, since nothing was run, one that broke as a 503. */
const answerOf = async (sent: Promise<Response>): Promise<Response> => {
  try {
    const response = await sent;
    // One that breaks off in its body is no answer.
    if (!repeated.has(response.status)) await response.clone().arrayBuffer();
    return response;
  } catch (error) {
    const cause: unknown = error instanceof TypeError ? error.cause : undefined;
    const code: unknown = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (unreached.has(code)) return new Response(null, { status: 429 });
    if (broken.has(code)) return new Response(null, { status: 503 });
    throw error;
  }
};

/**
 * Sends until there is an answer that is neither 429 nor 503, or one that asks for more than the longest pause. That is
 * safe: what is answered 429 was not run, and what is sent again after a 503 or a broken connection changes nothing the
 * second time, or carries the `Idempotency-Key` of the first.
 */
export const repeat = async (
  send: (isLast: boolean) => Promise<Response>,
  { retries, signal, done }: Repeats,
): Promise<Response> => {
  let mayBeDone = false;
  for (let attempt = 0; ; attempt += 1) {
    const isLast = attempt >= retries;
    const response = await (isLast ? send(true) : answerOf(send(false)));
    const isDone = mayBeDone && response.status === done;
    const ms = pauseMs(response, attempt);
    const isFinal = isLast || !repeated.has(response.status) || ms > maxPauseMs;
    if (!isDone && isFinal) return response;
    await response.body?.cancel();
    if (isDone) return new Response(null, { status: 204, headers: response.headers });
    // A 503 may have come after the work was done.
    mayBeDone ||= response.status === 503;
    await pause(ms * (1 + jitter * Math.random()), signal ?? undefined);
  }
};
