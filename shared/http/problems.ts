import type * as z from 'zod';
import type { ValidationProblem } from '../kernel/errors.ts';
import { integerIssue, integerTextIssue } from './integer.ts';
import { noMoment } from './moment.ts';

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
};

const valueAt = (input: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined,
    input,
  );

const invalidType = (issue: Extract<Issue, { code: 'invalid_type' }>, input: unknown): Wording => {
  // A body that is `null` counts as none at all.
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

/** How a list with more items than it may have is told of. */
export const tooLong = (most: number | bigint, length: number): Wording => ({
  type: 'too_long',
  msg: `List should have at most ${plural(most, 'item')} after validation, not ${length}`,
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

const ofSchema = ({ message }: Issue): Wording => ({ type: 'value_error', msg: `Value error, ${message}` });

const invalidFormat = (issue: Extract<Issue, { code: 'invalid_format' }>, input: unknown): Wording => {
  if (issue.message === integerTextIssue) {
    return { type: 'int_parsing', msg: 'Input should be a valid integer, unable to parse string as an integer' };
  }
  if (issue.format === 'datetime') return noMoment(String(input));
  if (issue.format === 'url') return { type: 'url_parsing', msg: 'Input should be a valid URL' };
  // A pattern says nothing to people where its schema has words for it.
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
    case 'invalid_element':
    case 'custom':
      return input === undefined && issue.path.length > 0 && issue.code !== 'custom'
        ? { type: 'missing', msg: 'Field required' }
        : ofSchema(issue);
  }
};

const placeOf = ({ path }: Issue): string => JSON.stringify(path);

/** Whether an issue is about the end of the safe integers, as `z.int` has one itself. */
const isOfSafeRange = (issue: Issue): boolean => {
  if (issue.code !== 'too_big' && issue.code !== 'too_small') return false;
  const bound = issue.code === 'too_big' ? issue.maximum : issue.minimum;
  return Math.abs(Number(bound)) === Number.MAX_SAFE_INTEGER;
};

/** Whether an issue is about the end of the safe integers where a narrower bound is told of, or that end already is. */
const isOutdone = (issue: Issue, at: number, issues: readonly Issue[]): boolean =>
  isOfSafeRange(issue) &&
  issues.some(
    (other, otherAt) =>
      other.code === issue.code && placeOf(other) === placeOf(issue) && (otherAt < at || !isOfSafeRange(other)),
  );

/** Whether an issue is about the size of a value that is of another type, as whatever has a length is measured, too. */
const isOfMistyped = (issue: Issue, mistyped: ReadonlySet<string>): boolean =>
  (issue.code === 'too_big' || issue.code === 'too_small') && mistyped.has(placeOf(issue));

/** So many problems are told: an answer has to stay within what a function may give. */
export const mostProblems = 1_000;
/** So much is told of a key or a message that repeats what was sent. */
const longestText = 300;

/** A part of what was sent, as it is repeated in a problem. */
export const shortened = (text: string): string =>
  text.length <= longestText ? text : `${text.slice(0, longestText).toWellFormed()}…`;

/** What follows the path of an issue at each place that it is about: a key that is too much, or that a key is meant. */
const endsOf = (issue: Issue): readonly (readonly string[])[] => {
  if (issue.code === 'unrecognized_keys') return issue.keys.slice(0, mostProblems).map((key) => [shortened(key)]);
  return issue.code === 'invalid_key' ? [['[key]']] : [[]];
};

/**
 * The problems of one part of a request in the wording of pydantic, which clients of this interface were written against.
 * `input` is what was validated; `loc` begins with `place`; the first 1,000 are told. Source: the pydantic documentation,
 * "Validation Errors".
 */
export const problemsOf = (place: Place, issues: readonly Issue[], input: unknown): readonly ValidationProblem[] => {
  const told = issues.slice(0, mostProblems);
  const mistyped = new Set(told.filter(({ code }) => code === 'invalid_type').map(placeOf));
  const problems = Iterator.from(told.entries()).flatMap(([at, issue]) => {
    if (isOutdone(issue, at, told) || isOfMistyped(issue, mistyped)) return [];
    const path = issue.path.map((key) => (typeof key === 'number' ? key : shortened(String(key))));
    const { type, msg } = wording(issue, valueAt(input, issue.path));
    return endsOf(issue).map((end) => ({ loc: [place, ...path, ...end], msg: shortened(msg), type }));
  });
  // A single issue may be of a thousand fields.
  return [...problems.take(mostProblems)];
};
