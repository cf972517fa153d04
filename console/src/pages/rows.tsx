import { Button, Drawer, Group, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { MetadataFilter, VectorRecord } from '#client';
import { ColumnChoice } from '../parts/column-choice.tsx';
import { Id } from '../parts/copy.tsx';
import { Dialog } from '../parts/dialogs.tsx';
import { FilterBuilder } from '../parts/filter-builder.tsx';
import { filterOf } from '../parts/filter-tests.ts';
import { count, number } from '../parts/format.tsx';
import { orderParams, readRowsParams, type RowsParams } from '../parts/list-params.ts';
import { useMetadataKeys } from '../parts/metadata-keys.ts';
import { Empty, ErrorNotice } from '../parts/notices.tsx';
import { type ListOrder, PagedList, toPage, usePagedList } from '../parts/paged-list.tsx';
import { useRouteIds } from '../parts/route-ids.ts';
import { useSession } from '../session.tsx';
import { AddRow, Row } from './row.tsx';

/** Number of rows that match a filter. */
const useMatches = (indexId: string, filter: MetadataFilter | undefined) => {
  const { client } = useSession();
  return useQuery({
    queryKey: ['rows', indexId, 'count', filter],
    enabled: filter !== undefined,
    queryFn: async () => {
      const params = { path: { index_id: indexId } };
      const body = { filter: filter ?? null };
      return (await client.post('/v1/indexes/{index_id}/vectors/count', { params, body })).count;
    },
  });
};

/** Rows to delete: chosen ones, or all that match a filter. */
interface Deletion {
  readonly body: { readonly ids: string[] } | { readonly filter: MetadataFilter };
  readonly rows: number;
}

/** Ids of a request. */
const maxIds = 1_000;

const RowsForm = ({ indexId, params }: { readonly indexId: string; readonly params: RowsParams }) => {
  const navigate = useNavigate();
  const [filter, setFilter] = useState(params.filter ?? []);
  return (
    <Group
      component="form"
      gap="xs"
      miw={0}
      onSubmit={(event: React.SyntheticEvent) => {
        event.preventDefault();
        void navigate({ to: `/indexes/${indexId}/rows`, search: readRowsParams({ ...params, filter }) });
      }}
    >
      <FilterBuilder indexId={indexId} initial={params.filter ?? []} onChange={setFilter} />
      {(filter.length > 0 || params.filter !== undefined) && (
        <Button size="compact-xs" type="submit">
          Apply
        </Button>
      )}
    </Group>
  );
};

export const RowsPage = () => {
  const { indexId } = useRouteIds();
  const { client } = useSession();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const search = readRowsParams(useSearch({ strict: false }));
  const { columns = [], sort } = search;
  const filter = filterOf(search.filter ?? []);
  const order: ListOrder | null = sort === undefined ? null : { by: sort, direction: search.direction ?? 'asc' };
  const [opened, setOpened] = useState<VectorRecord | null>(null);
  const [adds, addition] = useDisclosure();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [deletion, setDeletion] = useState<Deletion | null>(null);
  const [areKeysNeeded, setKeysNeeded] = useState(false);
  const keys = useMetadataKeys(indexId, areKeysNeeded);
  const matches = useMatches(indexId, filter);
  const [id, setId] = useState('');
  const params = { path: { index_id: indexId } };
  const change = (part: object): void =>
    void navigate({ to: `/indexes/${indexId}/rows`, search: readRowsParams({ ...search, ...part }), replace: true });
  const list = usePagedList<VectorRecord>(['rows', indexId, filter, order], async (cursor, signal) =>
    toPage(
      await client.api.GET('/v1/indexes/{index_id}/vectors', {
        params: {
          ...params,
          query: {
            limit: 100,
            ...(filter === undefined ? {} : { filter: JSON.stringify(filter) }),
            ...(order === null ? {} : { order_by: order.by, direction: order.direction }),
            ...(cursor === undefined ? {} : { cursor }),
          },
        },
        signal,
      }),
    ),
  );
  const find = useMutation({
    mutationFn: async () => {
      const { vectors } = await client.post('/v1/indexes/{index_id}/vectors/fetch', {
        params,
        body: { ids: [id.trim()] },
      });
      const [found] = vectors;
      if (found === undefined) throw new Error(`No row has the id ${id.trim()}`);
      setOpened(found);
    },
  });
  const add = (
    <Button size="xs" onClick={addition.open}>
      Add row
    </Button>
  );
  return (
    <Stack>
      <Group justify="space-between" align="flex-end">
        <Group
          component="form"
          align="flex-end"
          gap="xs"
          onInput={() => {
            if (find.isError) find.reset();
          }}
          onSubmit={(event: React.SyntheticEvent) => {
            event.preventDefault();
            if (id.trim() !== '') find.mutate();
          }}
        >
          <TextInput
            size="xs"
            w={280}
            label="Id of a row"
            value={id}
            onChange={({ currentTarget }) => setId(currentTarget.value)}
          />
          <Button size="xs" type="submit" variant="default" loading={find.isPending} disabled={id.trim() === ''}>
            Open
          </Button>
        </Group>
        {add}
      </Group>
      {find.isError && <ErrorNotice error={find.error} />}
      <Group justify="space-between">
        <RowsForm key={JSON.stringify(search.filter)} indexId={indexId} params={search} />
        <Group gap="xs">
          {filter !== undefined && matches.data !== undefined && (
            <>
              <Text size="sm" role="status">
                {count(matches.data, 'row')} {matches.data === 1 ? 'matches' : 'match'}
              </Text>
              {matches.data > 0 && chosen.size === 0 && (
                <Button
                  size="compact-xs"
                  variant="light"
                  color="red"
                  onClick={() => setDeletion({ body: { filter }, rows: matches.data })}
                >
                  Delete all that match…
                </Button>
              )}
            </>
          )}
          {chosen.size > 0 && (
            <>
              <Text size="sm" role="status">
                {count(chosen.size, 'row')} chosen
              </Text>
              <Button
                size="compact-xs"
                variant="light"
                color="red"
                onClick={() =>
                  setDeletion({ body: { ids: [...chosen].slice(0, maxIds) }, rows: Math.min(chosen.size, maxIds) })
                }
              >
                Delete…
              </Button>
            </>
          )}
          <ColumnChoice
            all={[...new Set([...columns, ...(keys.data ?? []).map(({ key }) => key)])].toSorted()}
            chosen={columns}
            onOpen={() => setKeysNeeded(true)}
            onChange={(next) => change({ columns: next })}
          />
        </Group>
      </Group>
      <PagedList
        query={list}
        label="Rows"
        keyOf={(row) => row.id}
        onOpen={setOpened}
        minWidth={640 + columns.length * 120}
        selection={{ keys: chosen, onChange: setChosen, nameOf: (each) => each }}
        order={order}
        onOrder={(next) => change({ sort: undefined, direction: undefined, ...orderParams(next) })}
        empty={
          filter === undefined ? (
            <Empty title="The index has no rows yet" action={add}>
              Upload files, add a row, or send vectors with the API.
            </Empty>
          ) : (
            <Empty title="No row matches the filter" />
          )
        }
        columns={[
          {
            name: 'Text',
            width: 'minmax(200px, 4fr)',
            cell: ({ text }) => (
              <Text size="sm" truncate>
                {text ?? '–'}
              </Text>
            ),
          },
          {
            name: 'File',
            width: 'minmax(120px, 1.5fr)',
            cell: ({ file }) => (
              <Text size="sm" truncate>
                {file === null ? '–' : (file.filename ?? file.job_id)}
              </Text>
            ),
          },
          { name: 'Page', width: '60px', cell: ({ file }) => file?.page_start ?? '–' },
          ...(columns.length > 0
            ? columns.map((key) => ({
                name: key,
                order: key,
                width: 'minmax(110px, 1fr)',
                cell: ({ metadata }: VectorRecord) => {
                  const value = metadata[key];
                  return (
                    <Text size="sm" truncate>
                      {value === undefined
                        ? '–'
                        : typeof value === 'string'
                          ? value
                          : typeof value === 'number'
                            ? number(value)
                            : JSON.stringify(value)}
                    </Text>
                  );
                },
              }))
            : [
                {
                  name: 'Metadata',
                  width: 'minmax(120px, 2fr)',
                  cell: ({ metadata }: VectorRecord) => (
                    <Text size="xs" ff="monospace" c="dimmed" truncate>
                      {JSON.stringify(metadata)}
                    </Text>
                  ),
                },
              ]),
          { name: 'Id', width: '130px', cell: (row) => <Id id={row.id} /> },
        ]}
      />
      <AddRow indexId={indexId} opened={adds} onClose={addition.close} />
      <Dialog
        title={`Delete ${count(deletion?.rows ?? 0, 'row')}`}
        action={`Delete ${count(deletion?.rows ?? 0, 'row')}`}
        danger
        opened={deletion !== null}
        onClose={() => setDeletion(null)}
        run={async () => {
          if (deletion !== null)
            await client.post('/v1/indexes/{index_id}/vectors/delete', { params, body: deletion.body });
          setChosen(new Set());
          await queries.invalidateQueries({ queryKey: ['rows', indexId] });
        }}
      >
        <Text size="sm">
          {deletion !== null && 'filter' in deletion.body
            ? 'Every row that matches the filter is deleted, also those that are not loaded.'
            : 'The chosen rows are deleted.'}{' '}
          This cannot be undone. Files whose rows are deleted stay in the list of files.
        </Text>
      </Dialog>
      <Drawer
        opened={opened !== null}
        onClose={() => setOpened(null)}
        title="Row"
        position="right"
        size="lg"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {opened !== null && <Row key={opened.id} indexId={indexId} row={opened} onClose={() => setOpened(null)} />}
      </Drawer>
    </Stack>
  );
};
