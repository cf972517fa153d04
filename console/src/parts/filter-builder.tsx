import { ActionIcon, Button, Group, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type FilterTest, operators } from './filter-tests.ts';

interface Test extends FilterTest {
  readonly id: number;
}

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
