import type * as z from 'zod';
import type { ValidationProblem } from '../kernel/errors.ts';
import { capitalized } from '../kernel/text.ts';
import { integerIssue, integerTextIssue } from './schema-helpers.ts';
import { timestampProblem } from './timestamp.ts';

type Issue = z.core.$ZodIssue;
type Place = 'body' | 'query' | 'path' | 'header';
type Wording = Pick<ValidationProblem, 'type' | 'msg'>;

const plural = (count: number | bigint, noun: string): string => `${count} ${noun}${Number(count) === 1 ? '' : 's'}`;

const wrongType: Readonly<Record<string, Wording>> = {
  string: { type: 'string_type', msg: 'Input should be a valid string' },
  int: { type: 'int_type', msg: 'Input should be a valid integer' },
  number: { type: 'float_type', msg: 'Input should be a valid number' },
  boolean: { type: 'bool_type', msg: 'Input should be a valid boolean' },
  array: { type: 'list_type', msg: 'Input should be a valid list' },
  record: { type: 'dict_type', msg: 'Input should be a valid dictionary' },
  object: { type: 'model_attributes_type', msg: 'Input should be a valid dictionary or object to extract fields from' },
  date: { type: 'datetime_type', msg: 'Input should be a valid datetime' },
  null: { type: 'null_type', msg: 'Input should be null' },
};

/** Message of zod for a union that has none of its own. */
const unionIssue = 'Invalid input';

const valueAt = (input: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined,
    input,
  );

const invalidType = (issue: Extract<Issue, { code: 'invalid_type' }>, input: unknown): Wording => {
  // A body of `null` counts as absent.
  if (input === undefined || (input === null && issue.path.length === 0))
    return { type: 'missing', msg: 'Field required' };
  const integer = issue.expected === 'int' || issue.message === integerIssue;
  if (integer && typeof input === 'number' && Number.isFinite(input)) {
    return { type: 'int_from_float', msg: 'Input should be a valid integer, got a number with a fractional part' };
  }
  if (issue.expected === 'number' && typeof input === 'number') {
    return { type: 'finite_number', msg: 'Input should be a finite number' };
  }
  return (
    wrongType[integer ? 'int' : issue.expected] ?? {
      type: `${issue.expected}_type`,
      msg: `Input should be a valid ${issue.expected}`,
    }
  );
};

const tooSmall = (issue: Extract<Issue, { code: 'too_small' }>, input: unknown): Wording => {
  if (issue.origin === 'string') {
    return { type: 'string_too_short', msg: `String should have at least ${plural(issue.minimum, 'character')}` };
  }
  if (issue.origin === 'array' || issue.origin === 'set') {
    const length = Array.isArray(input) ? input.length : 0;
    return {
      type: 'too_short',
      msg: `List should have at least ${plural(issue.minimum, 'item')} after validation, not ${length}`,
    };
  }
  return issue.inclusive === false
    ? { type: 'greater_than', msg: `Input should be greater than ${issue.minimum}` }
    : { type: 'greater_than_equal', msg: `Input should be greater than or equal to ${issue.minimum}` };
};

/** Returns the problem of a list with too many items. */
export const tooLong = (maximum: number | bigint, length: number): Wording => ({
  type: 'too_long',
  msg: `List should have at most ${plural(maximum, 'item')} after validation, not ${length}`,
});

const tooBig = (issue: Extract<Issue, { code: 'too_big' }>, input: unknown): Wording => {
  if (issue.origin === 'string') {
    return { type: 'string_too_long', msg: `String should have at most ${plural(issue.maximum, 'character')}` };
  }
  if (issue.origin === 'array' || issue.origin === 'set') {
    return tooLong(issue.maximum, Array.isArray(input) ? input.length : 0);
  }
  return issue.inclusive === false
    ? { type: 'less_than', msg: `Input should be less than ${issue.maximum}` }
    : { type: 'less_than_equal', msg: `Input should be less than or equal to ${issue.maximum}` };
};

const quoted = (values: readonly unknown[]): string => {
  const words = values.map((value) => (typeof value === 'string' ? `'${value}'` : String(value)));
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} or ${words.at(-1) ?? ''}`;
};

const ofSchema = ({ message }: Issue): Wording => ({ type: 'value_error', msg: capitalized(message) });

/** Returns the problem of a value that has none of several forms. */
const ofUnion = (issue: Extract<Issue, { code: 'invalid_union' }>): Wording => {
  const forms = issue.errors.flatMap(([first]) =>
    first?.code === 'invalid_type' && first.path.length === 0 ? [invalidType(first, '').msg] : [],
  );
  const names = [...new Set(forms)].map((msg) => msg.replace(/^Input should be /, ''));
  if (issue.message !== unionIssue || names.length === 0) return ofSchema(issue);
  return { type: 'value_error', msg: `Input should be ${names.join(' or ')}` };
};

const invalidFormat = (issue: Extract<Issue, { code: 'invalid_format' }>, input: unknown): Wording => {
  if (issue.message === integerTextIssue) {
    return { type: 'int_parsing', msg: 'Input should be a valid integer, unable to parse string as an integer' };
  }
  if (issue.format === 'datetime') return timestampProblem(String(input));
  if (issue.format === 'url') return { type: 'url_parsing', msg: 'Input should be a valid URL' };
  // The message of the schema is more helpful than its pattern.
  if (issue.format === 'regex' && issue.message.startsWith('Invalid string')) {
    const pattern = (issue.pattern ?? '').replace(/^\/([\s\S]*)\/\w*$/, '$1');
    return { type: 'string_pattern_mismatch', msg: `String should match pattern '${pattern}'` };
  }
  return ofSchema(issue);
};

const wording = (issue: Issue, input: unknown): Wording => {
  switch (issue.code) {
    case 'invalid_type':
      return invalidType(issue, input);
    case 'too_small':
      return tooSmall(issue, input);
    case 'too_big':
      return tooBig(issue, input);
    case 'invalid_format':
      return invalidFormat(issue, input);
    case 'invalid_value':
      return input === undefined
        ? { type: 'missing', msg: 'Field required' }
        : { type: 'enum', msg: `Input should be ${quoted(issue.values)}` };
    case 'unrecognized_keys':
      return { type: 'extra_forbidden', msg: 'Extra inputs are not permitted' };
    case 'not_multiple_of':
      return { type: 'multiple_of', msg: `Input should be a multiple of ${issue.divisor}` };
    case 'invalid_key':
      return issue.issues[0] === undefined ? ofSchema(issue) : wording(issue.issues[0], issue.path.at(-1));
    case 'invalid_union':
      return input === undefined && issue.path.length > 0 ? { type: 'missing', msg: 'Field required' } : ofUnion(issue);
    case 'invalid_element':
    case 'custom':
      return input === undefined && issue.path.length > 0 && issue.code !== 'custom'
        ? { type: 'missing', msg: 'Field required' }
        : ofSchema(issue);
  }
};

const placeOf = ({ path }: Issue): string => JSON.stringify(path);

/** Whether an issue is about the bound of safe integers, which `z.int` adds. */
const isOfSafeRange = (issue: Issue): boolean => {
  if (issue.code !== 'too_big' && issue.code !== 'too_small') return false;
  const bound = issue.code === 'too_big' ? issue.maximum : issue.minimum;
  return Math.abs(Number(bound)) === Number.MAX_SAFE_INTEGER;
};

/** Whether an issue about the bound of safe integers repeats another issue, or a narrower bound is reported too. */
const isRedundant = (issue: Issue, at: number, issues: readonly Issue[]): boolean =>
  isOfSafeRange(issue) &&
  issues.some(
    (other, otherAt) =>
      other.code === issue.code && placeOf(other) === placeOf(issue) && (otherAt < at || !isOfSafeRange(other)),
  );

/** Whether an issue is about the size of a value of the wrong type. Zod measures every value with a length. */
const isOfMistyped = (issue: Issue, mistyped: ReadonlySet<string>): boolean =>
  (issue.code === 'too_big' || issue.code === 'too_small') && mistyped.has(placeOf(issue));

/** Limit of reported problems, which keeps the response below the payload limit. */
export const maxProblems = 1_000;
/** Limit of a key or message that repeats a part of the request. */
const maxTextLength = 300;

/** Truncates a part of the request for a problem. */
export const shortened = (text: string): string =>
  text.length <= maxTextLength ? text : `${text.slice(0, maxTextLength).toWellFormed()}…`;

/** Returns the ends of the locations of an issue: each unrecognized key, or `[key]` for an invalid key. */
const endsOf = (issue: Issue): readonly (readonly string[])[] => {
  if (issue.code === 'unrecognized_keys') return issue.keys.slice(0, maxProblems).map((key) => [shortened(key)]);
  return issue.code === 'invalid_key' ? [['[key]']] : [[]];
};

/**
 * Returns the first 1,000 problems of one part of a request in the wording of pydantic, which clients of this API know.
 * Source: the pydantic documentation, "Validation Errors".
 * @param place First element of each `loc`.
 * @param input Validated value.
 */
export const problemsOf = (place: Place, issues: readonly Issue[], input: unknown): readonly ValidationProblem[] => {
  const reported = issues.slice(0, maxProblems);
  const mistyped = new Set(reported.filter(({ code }) => code === 'invalid_type').map(placeOf));
  const problems = Iterator.from(reported.entries()).flatMap(([at, issue]) => {
    if (isRedundant(issue, at, reported) || isOfMistyped(issue, mistyped)) return [];
    const path = issue.path.map((key) => (typeof key === 'number' ? key : shortened(String(key))));
    const { type, msg } = wording(issue, valueAt(input, issue.path));
    return endsOf(issue).map((end) => ({ loc: [place, ...path, ...end], msg: shortened(msg), type }));
  });
  // A single issue may have a thousand locations.
  return [...problems.take(maxProblems)];
};
