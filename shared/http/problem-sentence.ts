import type { ValidationProblem } from '../kernel/errors.ts';

type Rest = readonly [start: RegExp, sentence: string];

const integer: Rest = [/^.*$/s, 'must be a whole number'];
const object: Rest = [/^.*$/s, 'must be an object'];
const number: Rest = [/^.*$/s, 'must be a number'];
const time: Rest = [/^.*$/s, 'must be a time with its zone, such as 2026-01-31T09:30:00Z'];
const bound: Rest = [/^Input should be /, 'must be '];
const items: Rest = [
  /^List should have (at (?:least|most) \d+ items?) after validation, not (\d+)/,
  'must have $1, and has $2',
];

/** Words for problems by their types, and the part of a message that they replace. */
const words: Readonly<Record<string, Rest>> = {
  missing: [/^Field required/, 'is required'],
  string_type: [/^.*$/s, 'must be a text'],
  int_type: integer,
  int_from_float: integer,
  int_parsing: integer,
  float_type: number,
  finite_number: number,
  bool_type: [/^.*$/s, 'must be true or false'],
  list_type: [/^Input should be a valid list/, 'must be a list'],
  dict_type: object,
  model_attributes_type: object,
  null_type: [/^.*$/s, 'must be null'],
  string_too_short: [/^String should have/, 'must have'],
  string_too_long: [/^String should have/, 'must have'],
  too_short: items,
  too_long: items,
  greater_than: bound,
  less_than: bound,
  greater_than_equal: [/^Input should be greater than or equal to /, 'must be at least '],
  less_than_equal: [/^Input should be less than or equal to /, 'must be at most '],
  enum: bound,
  multiple_of: bound,
  extra_forbidden: [/^Extra inputs are not permitted/, 'is no known field'],
  url_parsing: [/^.*$/s, 'must be an address, such as https://example.com'],
  datetime_type: time,
  timezone_aware: time,
  datetime_from_date_parsing: time,
  string_pattern_mismatch: [/^String should match pattern .*$/s, 'has a form that is not allowed'],
};

/**
 * Returns the problem of a field as a sentence for people.
 * @param field Name of the field as they know it; null if the problem is not about one.
 */
export const sentenceOf = ({ type, msg }: Pick<ValidationProblem, 'type' | 'msg'>, field: string | null): string => {
  const [part, replacement] = words[type] ?? bound;
  const isOfField = words[type] !== undefined || part.test(msg);
  const text = msg.replace(part, replacement);
  if (!isOfField) return field === null ? text : `${field}: ${text}`;
  return `${field ?? 'The value'} ${text}`;
};
