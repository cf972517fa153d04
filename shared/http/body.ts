import { isUtf8 } from 'node:buffer';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { AppError, ValidationFailure, type ValidationProblem, valueProblem } from '../kernel/errors.ts';
import { isObject } from '../kernel/json.ts';
import {
  type ElementLimits,
  forbiddenKeyIn,
  isJson,
  type JsonFlaw,
  jsonFlaws,
  jsonMistakeAt,
  keyNotAllowed,
  openPlaces,
  parseRefusal,
} from '../kernel/json-text.ts';
import { readNonFinite } from '../kernel/non-finite.ts';
import { type UnsafeInteger, unsafeIntegers } from '../kernel/unsafe-integers.ts';
import { maxProblems, problemsOf, shortened } from './validation-problems.ts';

/** Default limit of a body, far above the size of any valid one. */
export const maxBodyBytes = 512 * 1024;
/** Limit of a body of items, ids or filters. It is below the payload limit of Lambda, so the service returns the error. */
export const maxBulkBodyBytes = 5 * 1024 * 1024;
/** Limits of the elements of a body. A thousand rows have some thousands of each, and metadata of 40 KiB fewer keys. */
const elementLimits: ElementLimits = { containers: 100_000, keys: 100_000, keysOfObject: 10_000 };

const elementNames: Readonly<Record<keyof ElementLimits, string>> = {
  containers: 'objects and lists',
  keys: 'keys',
  keysOfObject: 'keys in one object',
};

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

const flawsOf = (text: string): readonly ValidationProblem[] => flawProblems(text, jsonFlaws(text).take(maxProblems));

/** Returns the position of the first invalid UTF-8 in the text that was decoded from bytes. */
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

/** Throws for a body with too many elements. Returns the first flaw of one that parsers read differently; null: none. */
export const requireFewElements = (text: string): JsonFlaw | null => {
  const refusal = parseRefusal(text, elementLimits);
  if (typeof refusal !== 'string') return refusal;
  throw new AppError('payload_too_large', `A body may have at most ${elementLimits[refusal]} ${elementNames[refusal]}`);
};

/** Throws for a body that would need too much memory when it is parsed. */
const requireParsable = (text: string): void => {
  const refusal = requireFewElements(text);
  if (refusal !== null) throw new ValidationFailure(flawProblems(text, [refusal]));
};

/** Returns the fields of a body that is an object, before its validation; none of a body that will be refused. */
export const fieldsOf = (text: string): Readonly<Record<string, unknown>> => {
  if (text.length > maxBulkBodyBytes || parseRefusal(text, elementLimits) !== null) return {};
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) ? parsed : {};
  } catch {
    return {};
  }
};

/** Returns problems of non-finite numbers in the wording of a schema, which would not see them in unknown fields. */
const nonFiniteProblems = (refused: string): readonly ValidationProblem[] => {
  const found = readNonFinite(refused);
  if (found === null) return [];
  const about = { code: 'invalid_type', expected: 'number', message: '' } as const;
  const issues = found.paths.map((path) => ({ ...about, path: [...path] }));
  return problemsOf('body', issues, found.value);
};

// The parser is recursive, so it fails for valid JSON that is nested too deep.
const mistakesOf = (refused: string): readonly ValidationProblem[] => {
  const mistakes = isJson(refused) ? flawsOf(refused) : nonFiniteProblems(refused);
  if (mistakes.length > 0) return mistakes;
  return invalidJson(refused, [{ position: jsonMistakeAt(refused), msg: 'JSON decode error' }]);
};

type Headers = APIGatewayProxyEventV2['headers'];

const isJsonType = ({ 'content-type': type = '' }: Headers): boolean =>
  /^application\/(?:[a-z0-9.+-]+\+)?json[ \t]*(?:;|$)/i.test(type);

/** Throws for a compressed body. The service does not decompress requests, which prevents decompression bombs. */
export const requirePlain = ({ 'content-encoding': encoding = 'identity' }: Headers): void => {
  if (encoding.toLowerCase() !== 'identity')
    throw new AppError('unsupported_media_type', 'The body must not be compressed');
};

const toProblem = ({ path, msg }: UnsafeInteger): ValidationProblem =>
  valueProblem(['body', ...path.map((key) => (typeof key === 'string' ? shortened(key) : key))], msg);

/**
 * Parses JSON. Throws for invalid JSON, for JSON that parsers read differently, for keys that are not allowed and for
 * whole numbers that would be rounded.
 * @param isFree Whether the text is metadata or a filter.
 */
const parseBody = (bytes: Buffer, text: string, isFree = false): unknown => {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new ValidationFailure(mistakesOf(text));
  }
  if (!isUtf8(bytes)) {
    const flaw = { position: invalidUtf8At(bytes, text), what: 'invalid UTF-8' };
    throw new ValidationFailure(flawProblems(text, [flaw]));
  }
  const flaws = flawsOf(text);
  if (flaws.length > 0) throw new ValidationFailure(flaws);
  const key = forbiddenKeyIn(text, parsed);
  if (key !== null) throw new ValidationFailure([valueProblem(['body'], keyNotAllowed(key))]);
  const rounded = unsafeIntegers(text, parsed, isFree).take(maxProblems).toArray();
  if (rounded.length > 0) throw new ValidationFailure(rounded.map(toProblem));
  return parsed;
};

/**
 * Parses metadata or a filter that a body has as text, by the rules of bodies. Throws `ValidationFailure`, or
 * `payload_too_large`.
 */
export const parseJson = (text: string): unknown => {
  requireParsable(text);
  return parseBody(Buffer.from(text), text, true);
};

/** Body of a request before it is parsed. */
export type SentBody = Pick<APIGatewayProxyEventV2, 'body' | 'headers' | 'isBase64Encoded'>;

/** Returns the parser of JSON bodies. An absent body counts as an empty object. */
export const jsonBody =
  (maxBytes = maxBodyBytes) =>
  ({ body = '', headers, isBase64Encoded }: SentBody): unknown => {
    const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
    if (bytes.length > maxBytes) {
      throw new AppError('payload_too_large', `The body may have at most ${maxBytes} bytes`);
    }
    const text = bytes.toString('utf8');
    if (text === '') return {};
    requirePlain(headers);
    if (!isJsonType(headers))
      throw new AppError('unsupported_media_type', 'The body must be JSON with content-type application/json');
    requireParsable(text);
    return parseBody(bytes, text);
  };

/** Limit of a form, far above the size of an OAuth form. The time of the parser grows with the square of the size. */
const maxFormBytes = 16 * 1024;

/** Media types of bodies besides JSON. */
export type FormType = 'application/x-www-form-urlencoded' | 'multipart/form-data';

const isForm = ({ 'content-type': type = '' }: Headers): boolean =>
  /^application\/x-www-form-urlencoded[ \t]*(?:;|$)/i.test(type);

const parametersOf = (text: string): Readonly<Record<string, string>> => {
  const sent = new URLSearchParams(text);
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const name of sent.keys()) (seen.has(name) ? repeated : seen).add(name);
  const problems = [...repeated]
    .slice(0, maxProblems)
    .map((name) => valueProblem(['body', shortened(name)], 'the parameter is repeated'));
  if (problems.length > 0) throw new ValidationFailure(problems);
  return Object.fromEntries([...sent].filter(([, value]) => value !== ''));
};

/** Parses a form. Parameters without a value are absent, and repeated ones are refused. Source: RFC 6749, 3.2. */
export const formBody = ({ body = '', headers, isBase64Encoded }: SentBody): unknown => {
  requirePlain(headers);
  if (!isForm(headers))
    throw new AppError('unsupported_media_type', 'The body must be application/x-www-form-urlencoded');
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.length > maxFormBytes)
    throw new AppError('payload_too_large', `A form may have at most ${maxFormBytes} bytes`);
  return parametersOf(bytes.toString('utf8'));
};
