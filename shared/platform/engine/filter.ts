import * as z from 'zod';
import { isObject } from '../../kernel/json.ts';
import { parseFilter, type Filter, type FilterNode, type FilterValue } from './filter-tree.ts';

export type { Filter } from './filter-tree.ts';

/** Levels of `$and`, `$or` and `$not` within each other; an object without them has none. */
const maxFilterDepth = 8;
/** Conditions of one filter: each operator under a key counts as one. */
export const maxFilterConditions = 64;
/** Values of all `$in` and `$nin` lists of one filter together. */
const maxFilterValues = 1_000;

const operators: ReadonlySet<string> = new Set(['$eq', '$ne', '$in', '$nin', '$gt', '$gte', '$lt', '$lte', '$exists']);

type Path = readonly (string | number)[];
type Report = (path: Path, message: string) => void;

const isFilterValue = (value: unknown): value is FilterValue =>
  typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));

interface Budget {
  conditions: number;
  values: number;
}

/** Whether more was found than any filter may have: what is left then is not looked at. */
const isSpent = ({ conditions, values }: Budget): boolean =>
  conditions > maxFilterConditions || values > maxFilterValues;

const checkList = (value: unknown, path: Path, report: Report, budget: Budget): void => {
  if (!Array.isArray(value)) {
    report(path, 'a list of strings, numbers or booleans is needed');
    return;
  }
  budget.values += value.length;
  if (isSpent(budget)) return;
  value.forEach((item: unknown, position) => {
    if (!isFilterValue(item)) report([...path, position], 'a string, a finite number or a boolean is needed');
  });
};

const checkOperator = (operator: string, value: unknown, path: Path, report: Report, budget: Budget): void => {
  budget.conditions += 1;
  switch (operator) {
    case '$eq':
    case '$ne':
      if (!isFilterValue(value)) report(path, 'a string, a finite number or a boolean is needed');
      return;
    case '$in':
    case '$nin':
      checkList(value, path, report, budget);
      return;
    case '$exists':
      if (typeof value !== 'boolean') report(path, 'a boolean is needed');
      return;
    default:
      if (typeof value !== 'number' || !Number.isFinite(value)) report(path, 'a finite number is needed');
  }
};

const checkKey = (value: unknown, path: Path, report: Report, budget: Budget): void => {
  if (!isObject(value)) {
    budget.conditions += 1;
    if (!isFilterValue(value)) {
      report(path, 'a string, a finite number, a boolean or an object of operators is needed');
    }
    return;
  }
  const entries = Object.entries(value);
  if (entries.length === 0) report(path, 'at least one operator is needed');
  for (const [operator, operand] of entries) {
    if (isSpent(budget)) return;
    if (operators.has(operator)) checkOperator(operator, operand, [...path, operator], report, budget);
    else report([...path, operator], `unknown operator '${operator}'`);
  }
};

const checkFilter = (value: unknown, path: Path, depth: number, report: Report, budget: Budget): void => {
  if (!isObject(value)) {
    report(path, 'a filter object is needed');
    return;
  }
  if (isSpent(budget)) return;
  if (depth > maxFilterDepth) {
    report(path, `filters may be nested at most ${maxFilterDepth} deep`);
    return;
  }
  for (const [key, operand] of Object.entries(value)) {
    const at = [...path, key];
    if (key === '$not') {
      checkFilter(operand, at, depth + 1, report, budget);
    } else if (key === '$and' || key === '$or') {
      if (!Array.isArray(operand) || operand.length === 0) report(at, 'a list of at least one filter is needed');
      else operand.forEach((part, position) => checkFilter(part, [...at, position], depth + 1, report, budget));
    } else if (key.startsWith('$')) {
      report(at, `unknown operator '${key}'`);
    } else {
      checkKey(operand, at, report, budget);
    }
  }
};

/**
 * Judges a filter that came from outside; every problem is one issue of code `custom` with its path. The value passes
 * unchanged: a schema of records would silently drop a key such as `__proto__` and so widen the filter.
 */
const filterSchema: z.ZodType = z
  .unknown()
  .superRefine((value, context) => {
    const budget: Budget = { conditions: 0, values: 0 };
    const report: Report = (path, message) => context.addIssue({ code: 'custom', path: [...path], message });
    checkFilter(value, [], 0, report, budget);
    if (budget.conditions > maxFilterConditions) report([], `at most ${maxFilterConditions} conditions are allowed`);
    if (budget.values > maxFilterValues) report([], `at most ${maxFilterValues} listed values are allowed`);
  })
  .meta({
    id: 'MetadataFilter',
    type: 'object',
    additionalProperties: true,
    description:
      'Metadata filter: `{key: value}` or `{key: {operator: value}}` with `$eq $ne $in $nin $gt $gte $lt $lte $exists`, ' +
      'joined by `$and`, `$or` and `$not`. Several keys are an AND.',
    examples: [{ lang: 'en', year: { $gte: 2020 } }],
  });

// The check above proves the shape, which an unknown schema cannot express in its type.
export const FilterSchema = filterSchema as z.ZodType<Filter>;

const isTrue = (node: FilterNode): boolean => {
  if (node.kind === 'and') return node.parts.every(isTrue);
  if (node.kind === 'or') return node.parts.some(isTrue);
  return node.kind === 'in' && node.negated && node.values.length === 0;
};

/** Whether a validated filter has no condition that any row could fail, such as `{}`. */
export const matchesAll = (filter: Filter): boolean => isTrue(parseFilter(filter));

/** The distinct metadata keys that a filter asks about, in order of appearance, whatever is wrong with it otherwise. */
export const filterKeys = (filter: unknown): readonly string[] => {
  const keys = new Set<string>();
  const visit = (part: unknown): void => {
    if (!isObject(part)) return;
    for (const [key, operand] of Object.entries(part)) {
      if (!key.startsWith('$')) keys.add(key);
      else if (key === '$not') visit(operand);
      else if ((key === '$and' || key === '$or') && Array.isArray(operand)) operand.forEach(visit);
    }
  };
  visit(filter);
  return [...keys];
};
