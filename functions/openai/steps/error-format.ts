import * as z from 'zod';
import type { ErrorFormat } from '../../../shared/http/response.ts';
import { sentenceOf } from '../../../shared/http/problem-sentence.ts';
import { AppError, statusByCode, ValidationFailure, type ValidationProblem } from '../../../shared/kernel/errors.ts';

const OpenaiError = z
  .object({
    error: z.object({
      message: z.string(),
      type: z.string(),
      param: z.string().nullable(),
      code: z.string().nullable(),
    }),
  })
  .meta({ id: 'OpenaiError', description: 'An error in the form of the OpenAI API.' });

const typeOf = (status: number): string => {
  if (status === 401) return 'authentication_error';
  if (status === 403) return 'permission_error';
  if (status === 429) return 'rate_limit_error';
  return status >= 500 ? 'server_error' : 'invalid_request_error';
};

/** Returns a refusal of something that the OpenAI API has and this one has not. */
export const unsupported = (param: string, message: string): AppError =>
  new AppError('bad_request', message, { fields: { param, openai_code: 'unsupported_value' } });

/** Returns the refusal of a parameter. */
export const invalidParam = (param: string, message: string): AppError =>
  new AppError('bad_request', message, { fields: { param, openai_code: 'invalid_value' } });

/** Returns the field of a problem; null if it is about the whole body, or a position in its text. */
const paramOf = ({ loc, type }: ValidationProblem): string | null =>
  loc.length < 2 || type === 'json_invalid' ? null : loc.slice(1).join('.');

const messageOf = (problem: ValidationProblem): string => sentenceOf(problem, paramOf(problem));

/** Errors in the form of the OpenAI API. Its clients expect a 400 for a parameter that is not valid. */
export const openaiErrorFormat: ErrorFormat = {
  statuses: [400, 401, 402, 403, 404, 409, 413, 415, 429, 500, 503],
  body: OpenaiError,
  of: (refusal) => {
    if (refusal instanceof ValidationFailure) {
      const message = refusal.problems.map(messageOf).join('; ');
      const [first] = refusal.problems;
      const param = first === undefined ? null : paramOf(first);
      const error = { message, type: 'invalid_request_error', param, code: null };
      return { status: 400, body: { error }, headers: {} };
    }
    const status = statusByCode[refusal.code];
    const { param = null, openai_code: code = refusal.code } = refusal.fields;
    const error = { message: refusal.message, type: typeOf(status), param, code };
    return { status, body: { error }, headers: refusal.headers };
  },
};
