import { ActionIcon, Autocomplete, Button, Group, Select, Text } from '@mantine/core';
import { useState } from 'react';
import { type FilterTest, operators, textOf } from './filter-tests.ts';
import { number } from './format.tsx';
import { useMetadataKeys, useMetadataValues } from './metadata-keys.ts';

interface Test extends FilterTest {
  readonly id: number;
}

/** Suggestions of an input, with the number of rows of each. */
const suggestions = (counts: ReadonlyMap<string, number>) => ({
  data: [...counts.keys()],
  comboboxProps: { width: 'max-content' as const, position: 'bottom-start' as const },
  maxDropdownHeight: 260,
  renderOption: ({ option }: { readonly option: { readonly value: string } }) => (
    <Group justify="space-between" gap="lg" w="100%" wrap="nowrap">
      <span>{option.value}</span>
      <Text span size="xs" c="dimmed">
        {number(counts.get(option.value) ?? 0)}
      </Text>
    </Group>
  ),
});

const TestFields = ({
  indexId,
  test,
  onEdit,
  onRemove,
}: {
  readonly indexId: string | null;
  readonly test: Test;
  readonly onEdit: (part: Partial<FilterTest>) => void;
  readonly onRemove: () => void;
}) => {
  const { key, operator, value } = test;
  const [isKeyNeeded, setKeyNeeded] = useState(false);
  const [isValueNeeded, setValueNeeded] = useState(false);
  const keys = useMetadataKeys(indexId, isKeyNeeded);
  // Values that were listed for a part of the text are not listed again for the whole.
  const isList = operator === '$in' || operator === '$nin';
  const values = useMetadataValues(indexId, key.trim(), isList ? '' : value, isValueNeeded && operator !== '$exists');
  const counts = new Map((values.data ?? []).map((each) => [textOf(each.value), each.count]));
  return (
    <Group gap={4} wrap="nowrap" miw={0} maw="100%">
      <Autocomplete
        size="xs"
        w={130}
        miw={0}
        aria-label="Metadata key"
        placeholder="key"
        value={key}
        onFocus={() => setKeyNeeded(true)}
        onChange={(next) => onEdit({ key: next })}
        {...suggestions(new Map((keys.data ?? []).map((each) => [each.key, each.rows])))}
      />
      <Select
        size="xs"
        w={96}
        miw={72}
        aria-label="Comparison"
        allowDeselect={false}
        data={[...operators]}
        value={operator}
        onChange={(next) => onEdit({ operator: operators.find((each) => each.value === next)?.value ?? '$eq' })}
      />
      <Autocomplete
        size="xs"
        w={150}
        miw={0}
        aria-label="Value"
        placeholder={isList ? 'a, b, c' : operator === '$exists' ? 'true' : 'value'}
        value={value}
        onFocus={() => setValueNeeded(true)}
        onChange={(next) => onEdit({ value: next })}
        {...suggestions(counts)}
      />
      <ActionIcon size="sm" variant="subtle" color="gray" aria-label="Remove the condition" onClick={onRemove}>
        ✕
      </ActionIcon>
    </Group>
  );
};

/** Builds a filter of metadata that requires all conditions. It offers the keys and values of an index. */
export const FilterBuilder = ({
  indexId = null,
  initial = [],
  onChange,
}: {
  /** Index whose keys and values are offered; null for none. */
  readonly indexId?: string | null;
  readonly initial?: readonly FilterTest[];
  readonly onChange: (tests: readonly FilterTest[]) => void;
}) => {
  const [tests, setTests] = useState<readonly Test[]>(() => initial.map((test, at) => ({ ...test, id: at + 1 })));
  const change = (next: readonly Test[]): void => {
    setTests(next);
    onChange(next.map(({ key, operator, value }) => ({ key, operator, value })));
  };
  return (
    <Group gap="xs" role="group" aria-label="Filter" miw={0}>
      {tests.map((test) => (
        <TestFields
          key={test.id}
          indexId={indexId}
          test={test}
          onEdit={(part) => change(tests.map((each) => (each.id === test.id ? { ...each, ...part } : each)))}
          onRemove={() => change(tests.filter(({ id }) => id !== test.id))}
        />
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
