import httpJsonBodyParser from '@middy/http-json-body-parser';
import { AppError, ValidationFailure } from '../kernel/errors.ts';

interface ParserFailure {
  readonly statusCode: number;
  readonly cause?: { readonly message?: string };
}

const isParserFailure = (error: unknown): error is ParserFailure =>
  error instanceof Error && typeof (error as Partial<ParserFailure>).statusCode === 'number';

/** Where in the text JSON.parse gave up; 0 where it does not say. */
const failurePosition = (message: string | undefined): number => Number(/position (\d+)/.exec(message ?? '')?.[1] ?? 0);

/** Parses JSON bodies; its refusals become our own. */
export const jsonBody = httpJsonBodyParser;

/** The parser's 415 and 422 in our words; anything else unchanged. */
export const fromParserFailure = (error: unknown): unknown => {
  if (!isParserFailure(error)) return error;
  if (error.statusCode === 415) {
    return new AppError('unsupported_media_type', 'The body must be JSON with content-type application/json');
  }
  if (error.statusCode === 422 || error.statusCode === 400) {
    return new ValidationFailure([
      { loc: ['body', failurePosition(error.cause?.message)], msg: 'JSON decode error', type: 'json_invalid' },
    ]);
  }
  return error;
};
