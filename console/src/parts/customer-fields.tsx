import { Group, NumberInput, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiKeyCreate, MetadataFilter, StrataClient } from '#client';
import { FilterBuilder } from './filter-builder.tsx';
import { filterOf } from './filter-tests.ts';
import { number } from './format.tsx';

/** Rows and limits of a new credential. */
export type CustomerFields = Pick<
  ApiKeyCreate,
  'filter' | 'id_prefix' | 'rate_limits' | 'in_flight' | 'monthly_limits'
>;

/** Number of rows that a filter matches in each selected index. */
const MatchingRows = ({
  client,
  filter,
  indexes,
}: {
  readonly client: StrataClient;
  readonly filter: MetadataFilter;
  readonly indexes: readonly { readonly id: string; readonly name: string }[];
}) => {
  const counts = useQuery({
    queryKey: ['rows of a filter', indexes.map(({ id }) => id), filter],
    queryFn: () =>
      Promise.all(
        indexes.map(async ({ id, name }) => {
          const path = { index_id: id };
          const { count } = await client.post('/v1/indexes/{index_id}/vectors/count', {
            params: { path },
            body: { filter },
          });
          return `${name}: ${number(count)}`;
        }),
      ),
  });
  if (counts.isError) return null;
  return (
    <Text size="sm" role="status">
      {counts.data === undefined ? 'Counting rows…' : `Rows that it sees now – ${counts.data.join(', ')}`}
    </Text>
  );
};

/** Fields that bind a credential to the rows of one customer, and limit it. */
export const CustomerFieldset = ({
  client,
  value,
  onChange,
  canWrite,
  indexes,
}: {
  readonly client: StrataClient;
  readonly value: CustomerFields;
  readonly onChange: (value: CustomerFields) => void;
  readonly canWrite: boolean;
  /** Indexes of the credential; none for all. */
  readonly indexes: readonly { readonly id: string; readonly name: string }[];
}) => {
  const [isShown, setIsShown] = useState(false);
  const { filter, rate_limits: rates, monthly_limits: monthly } = value;
  const edit = (part: CustomerFields): void => onChange({ ...value, ...part });
  return (
    <Stack gap="xs">
      <Switch
        label="For one customer: some rows, with limits"
        checked={isShown}
        onChange={({ currentTarget }) => {
          setIsShown(currentTarget.checked);
          onChange({});
        }}
      />
      {isShown && (
        <>
          <Text size="sm">Rows whose metadata match</Text>
          <FilterBuilder onChange={(tests) => edit({ filter: filterOf(tests) ?? null })} />
          {filter != null && indexes.length > 0 && <MatchingRows client={client} filter={filter} indexes={indexes} />}
          {canWrite && filter != null && (
            <TextInput
              label="Beginning of the ids that it writes"
              placeholder="acme:"
              required
              value={value.id_prefix ?? ''}
              onChange={({ currentTarget }) =>
                edit({ id_prefix: currentTarget.value === '' ? null : currentTarget.value })
              }
            />
          )}
          <Group grow align="end">
            <NumberInput
              label="Searches a minute"
              placeholder="No limit"
              min={1}
              value={rates?.searches ?? ''}
              onChange={(next) => edit({ rate_limits: typeof next === 'number' ? { searches: next } : null })}
            />
            <NumberInput
              label="Requests at a time"
              placeholder="No limit"
              min={1}
              value={value.in_flight ?? ''}
              onChange={(next) => edit({ in_flight: typeof next === 'number' ? next : null })}
            />
            <NumberInput
              label="USD a month"
              placeholder="No limit"
              min={0.01}
              decimalScale={2}
              value={monthly?.cost_usd ?? ''}
              onChange={(next) => edit({ monthly_limits: typeof next === 'number' ? { cost_usd: next } : null })}
            />
          </Group>
        </>
      )}
    </Stack>
  );
};
