import type { MetadataFilter } from '#client';

/** Comparisons of a filter. */
export const operators = [
  { value: '$eq', label: 'is' },
  { value: '$ne', label: 'is not' },
  { value: '$gt', label: '>' },
  { value: '$gte', label: '≥' },
  { value: '$lt', label: '<' },
  { value: '$lte', label: '≤' },
  { value: '$in', label: 'is one of' },
  { value: '$nin', label: 'is none of' },
  { value: '$exists', label: 'exists' },
] as const;

type Operator = (typeof operators)[number]['value'];

/** Condition of a filter as it is edited. */
export interface FilterTest {
  readonly key: string;
  readonly operator: Operator;
  readonly value: string;
}

/** Reads conditions in an address. Those that are not valid are left out. */
export const readFilterTests = (value: unknown): readonly FilterTest[] =>
  (Array.isArray(value) ? (value as readonly unknown[]) : []).flatMap((test) => {
    const { key, operator: given, value: text } = (test ?? {}) as Readonly<Record<string, unknown>>;
    const operator = operators.find((each) => each.value === given)?.value;
    return typeof key === 'string' && typeof text === 'string' && operator !== undefined
      ? [{ key, operator, value: text }]
      : [];
  });

type Value = string | number | boolean | null;

/** Value as JSON if it is a number, a boolean, null or a quoted text; else text. */
export const valueOf = (text: string): Value => {
  const trimmed = text.trim();
  if (/^-?\d+(\.\d+)?$/.test(trimmed)) return Number(trimmed);
  if (trimmed === 'true' || trimmed === 'false') return trimmed === 'true';
  if (trimmed === 'null') return null;
  return /^".*"$/.test(trimmed) ? trimmed.slice(1, -1) : trimmed;
};

/** Returns the text that is read as a value. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? (valueOf(value) === value ? value : `"${value}"`) : JSON.stringify(value);

const operandOf = ({ operator, value }: FilterTest): Value | readonly Value[] => {
  if (operator === '$exists') return value.trim() !== 'false';
  if (operator === '$in' || operator === '$nin') return value.split(',').map(valueOf);
  return valueOf(value);
};

/** Returns the filter that requires all conditions; undefined for none. Unfinished ones are left out. */
export const filterOf = (tests: readonly FilterTest[]): MetadataFilter | undefined => {
  const conditions = tests
    .filter(({ key, operator, value }) => key.trim() !== '' && (value.trim() !== '' || operator === '$exists'))
    .map((test) => ({ [test.key.trim()]: { [test.operator]: operandOf(test) } }));
  if (conditions.length === 0) return undefined;
  return conditions.length === 1 ? conditions[0] : { $and: conditions };
};
