import { ActionIcon, Button, Group, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { MetadataFilter } from '#client';

const operators = [
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

interface Test extends FilterTest {
  readonly id: number;
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
const valueOf = (text: string): Value => {
  const trimmed = text.trim();
  if (/^-?\d+(\.\d+)?$/.test(trimmed)) return Number(trimmed);
  if (trimmed === 'true' || trimmed === 'false') return trimmed === 'true';
  if (trimmed === 'null') return null;
  return /^".*"$/.test(trimmed) ? trimmed.slice(1, -1) : trimmed;
};

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

/** Builds a filter of metadata that requires all conditions. */
export const FilterBuilder = ({
  initial = [],
  onChange,
}: {
  readonly initial?: readonly FilterTest[];
  readonly onChange: (tests: readonly FilterTest[]) => void;
}) => {
  const [tests, setTests] = useState<readonly Test[]>(() => initial.map((test, at) => ({ ...test, id: at + 1 })));
  const change = (next: readonly Test[]): void => {
    setTests(next);
    onChange(next.map(({ key, operator, value }) => ({ key, operator, value })));
  };
  const edit = (id: number, part: Partial<Test>): void =>
    change(tests.map((test) => (test.id === id ? { ...test, ...part } : test)));
  return (
    <Group gap="xs" role="group" aria-label="Filter">
      {tests.map(({ id, key, operator, value }) => (
        <Group key={id} gap={4} wrap="nowrap">
          <TextInput
            size="xs"
            w={110}
            aria-label="Metadata key"
            placeholder="key"
            value={key}
            onChange={({ currentTarget }) => edit(id, { key: currentTarget.value })}
          />
          <Select
            size="xs"
            w={96}
            aria-label="Comparison"
            allowDeselect={false}
            data={[...operators]}
            value={operator}
            onChange={(next) => edit(id, { operator: operators.find((each) => each.value === next)?.value ?? '$eq' })}
          />
          <TextInput
            size="xs"
            w={130}
            aria-label="Value"
            placeholder={
              operator === '$in' || operator === '$nin' ? 'a, b, c' : operator === '$exists' ? 'true' : 'value'
            }
            value={value}
            onChange={({ currentTarget }) => edit(id, { value: currentTarget.value })}
          />
          <ActionIcon
            size="sm"
            variant="subtle"
            color="gray"
            aria-label="Remove the condition"
            onClick={() => change(tests.filter((test) => test.id !== id))}
          >
            ✕
          </ActionIcon>
        </Group>
      ))}
      <Button
        size="compact-xs"
        variant="default"
        onClick={() =>
          change([...tests, { id: Math.max(0, ...tests.map(({ id }) => id)) + 1, key: '', operator: '$eq', value: '' }])
        }
      >
        Add filter
      </Button>
    </Group>
  );
};
