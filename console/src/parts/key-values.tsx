import { ActionIcon, Button, Group, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { VectorRecord } from '#client';
import { valueOf } from './filter-tests.ts';

interface Entry {
  readonly id: number;
  readonly key: string;
  readonly value: string;
}

/** Fields for metadata: a name and a value each. Numbers, true and false are read as such. */
export const KeyValues = ({
  label,
  onChange,
}: {
  readonly label: string;
  readonly onChange: (metadata: VectorRecord['metadata']) => void;
}) => {
  const [entries, setEntries] = useState<readonly Entry[]>([]);
  const change = (next: readonly Entry[]): void => {
    setEntries(next);
    onChange(
      Object.fromEntries(
        next.filter(({ key }) => key.trim() !== '').map(({ key, value }) => [key.trim(), valueOf(value)]),
      ),
    );
  };
  const edit = (id: number, part: Partial<Entry>): void =>
    change(entries.map((entry) => (entry.id === id ? { ...entry, ...part } : entry)));
  return (
    <Stack gap={4} role="group" aria-label={label} align="flex-start">
      {entries.map(({ id, key, value }) => (
        <Group key={id} gap={4} wrap="nowrap">
          <TextInput
            size="xs"
            miw={0}
            aria-label="Name of the metadata"
            placeholder="name"
            value={key}
            onChange={({ currentTarget }) => edit(id, { key: currentTarget.value })}
          />
          <TextInput
            size="xs"
            miw={0}
            aria-label="Value of the metadata"
            placeholder="value"
            value={value}
            onChange={({ currentTarget }) => edit(id, { value: currentTarget.value })}
          />
          <ActionIcon
            size="sm"
            variant="subtle"
            color="gray"
            aria-label={`Remove ${key === '' ? 'the metadata' : key}`}
            onClick={() => change(entries.filter((entry) => entry.id !== id))}
          >
            ✕
          </ActionIcon>
        </Group>
      ))}
      <Button
        size="compact-xs"
        variant="default"
        onClick={() =>
          change([...entries, { id: Math.max(0, ...entries.map(({ id }) => id)) + 1, key: '', value: '' }])
        }
      >
        Add metadata
      </Button>
    </Stack>
  );
};
