import { pause } from './pause.ts';

/** Statuses of a refused request, and of a service or proxy that did not answer in time. */
const repeated = new Set([408, 429, 502, 503, 504]);
/** Error codes of a connection that could not be opened, in Node.js and Bun. */
const unreached: ReadonlySet<unknown> = new Set(
  'ECONNREFUSED EHOSTUNREACH ENETUNREACH EAI_AGAIN UND_ERR_CONNECT_TIMEOUT ConnectionRefused'.split(' '),
);
const broken: ReadonlySet<unknown> = new Set('ECONNRESET EPIPE ETIMEDOUT UND_ERR_SOCKET ConnectionClosed'.split(' '));
const firstPauseMs = 500;
/** Maximum of a pause. If the service asks for a longer one, the caller gets the response. */
const maxPauseMs = 60_000;
/** Maximum of the random addition to a pause, as a share of it. It spreads the retries of callers refused together. */
const jitter = 0.25;

/**
 * Milliseconds of `Retry-After`, which has seconds or a date; NaN if it is absent or invalid. A past date counts as absent,
 * because the clocks of both sides may differ. Source: RFC 9110, section 10.2.3.
 */
const askedMs = (header: string): number => {
  if (/^\d+(\.\d+)?$/.test(header)) return Number(header) * 1000;
  const ms = header.endsWith('GMT') ? Date.parse(header) - Date.now() : Number.NaN;
  return ms > 0 ? ms : Number.NaN;
};

/** Milliseconds to wait: those of `Retry-After`, else exponential backoff. */
const pauseMs = (response: Response, attempt: number): number => {
  const asked = askedMs(response.headers.get('retry-after') ?? '');
  return Number.isFinite(asked) ? asked : Math.min(firstPauseMs * 2 ** attempt, maxPauseMs);
};

interface Repeats {
  /** Maximum of retries. */
  readonly retries: number;
  readonly signal: AbortSignal | null;
  /** Status by which a retry shows that an earlier attempt succeeded; null if there is none. */
  readonly done: number | null;
}

/**
 * Status that an error of `fetch` counts as: 429 if the request was not sent, 503 if it may have been run; null for an error
 * that would return. Bun has the code on the error itself. Deno and browsers have none for any error of a connection.
 */
const statusOf = (error: unknown): 429 | 503 | null => {
  if (!(error instanceof Error)) return null;
  const codes = [error, error.cause].map((part) =>
    part instanceof Error && 'code' in part && typeof part.code === 'string' ? part.code : null,
  );
  if (codes.some((code) => unreached.has(code))) return 429;
  if (codes.some((code) => broken.has(code))) return 503;
  return error instanceof TypeError && codes.every((code) => code === null) ? 503 : null;
};

/** Resolves to the response, or to one with the status that a failed connection counts as. */
const answerOf = async (sent: Promise<Response>, signal: AbortSignal | null): Promise<Response> => {
  try {
    const response = await sent;
    // A response whose body breaks off counts as a broken connection.
    if (!repeated.has(response.status)) await response.clone().arrayBuffer();
    return response;
  } catch (error) {
    const status = signal?.aborted === true ? null : statusOf(error);
    if (status === null) throw error;
    return new Response(null, { status });
  }
};

/**
 * Retries until a response is none of the statuses that pass, or asks for more than the maximum pause. That is safe: a
 * request with a 429 was not run. A request that is sent again after another status or a broken connection is idempotent, or
 * has the `Idempotency-Key` of the first.
 */
export const repeat = async (
  send: (isLast: boolean) => Promise<Response>,
  { retries, signal, done }: Repeats,
): Promise<Response> => {
  let mayBeDone = false;
  for (let attempt = 0; ; attempt += 1) {
    const isLast = attempt >= retries;
    const response = await (isLast ? send(true) : answerOf(send(false), signal));
    const isDone = mayBeDone && response.status === done;
    const ms = pauseMs(response, attempt);
    const isFinal = isLast || !repeated.has(response.status) || ms > maxPauseMs;
    if (!isDone && isFinal) return response;
    await response.body?.cancel();
    if (isDone) return new Response(null, { status: 204, headers: response.headers });
    // Every other status may have come after the work was done.
    mayBeDone ||= response.status !== 429;
    await pause(ms * (1 + jitter * Math.random()), signal ?? undefined);
  }
};
