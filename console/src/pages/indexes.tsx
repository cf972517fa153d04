import { Badge, Button, Group, Text, TextInput } from '@mantine/core';
import { useDebouncedValue, useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { IndexResponse } from '#client';
import { CreateIndex } from '../parts/create-index.tsx';
import { Dialog } from '../parts/dialogs.tsx';
import { bytes, shortNumber, Time } from '../parts/format.tsx';
import { Fullness, useIndexStats } from '../parts/index-stats.tsx';
import { keepIndexes } from '../parts/indexes.tsx';
import { Empty, PageTitle } from '../parts/notices.tsx';
import { PagedList, toPage, usePagedList } from '../parts/paged-list.tsx';
import { nameOf } from '../parts/words.ts';
import { useSession } from '../session.tsx';

const Size = ({ index }: { readonly index: IndexResponse }) => {
  const stats = useIndexStats(index.id);
  if (stats.data === undefined) return <>…</>;
  return (
    <Group gap={6} wrap="nowrap">
      <span>{shortNumber(stats.data.vectors)} rows</span>
      <Text span c="dimmed" size="xs">
        {bytes(stats.data.dense_bytes + stats.data.sparse_bytes)}
      </Text>
      <Fullness ratio={stats.data.capacity?.ratio ?? 0} />
      {stats.data.maintenance.status === 'failing' && (
        <Badge color="red" tt="none">
          Maintenance fails
        </Badge>
      )}
      {stats.data.status !== 'ready' && (
        <Badge color="yellow" tt="none">
          {nameOf(stats.data.status)}
        </Badge>
      )}
    </Group>
  );
};

export const IndexesPage = () => {
  const { client, organization } = useSession();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [creates, creation] = useDisclosure();
  const [changed, setChanged] = useState<IndexResponse | null>(null);
  const [name, setName] = useState('');
  const [deleted, setDeleted] = useState<IndexResponse | null>(null);
  const [usageKey, setUsageKey] = useState('');
  const [searched, setSearched] = useState('');
  const [text] = useDebouncedValue(searched.trim(), 250);
  const key = [organization.organization_id, 'indexes'];
  const list = usePagedList<IndexResponse>([...key, text], async (cursor, signal) => {
    const query = { limit: 100, ...(text === '' ? {} : { q: text }), ...(cursor === undefined ? {} : { cursor }) };
    const page = toPage(await client.api.GET('/v1/indexes', { params: { query }, signal }));
    keepIndexes(queries, organization.organization_id, page.items);
    return page;
  });
  const reload = (): Promise<void> => queries.invalidateQueries({ queryKey: key });
  const create = <Button onClick={creation.open}>Create index</Button>;
  return (
    <>
      <PageTitle actions={create}>Indexes</PageTitle>
      <TextInput
        mb="sm"
        maw={320}
        size="xs"
        aria-label="Name contains"
        data-search
        placeholder="Name contains…"
        value={searched}
        onChange={({ currentTarget }) => setSearched(currentTarget.value)}
      />
      <PagedList
        query={list}
        label="Indexes"
        keyOf={({ id }) => id}
        onOpen={({ id }) => void navigate({ to: `/indexes/${id}/search` })}
        empty={
          text === '' ? (
            <Empty title="There is no index yet" action={create}>
              An index keeps vectors and texts, and finds them by meaning and by words.
            </Empty>
          ) : (
            <Empty title="No index has such a name" />
          )
        }
        columns={[
          {
            name: 'Name',
            width: 'minmax(140px, 2fr)',
            cell: (index) => (
              <Text size="sm" fw={500} truncate>
                {index.name}
              </Text>
            ),
          },
          { name: 'Size', width: 'minmax(160px, 2fr)', cell: (index) => <Size index={index} /> },
          { name: 'Dimensions', width: '90px', cell: ({ dimensions }) => dimensions },
          { name: 'Region', width: '110px', cell: ({ cloud_region: region }) => region },
          {
            name: 'Branch',
            width: '80px',
            cell: ({ branch_depth: depth }) => (depth === 0 ? '–' : `Level ${depth}`),
          },
          { name: 'Created', width: '110px', cell: ({ created_at: at }) => <Time at={at} /> },
          {
            name: 'Actions',
            width: '150px',
            cell: (index) => (
              <Group gap={4} wrap="nowrap">
                <Button
                  size="compact-xs"
                  variant="default"
                  onClick={(event) => {
                    event.stopPropagation();
                    setName(index.name);
                    setUsageKey(index.usage_key ?? '');
                    setChanged(index);
                  }}
                >
                  Change
                </Button>
                <Button
                  size="compact-xs"
                  variant="subtle"
                  color="red"
                  onClick={(event) => {
                    event.stopPropagation();
                    setDeleted(index);
                  }}
                >
                  Delete
                </Button>
              </Group>
            ),
          },
        ]}
      />
      <CreateIndex opened={creates} onClose={creation.close} />
      <Dialog
        title="Change the index"
        action="Save"
        opened={changed !== null}
        onClose={() => setChanged(null)}
        disabled={name.trim() === ''}
        run={async () => {
          await client.patch('/v1/indexes/{index_id}', {
            params: { path: { index_id: changed?.id ?? '' } },
            body: { name: name.trim(), usage_key: usageKey.trim() === '' ? null : usageKey.trim() },
          });
          await reload();
        }}
      >
        <TextInput
          label="Name"
          data-autofocus
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <TextInput
          label="Usage key"
          description="Metadata key by whose values usage is counted, such as the customer."
          placeholder="tenant"
          maxLength={255}
          value={usageKey}
          onChange={({ currentTarget }) => setUsageKey(currentTarget.value)}
        />
      </Dialog>
      <Dialog
        title="Delete the index"
        action="Delete forever"
        danger
        opened={deleted !== null}
        onClose={() => setDeleted(null)}
        confirmBy={deleted?.name ?? ''}
        run={async () => {
          await client.delete('/v1/indexes/{index_id}', { params: { path: { index_id: deleted?.id ?? '' } } });
          await reload();
        }}
      >
        <Text size="sm">All rows and files of the index are deleted. This cannot be undone.</Text>
      </Dialog>
    </>
  );
};
