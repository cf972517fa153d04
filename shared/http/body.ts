import { isUtf8 } from 'node:buffer';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { AppError, ValidationFailure, type ValidationProblem, valueProblem } from '../kernel/errors.ts';
import {
  isJson,
  type JsonFlaw,
  jsonFlaws,
  jsonMistakeAt,
  keyNotAllowed,
  openPlaces,
  parseRefusal,
} from '../kernel/json-text.ts';
import { readNonFinite } from '../kernel/non-finite.ts';
import { mostProblems, problemsOf, shortened } from './problems.ts';

/** Below what a function can be handed in one request, so that the refusal is our own. */
const largestBodyBytes = 5 * 1024 * 1024;
/** Objects and lists of a body: a thousand rows have some thousands. */
const maxContainers = 100_000;

interface ParserFailure {
  readonly statusCode: number;
  /** `data` is the text with its mistake as `message`; without one it is a key that the parser takes from nobody. */
  readonly cause?: { readonly data?: unknown; readonly message?: unknown };
}

const isParserFailure = (error: unknown): error is ParserFailure =>
  error instanceof Error && typeof (error as Partial<ParserFailure>).statusCode === 'number';

/** Returns problems of a text, in ascending order of their positions, with line and column in their messages. */
const invalidJson = (
  text: string,
  mistakes: Iterable<{ readonly position: number; readonly msg: string }>,
): readonly ValidationProblem[] => {
  const placeOf = openPlaces(text);
  return Array.from(mistakes, ({ position, msg }) => ({
    loc: ['body', position],
    msg: `${msg} at ${placeOf(position)}`,
    type: 'json_invalid',
  }));
};

const flawProblems = (text: string, flaws: Iterable<JsonFlaw>): readonly ValidationProblem[] =>
  invalidJson(
    text,
    Iterator.from(flaws).map(({ position, what }) => ({ position, msg: `Invalid JSON: ${what}` })),
  );

const flawsOf = (text: string): readonly ValidationProblem[] => flawProblems(text, jsonFlaws(text).take(mostProblems));

/** Position of the first bytes that are no UTF-8 in the text which was decoded from them. */
const invalidUtf8At = (bytes: Buffer, text: string): number => {
  const replacement = '\uFFFD';
  let [from, offset] = [0, 0];
  for (let at = text.indexOf(replacement); at !== -1; at = text.indexOf(replacement, from)) {
    offset += Buffer.byteLength(text.slice(from, at));
    const isSent = bytes[offset] === 0xef && bytes[offset + 1] === 0xbf && bytes[offset + 2] === 0xbd;
    if (!isSent) return at;
    [from, offset] = [at + 1, offset + 3];
  }
  return 0;
};

/** Refuses a body that would take too much memory once it is parsed. */
const requireParsable = (text: string): void => {
  const refusal = parseRefusal(text, maxContainers);
  if (refusal === 'too_many')
    throw new AppError('payload_too_large', `A body may have at most ${maxContainers} objects and lists`);
  if (refusal !== null) throw new ValidationFailure(flawProblems(text, [refusal]));
};

/** Told as a schema does, which would never come to see a number in a field that it does not know. */
const nonFiniteProblems = (refused: string): readonly ValidationProblem[] => {
  const found = readNonFinite(refused);
  if (found === null) return [];
  const about = { code: 'invalid_type', expected: 'number', message: '' } as const;
  const issues = found.paths.map((path) => ({ ...about, path: [...path] }));
  return problemsOf('body', issues, found.value);
};

// The parser calls itself for every level, so what is nested too deep is JSON that it cannot take.
const mistakesOf = (refused: string): readonly ValidationProblem[] => {
  const mistakes = isJson(refused) ? flawsOf(refused) : nonFiniteProblems(refused);
  if (mistakes.length > 0) return mistakes;
  return invalidJson(refused, [{ position: jsonMistakeAt(refused), msg: 'JSON decode error' }]);
};

type Headers = APIGatewayProxyEventV2['headers'];

const isJsonType = ({ 'content-type': type = '' }: Headers): boolean =>
  /^application\/(?:[a-z0-9.+-]+\+)?json[ \t]*(?:;|$)/i.test(type);

/** Refuses a body that is packed: nothing here unpacks what strangers send. */
const requirePlain = ({ 'content-encoding': encoding = 'identity' }: Headers): void => {
  if (encoding.toLowerCase() !== 'identity')
    throw new AppError('unsupported_media_type', 'The body must not be compressed');
};

/** Parses JSON bodies, none as an empty object, and refuses those that parsers read differently; `fromParserFailure` translates its refusals. */
export const jsonBody = (): MiddlewareObj<APIGatewayProxyEventV2> => {
  const parser = httpJsonBodyParser<APIGatewayProxyEventV2>({ disableContentTypeCheck: true });
  return {
    before: async (request) => {
      const { body = '', headers, isBase64Encoded } = request.event;
      const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
      if (bytes.length > largestBodyBytes) {
        throw new AppError('payload_too_large', `A body may have at most ${largestBodyBytes} bytes`);
      }
      const text = bytes.toString('utf8');
      if (text === '') {
        Object.assign(request.event, { body: {} });
        return;
      }
      requirePlain(headers);
      if (!isJsonType(headers))
        throw new AppError('unsupported_media_type', 'The body must be JSON with content-type application/json');
      requireParsable(text);
      Object.assign(request.event, { body: text, isBase64Encoded: false });
      await parser.before?.(request);
      if (!isUtf8(bytes)) {
        const flaw = { position: invalidUtf8At(bytes, text), what: 'invalid UTF-8' };
        throw new ValidationFailure(flawProblems(text, [flaw]));
      }
      const flaws = flawsOf(text);
      if (flaws.length > 0) throw new ValidationFailure(flaws);
    },
  };
};

/** Far above what a form of OAuth comes to. The platform's parser needs time by the square of what it is given. */
const largestFormBytes = 16 * 1024;

/** The one media type besides JSON that a body may have. */
export type FormType = 'application/x-www-form-urlencoded';

const isForm = ({ 'content-type': type = '' }: Headers): boolean =>
  /^application\/x-www-form-urlencoded[ \t]*(?:;|$)/i.test(type);

const parametersOf = (text: string): Readonly<Record<string, string>> => {
  const sent = new URLSearchParams(text);
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const name of sent.keys()) (seen.has(name) ? repeated : seen).add(name);
  const problems = [...repeated]
    .slice(0, mostProblems)
    .map((name) => valueProblem(['body', shortened(name)], 'the parameter is repeated'));
  if (problems.length > 0) throw new ValidationFailure(problems);
  return Object.fromEntries([...sent].filter(([, value]) => value !== ''));
};

/** Parses forms. A parameter without a value is absent, and none may be repeated. Source: RFC 6749, 3.2. */
export const formBody = (): MiddlewareObj<APIGatewayProxyEventV2> => ({
  before: ({ event }) => {
    requirePlain(event.headers);
    if (!isForm(event.headers))
      throw new AppError('unsupported_media_type', 'The body must be application/x-www-form-urlencoded');
    const body = event.body ?? '';
    const bytes = Buffer.from(body, event.isBase64Encoded ? 'base64' : 'utf8');
    if (bytes.length > largestFormBytes)
      throw new AppError('payload_too_large', `A form may have at most ${largestFormBytes} bytes`);
    // From here on the body is what was parsed, as the JSON parser does it.
    Object.assign(event, { body: parametersOf(bytes.toString('utf8')) });
  },
});

/** The parser's 422 in our words; anything else unchanged. */
export const fromParserFailure = (error: unknown): unknown => {
  if (!isParserFailure(error)) return error;
  if (error.statusCode === 422 || error.statusCode === 400) {
    const { data, message } = error.cause ?? {};
    if (typeof data !== 'string') return new ValidationFailure(mistakesOf(''));
    return new ValidationFailure(
      message === undefined ? [valueProblem(['body'], keyNotAllowed(data))] : mistakesOf(data),
    );
  }
  return error;
};
