import { Button, Drawer, Group, JsonInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';

import { useState } from 'react';
import type { VectorRecord } from '#client';
import { ResultCard, SourceLine } from '../parts/chunk-card.tsx';
import { Id } from '../parts/copy.tsx';
import { Dialog } from '../parts/dialogs.tsx';
import { Empty, ErrorNotice } from '../parts/notices.tsx';
import { PagedList, toPage, usePagedList } from '../parts/paged-list.tsx';
import { useRouteIds } from '../parts/route-ids.ts';
import { useSession } from '../session.tsx';

const Row = ({
  indexId,
  row,
  onClose,
}: {
  readonly indexId: string;
  readonly row: VectorRecord;
  readonly onClose: () => void;
}) => {
  const { client } = useSession();
  const queries = useQueryClient();
  const [metadata, setMetadata] = useState(() => JSON.stringify(row.metadata, null, 2));
  const [deletes, setDeletes] = useState(false);
  const path = { index_id: indexId };
  const reload = (): Promise<void> => queries.invalidateQueries({ queryKey: ['rows', indexId] });
  const save = useMutation({
    mutationFn: async () => {
      const edited = JSON.parse(metadata) as Record<string, never>;
      await client.post('/v1/indexes/{index_id}/vectors/update', {
        params: { path },
        body: [{ id: row.id, metadata: edited, if_version: row.version }],
      });
      await reload();
    },
  });
  const similar = useMutation({
    mutationFn: async () => {
      const { vectors } = await client.post('/v1/indexes/{index_id}/vectors/fetch', {
        params: { path },
        body: { ids: [row.id], include_vectors: true },
      });
      const vector = vectors[0]?.vector;
      if (vector === undefined) throw new Error('The row has no vector any more');
      const { results } = await client.post('/v1/indexes/{index_id}/search/dense', {
        params: { path },
        body: { vector, top_k: 11, include: ['text', 'metadata', 'explanation'] },
      });
      return results.filter(({ id }) => id !== row.id);
    },
  });
  return (
    <Stack>
      <Group>
        <Id id={row.id} />
        <SourceLine indexId={indexId} file={row.file} headings={row.metadata['heading_path']} />
      </Group>
      <Text size="sm" className="chunk-text">
        {row.text ?? <i>The row has no text.</i>}
      </Text>
      <JsonInput
        label="Metadata"
        autosize
        minRows={3}
        maxRows={16}
        validationError="This is not JSON"
        value={metadata}
        onChange={setMetadata}
      />
      {save.isError && <ErrorNotice error={save.error} />}
      {save.isSuccess && (
        <Text size="sm" role="status">
          Saved.
        </Text>
      )}
      <Group>
        <Button size="xs" onClick={() => save.mutate()} loading={save.isPending}>
          Save metadata
        </Button>
        <Button size="xs" variant="default" onClick={() => similar.mutate()} loading={similar.isPending}>
          Similar rows
        </Button>
        <Button size="xs" variant="subtle" color="red" onClick={() => setDeletes(true)}>
          Delete row
        </Button>
      </Group>
      {similar.isError && <ErrorNotice error={similar.error} />}
      {similar.data !== undefined && (
        <Stack gap="xs">
          <Title order={3} size="h5">
            Similar rows
          </Title>
          {similar.data.map((result, at) => (
            <ResultCard params={{}} key={result.id} indexId={indexId} result={result} rank={at + 1} />
          ))}
        </Stack>
      )}
      <Dialog
        title="Delete the row"
        action="Delete"
        danger
        opened={deletes}
        onClose={() => setDeletes(false)}
        run={async () => {
          await client.post('/v1/indexes/{index_id}/vectors/delete', { params: { path }, body: { ids: [row.id] } });
          await reload();
          onClose();
        }}
      >
        <Text size="sm">The row is no longer found afterwards.</Text>
      </Dialog>
    </Stack>
  );
};

export const RowsPage = () => {
  const { indexId } = useRouteIds();
  const { client } = useSession();
  const [opened, setOpened] = useState<VectorRecord | null>(null);
  const [id, setId] = useState('');
  const params = { path: { index_id: indexId } };
  const list = usePagedList<VectorRecord>(['rows', indexId], async (cursor, signal) =>
    toPage(
      await client.api.GET('/v1/indexes/{index_id}/vectors', {
        params: { ...params, query: { limit: 100, ...(cursor === undefined ? {} : { cursor }) } },
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
  return (
    <Stack>
      <Group
        component="form"
        align="flex-end"
        onSubmit={(event: React.SyntheticEvent) => {
          event.preventDefault();
          if (id.trim() !== '') find.mutate();
        }}
      >
        <TextInput
          size="xs"
          w={320}
          label="Id of a row"
          value={id}
          onChange={({ currentTarget }) => setId(currentTarget.value)}
        />
        <Button size="xs" type="submit" variant="default" loading={find.isPending} disabled={id.trim() === ''}>
          Open
        </Button>
      </Group>
      {find.isError && <ErrorNotice error={find.error} />}
      <PagedList
        query={list}
        label="Rows"
        keyOf={(row) => row.id}
        onOpen={setOpened}
        empty={<Empty title="The index has no rows yet">Upload files, or send vectors with the API.</Empty>}
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
          {
            name: 'Metadata',
            width: 'minmax(120px, 2fr)',
            cell: ({ metadata }) => (
              <Text size="xs" ff="monospace" c="dimmed" truncate>
                {JSON.stringify(metadata)}
              </Text>
            ),
          },
          { name: 'Id', width: '130px', cell: (row) => <Id id={row.id} /> },
        ]}
      />
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
