import { pause } from './pause.ts';

const repeated = new Set([429, 503]);
const firstPauseMs = 500;
const longestPauseMs = 60_000;
/** Callers that were refused together come back apart: each waits up to this part longer. */
const jitter = 0.25;

/** Milliseconds to wait: what `Retry-After` asks for, else twice as long each time. */
const pauseMs = (response: Response, attempt: number): number => {
  const header = response.headers.get('retry-after');
  const askedMs = header === null ? Number.NaN : Number(header) * 1000;
  const ms = Number.isFinite(askedMs) ? askedMs : firstPauseMs * 2 ** attempt;
  return Math.min(ms, longestPauseMs) * (1 + jitter * Math.random());
};

/**
 * Sends until the answer is neither 429 nor 503, at most `retries` times more. That is safe: what is answered 429 was not
 * run, and what is sent again after a 503 changes nothing the second time, or carries the `Idempotency-Key` of the first.
 */
export const repeat = async (
  send: (isLast: boolean) => Promise<Response>,
  retries: number,
  signal?: AbortSignal,
): Promise<Response> => {
  for (let attempt = 0; ; attempt += 1) {
    const isLast = attempt === retries;
    const response = await send(isLast);
    if (isLast || !repeated.has(response.status)) return response;
    await response.body?.cancel();
    await pause(pauseMs(response, attempt), signal);
  }
};
