import * as z from 'zod';
import { isObject, type Json, type JsonObject } from '../../../shared/kernel/json.ts';
import { forbiddenKeyIn, jsonFlaws, keyNotAllowed } from '../../../shared/kernel/json-text.ts';
import { unsafeIntegers } from '../../../shared/kernel/unsafe-integers.ts';
import type { FilterValue } from './filter-tokens.ts';
import { instantOf } from './instant.ts';
import { hasOperators, parseFilter, type Filter, type FilterNode } from './filter-tree.ts';

export type { Filter } from './filter-tree.ts';

/** Levels of nested `$and`, `$or` and `$not`. An object without them has none. */
const maxFilterDepth = 8;
/** Conditions of one filter. Each operator under a key counts as one. */
export const maxFilterConditions = 64;
/** Filters that `$and`, `$or` and `$not` join in one filter, including empty ones. */
export const maxFilterParts = maxFilterConditions * maxFilterDepth;
/** Values of all `$in` and `$nin` lists of one filter together. */
const maxFilterValues = 1_000;
/** UTF-8 bytes of one filter as JSON. */
export const maxFilterBytes = 2 * 1024 * 1024;

const operators: ReadonlySet<string> = new Set(['$eq', '$ne', '$in', '$nin', '$gt', '$gte', '$lt', '$lte', '$exists']);

type Path = readonly (string | number)[];
type Report = (path: Path, message: string) => void;

const isFilterValue = (value: unknown): value is FilterValue =>
  value === null ||
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  (typeof value === 'number' && Number.isFinite(value)) ||
  isObject(value);
const valueNeeded = 'a string, a finite number, a boolean, null or an object is needed';
const listNeeded = 'a list of strings, numbers, booleans, nulls or objects is needed';

/** Names of operators without their `$`. An object with such a key is more likely a mistake than a value. */
const bareOperators: ReadonlySet<string> = new Set(Array.from(operators, (operator) => operator.slice(1)));

/** Returns the key of an object that looks like an operator, and its path. Undefined if there is none. */
const misplacedOperator = (value: Json, path: Path): { readonly path: Path; readonly key: string } | undefined => {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, member] of Object.entries<Json>(value)) {
    if (key.startsWith('$')) return { path: [...path, key], key };
    const inner = misplacedOperator(member, [...path, key]);
    if (inner !== undefined) return inner;
  }
  return undefined;
};

/** Maximum length, in characters, of a text that values are compared with by order. */
const maxBoundLength = 100;
const boundNeeded =
  `a finite number or a text of 1 to ${maxBoundLength} characters is needed, ` +
  'without quotes, backslashes and control characters';
const boundText = new RegExp(`^[^\\p{Cc}\\p{Cs}"\\\\]{1,${maxBoundLength}}$`, 'u');

const isBound = (value: unknown): boolean =>
  typeof value === 'string' ? boundText.test(value) : Number.isFinite(value);

/** Counts towards each limit of a filter so far. */
interface Budget {
  conditions: number;
  parts: number;
  values: number;
}

/** Returns whether a limit is exceeded. The rest of the filter is then skipped. */
const isSpent = ({ conditions, parts, values }: Budget): boolean =>
  conditions > maxFilterConditions || parts > maxFilterParts || values > maxFilterValues;

const checkList = (value: unknown, path: Path, report: Report, budget: Budget): void => {
  if (!Array.isArray(value)) {
    report(path, listNeeded);
    return;
  }
  budget.values += value.length;
  if (isSpent(budget)) return;
  value.forEach((item: unknown, position) => {
    if (!isFilterValue(item)) report([...path, position], valueNeeded);
  });
};

const mixedForms =
  'one bound of this range is a time with an offset and the other is not: write both like 2026-02-01T00:00:00Z';

/** Whether the bounds of each key are times. Bounds that are joined by AND are one range. */
type Ranges = Map<string, boolean>;

/** State of a check: what all parts of a filter share, and what the parts share that are joined by AND. */
interface Check {
  readonly report: Report;
  readonly budget: Budget;
  readonly ranges: Ranges;
}

const checkBound = (value: unknown, key: string, path: Path, { report, ranges }: Check): void => {
  if (!isBound(value)) {
    report(path, boundNeeded);
    return;
  }
  if (typeof value !== 'string') return;
  const isTime = instantOf(value) !== null;
  if (ranges.get(key) === !isTime) report(path, mixedForms);
  else ranges.set(key, isTime);
};

const checkOperator = (operator: string, value: unknown, key: string, path: Path, check: Check): void => {
  const { report, budget } = check;
  switch (operator) {
    case '$eq':
    case '$ne':
      if (!isFilterValue(value)) report(path, valueNeeded);
      return;
    case '$in':
    case '$nin':
      checkList(value, path, report, budget);
      return;
    case '$exists':
      if (typeof value !== 'boolean') report(path, 'a boolean is needed');
      return;
    default:
      checkBound(value, key, path, check);
  }
};

/** Checks an object without operators, which means equality. With `$eq`, an object may have any keys. */
const checkObject = (value: JsonObject, path: Path, report: Report): void => {
  const names = Object.keys(value);
  if (names.length === 0) report(path, 'at least one operator is needed');
  const bare = names.find((name) => bareOperators.has(name));
  if (bare !== undefined)
    report([...path, bare], `unknown operator '${bare}': write '$${bare}', or $eq and the object`);
  const misplaced = misplacedOperator(value, path);
  if (misplaced !== undefined)
    report(
      misplaced.path,
      `operator '${misplaced.key}' inside an object: write the path as key, such as 'author.name'`,
    );
};

const checkKey = (key: string, value: unknown, path: Path, check: Check): void => {
  const { report, budget } = check;
  if (!hasOperators(value)) {
    budget.conditions += 1;
    if (!isFilterValue(value)) report(path, valueNeeded);
    else if (isObject(value)) checkObject(value, path, report);
    return;
  }
  const entries = Object.entries(value);
  for (const [operator, operand] of entries) {
    budget.conditions += 1;
    if (isSpent(budget)) return;
    if (operators.has(operator)) checkOperator(operator, operand, key, [...path, operator], check);
    else report([...path, operator], `unknown operator '${operator}'`);
  }
};

const checkParts = (
  operand: unknown,
  path: Path,
  depth: number,
  check: Check,
  rangesOf: (check: Check) => Ranges,
): void => {
  const { report, budget } = check;
  if (!Array.isArray(operand) || operand.length === 0) {
    budget.conditions += 1;
    report(path, 'a list of at least one filter is needed');
    return;
  }
  for (const [position, part] of operand.entries()) {
    if (isSpent(budget)) return;
    budget.parts += 1;
    checkFilter(part, [...path, position], depth, { ...check, ranges: rangesOf(check) });
  }
};

const checkFilter = (value: unknown, path: Path, depth: number, check: Check): void => {
  const { report, budget } = check;
  if (!isObject(value)) {
    report(path, 'a filter object is needed');
    return;
  }
  if (depth > maxFilterDepth) {
    report(path, `filters may be nested at most ${maxFilterDepth} deep`);
    return;
  }
  for (const [key, operand] of Object.entries(value)) {
    if (isSpent(budget)) return;
    const at = [...path, key];
    if (key === '$not') {
      budget.parts += 1;
      checkFilter(operand, at, depth + 1, { ...check, ranges: new Map() });
    } else if (key === '$and') {
      checkParts(operand, at, depth + 1, check, ({ ranges }) => ranges);
    } else if (key === '$or') {
      checkParts(operand, at, depth + 1, check, () => new Map());
    } else if (key.startsWith('$')) {
      budget.conditions += 1;
      report(at, `unknown operator '${key}'`);
    } else {
      checkKey(key, operand, at, check);
    }
  }
};

/**
 * Validates a filter of a request. Every problem is one issue of code `custom` with its path. The value passes
 * unchanged: a schema of records would silently drop a key such as `__proto__` and so widen the filter.
 */
const filterSchema: z.ZodType = z
  .unknown()
  .superRefine((value, context) => {
    if (value === undefined) {
      context.addIssue({ code: 'invalid_type', expected: 'record', input: value, continue: false });
      return;
    }
    const budget: Budget = { conditions: 0, parts: 0, values: 0 };
    const report: Report = (path, message) => context.addIssue({ code: 'custom', path: [...path], message });
    if (isObject(value) && Buffer.byteLength(JSON.stringify(value)) > maxFilterBytes) {
      report([], `at most ${maxFilterBytes} bytes as JSON are allowed`);
      return;
    }
    checkFilter(value, [], 0, { report, budget, ranges: new Map() });
    if (budget.conditions > maxFilterConditions) report([], `at most ${maxFilterConditions} conditions are allowed`);
    if (budget.parts > maxFilterParts) report([], `at most ${maxFilterParts} parts of $and, $or and $not are allowed`);
    if (budget.values > maxFilterValues) report([], `at most ${maxFilterValues} listed values are allowed`);
  })
  .meta({
    id: 'MetadataFilter',
    type: 'object',
    additionalProperties: true,
    description:
      'Metadata filter: `{key: value}` or `{key: {operator: value}}` with `$eq $ne $in $nin $gt $gte $lt $lte $exists`, ' +
      'joined by `$and`, `$or` and `$not`. Several keys are an AND. A key is one of the metadata, or a path to a member ' +
      'of objects, such as `author.name`. A value is a string, number, boolean, null or a whole object. ' +
      'Times of RFC 3339 with an offset compare as instants, with times alone. Other strings compare by code point. ' +
      `At most ${maxFilterConditions} conditions, ${maxFilterParts} joined filters, ${maxFilterValues} listed values, ` +
      `${maxFilterDepth} levels and ${maxFilterBytes / 1024 / 1024} MiB as JSON.`,
    examples: [{ lang: 'en', year: { $gte: 2020 } }],
  });

// The check above proves the shape, which an unknown schema cannot express in its type.
export const FilterSchema = filterSchema as z.ZodType<Filter>;

/** Whole numbers that are reported for one filter. */
const maxRounded = 10;

/** Yields the flaws of a filter as JSON that its schema would not see. */
const textFlaws = function* (text: string, parsed: unknown): Generator<{ readonly path: Path; readonly msg: string }> {
  const [flaw] = jsonFlaws(text);
  if (flaw !== undefined) {
    yield { path: [], msg: flaw.what };
    return;
  }
  const key = forbiddenKeyIn(text, parsed);
  if (key !== null) yield { path: [], msg: keyNotAllowed(key) };
  else yield* unsafeIntegers(text, parsed, true).take(maxRounded);
};

const parsedFilter = (text: string, context: z.RefinementCtx): unknown => {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    context.addIssue({ code: 'custom', message: 'a filter as JSON is needed' });
    return z.NEVER;
  }
  const flaws = [...textFlaws(text, parsed)];
  for (const { path, msg } of flaws) context.addIssue({ code: 'custom', path: [...path], message: msg });
  return flaws.length === 0 ? parsed : z.NEVER;
};

/** Schema of a filter as JSON in a query string, with the rules of a body and of `FilterSchema`. */
export const FilterText = z
  .string()
  .transform(parsedFilter)
  .pipe(FilterSchema)
  .meta({
    description: 'Only rows that match this metadata filter: JSON, as `filter` of a search.',
    jsonSchema: { type: 'string' },
    examples: ['{"lang":"en"}'],
  });

const isTrue = (node: FilterNode): boolean => {
  if (node.kind === 'and') return node.parts.every(isTrue);
  if (node.kind === 'or') return node.parts.some(isTrue);
  return node.kind === 'in' && node.negated && node.values.length === 0;
};

/** Returns whether a validated filter has no condition that a row could fail, such as `{}`. */
export const matchesAll = (filter: Filter): boolean => isTrue(parseFilter(filter));

/** Keys below a part of a filter with their operands, depth first. The filter may be malformed. */
const keysBelow = function* (part: unknown): Generator<readonly [key: string, operand: unknown]> {
  if (!isObject(part)) return;
  for (const [key, operand] of Object.entries(part)) {
    yield [key, operand];
    if (key === '$not') yield* keysBelow(operand);
    else if ((key === '$and' || key === '$or') && Array.isArray(operand))
      for (const inner of operand) {
        yield [key, null];
        yield* keysBelow(inner);
      }
  }
};

const conditionsOf = (filter: unknown) =>
  keysBelow(filter)
    .take(maxFilterConditions + maxFilterParts)
    .filter(([key]) => !key.startsWith('$'));

/**
 * Returns the distinct metadata keys that a filter names, in order of appearance. If a filter exceeds its limits and is
 * therefore refused, only the first keys are returned.
 */
export const filterKeys = (filter: unknown): readonly string[] => {
  return [...new Set(conditionsOf(filter).map(([key]) => key))];
};
