import { ValidationFailure, type ValidationProblem, valueProblem } from '../kernel/errors.ts';
import type { Idempotency, Repeatable } from './admission.ts';
import type { HttpResult } from './answer.ts';
import type { Creation } from './creation.ts';

const header = 'idempotency-key';

/** The `Idempotency-Key` of a request; null where it has none. One that is no visible ASCII is told among `problems`. */
export const idempotencyKeyOf = (
  headers: Readonly<Record<string, string | undefined>>,
  problems: ValidationProblem[],
): string | null => {
  const key = headers[header];
  if (key === undefined) return null;
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key;
  problems.push(valueProblem(['header', header], 'an Idempotency-Key has 1 to 255 visible ASCII characters'));
  return null;
};

/**
 * Answers a request that may have been made before: with the answer that was kept, or else by running it with what an
 * earlier run of it was given. Only successes are kept here; a refusal may become a success later. Fields that are refused
 * leave the key to the request that mends them.
 */
export const once = async (
  idempotency: Idempotency,
  request: Repeatable,
  run: (creation: Creation) => Promise<HttpResult>,
  requestId: string,
): Promise<HttpResult> => {
  const begun = await idempotency.begin(request);
  if (!('creation' in begun)) {
    const headers = { 'content-type': 'application/json', 'x-request-id': requestId, 'idempotent-replayed': 'true' };
    return { ...begun, headers };
  }
  const answer = await run(begun.creation).catch(async (error: unknown) => {
    // Whatever is wrong with the fields is found before anything is made of them.
    if (error instanceof ValidationFailure) await begun.release();
    throw error;
  });
  return { ...answer, ...(await begun.keep({ statusCode: answer.statusCode, body: answer.body })) };
};
