import { Anchor, Badge, Button, Card, Checkbox, Group, Radio, Select, Stack, Table, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { ExportResponse, ExportStatus } from '#client';
import { Dialog } from '../parts/dialogs.tsx';
import { bytes, count, number, Time } from '../parts/format.tsx';
import { useIndexOptions } from '../parts/indexes.tsx';
import { Empty, ErrorNotice, Loading } from '../parts/notices.tsx';
import { PagedList, toPage, usePagedList } from '../parts/paged-list.tsx';
import { useRouteIds } from '../parts/route-ids.ts';
import { nameOf } from '../parts/words.ts';
import { useSession } from '../session.tsx';

const statusColors: Readonly<Record<ExportStatus, string>> = {
  queued: 'gray',
  running: 'blue',
  completed: 'teal',
  failed: 'red',
};

const isOpen = ({ status }: ExportResponse): boolean => status === 'queued' || status === 'running';

const formats = [
  { value: 'jsonl', label: 'JSON Lines', description: 'A row a line, as the API returns it.' },
  { value: 'parquet', label: 'Parquet', description: 'About a third of the bytes, for tables and data tools.' },
] as const;

const CreateExport = ({
  indexId,
  opened,
  onClose,
}: {
  readonly indexId: string;
  readonly opened: boolean;
  readonly onClose: () => void;
}) => {
  const { client } = useSession();
  const queries = useQueryClient();
  const [format, setFormat] = useState<(typeof formats)[number]['value']>('jsonl');
  const [hasVectors, setHasVectors] = useState(true);
  return (
    <Dialog
      title="Export the index"
      action="Export"
      opened={opened}
      onClose={onClose}
      run={async () => {
        await client.post('/v1/indexes/{index_id}/exports', {
          params: { path: { index_id: indexId } },
          body: { format, vectors: hasVectors ? 'include' : 'omit' },
        });
        await queries.invalidateQueries({ queryKey: ['exports', indexId] });
      }}
    >
      <Text size="sm">All rows are written to files as they are now. Later writes are not in them.</Text>
      <Radio.Group
        label="Format"
        value={format}
        onChange={(value) => setFormat(formats.find((each) => each.value === value)?.value ?? 'jsonl')}
      >
        <Stack gap="xs" mt="xs">
          {formats.map((each) => (
            <Radio key={each.value} {...each} />
          ))}
        </Stack>
      </Radio.Group>
      <Checkbox
        label="With vectors"
        description="Without them, an import embeds the texts again."
        checked={hasVectors}
        onChange={({ currentTarget }) => setHasVectors(currentTarget.checked)}
      />
    </Dialog>
  );
};

/** Files of an export with their addresses, which are valid for an hour. */
const Parts = ({ made }: { readonly made: ExportResponse }) => {
  const { client } = useSession();
  const report = useQuery({
    queryKey: ['export', made.id],
    gcTime: 0,
    queryFn: () =>
      client.get('/v1/indexes/{index_id}/exports/{export_id}', {
        params: { path: { index_id: made.index_id, export_id: made.id } },
      }),
  });
  if (report.isPending) return <Loading lines={2} />;
  if (report.isError) return <ErrorNotice error={report.error} />;
  return (
    <Table fz="sm">
      <Table.Tbody>
        {report.data.parts.map(({ filename, rows, size_bytes: size, url }) => (
          <Table.Tr key={filename}>
            <Table.Td>
              <Anchor href={url} download={filename} size="sm">
                {filename}
              </Anchor>
            </Table.Td>
            <Table.Td ta="right">{count(rows, 'row')}</Table.Td>
            <Table.Td ta="right">{bytes(size)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
};

/** Imports the rows of an export of another index. */
const ImportExport = ({
  indexId,
  opened,
  onClose,
}: {
  readonly indexId: string;
  readonly opened: boolean;
  readonly onClose: () => void;
}) => {
  const { client, organization } = useSession();
  const navigate = useNavigate();
  const [fromId, setFromId] = useState<string | null>(null);
  const [exportId, setExportId] = useState<string | null>(null);
  const [embeds, setEmbeds] = useState(false);
  const options = useIndexOptions(client, organization.organization_id, fromId === null ? [] : [fromId]);
  const exports = useQuery({
    queryKey: ['exports', fromId, 'completed'],
    enabled: fromId !== null,
    queryFn: async () => {
      const params = { path: { index_id: fromId ?? '' }, query: { limit: 100 } };
      const all = await client.get('/v1/indexes/{index_id}/exports', { params });
      return all.filter(({ status }) => status === 'completed');
    },
  });
  return (
    <Dialog
      title="Import an export"
      action="Import"
      opened={opened}
      onClose={onClose}
      disabled={fromId === null || exportId === null}
      run={async () => {
        await client.post('/v1/indexes/{index_id}/imports', {
          params: { path: { index_id: indexId } },
          body: { provider: 'export', uri: `${fromId}/${exportId}`, ...(embeds ? { embed: true } : {}) },
        });
        await navigate({ to: `/indexes/${indexId}/files`, search: { source: 'import' } });
      }}
    >
      {(errorOf) => (
        <>
          <Select
            label="Index of the export"
            {...options.props}
            value={fromId}
            onChange={(next) => {
              setFromId(next);
              setExportId(null);
            }}
          />
          <Select
            label="Export"
            placeholder={exports.data?.length === 0 ? 'The index has no completed export' : ''}
            disabled={fromId === null}
            error={errorOf('uri')}
            data={(exports.data ?? []).map(({ id, rows, format, created_at: at }) => ({
              value: id,
              label: `${new Date(at).toLocaleString()}, ${count(rows, 'row')}, ${nameOf(format)}`,
            }))}
            value={exportId}
            onChange={setExportId}
          />
          <Checkbox
            label="Embed the texts again"
            description="Needed if this index has another model or other dimensions."
            checked={embeds}
            onChange={({ currentTarget }) => setEmbeds(currentTarget.checked)}
          />
        </>
      )}
    </Dialog>
  );
};

export const ExportsPage = () => {
  const { indexId } = useRouteIds();
  const { client } = useSession();
  const queries = useQueryClient();
  const [creates, creation] = useDisclosure();
  const [imports, importing] = useDisclosure();
  const [shown, setShown] = useState<ExportResponse | null>(null);
  const [deleted, setDeleted] = useState<ExportResponse | null>(null);
  const [isActive, setActive] = useState(true);
  const key = ['exports', indexId];
  const list = usePagedList<ExportResponse>(
    key,
    async (cursor, signal) => {
      const page = toPage(
        await client.api.GET('/v1/indexes/{index_id}/exports', {
          params: { path: { index_id: indexId }, query: { limit: 100, ...(cursor === undefined ? {} : { cursor }) } },
          signal,
        }),
      );
      if (cursor === undefined) setActive(page.items.some(isOpen));
      return page;
    },
    { refetchMs: isActive ? 1_500 : false },
  );
  const create = (
    <Button size="xs" onClick={creation.open}>
      Export
    </Button>
  );
  return (
    <Card withBorder>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h5">
          Exports
        </Title>
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={importing.open}>
            Import an export
          </Button>
          {create}
        </Group>
      </Group>
      <PagedList
        query={list}
        label="Exports"
        keyOf={({ id }) => id}
        empty={
          <Empty title="The index has not been exported" action={create}>
            An export has all rows with their vectors, as files that another index can import. Files are kept for a
            week.
          </Empty>
        }
        columns={[
          {
            name: 'Status',
            width: 'minmax(120px, 2fr)',
            cell: ({ status, error }) => (
              <>
                <Badge color={statusColors[status]} variant="dot" tt="none">
                  {nameOf(status)}
                </Badge>
                {error !== null && (
                  <Text size="xs" c="red">
                    {error}
                  </Text>
                )}
              </>
            ),
          },
          { name: 'Rows', width: '90px', cell: ({ rows }) => number(rows) },
          { name: 'Size', width: '90px', cell: ({ size_bytes: size }) => bytes(size) },
          { name: 'Format', width: '100px', cell: ({ format }) => nameOf(format) },
          { name: 'Vectors', width: '80px', cell: ({ vectors }) => (vectors === 'include' ? 'Yes' : 'No') },
          { name: 'Created', width: '120px', cell: ({ created_at: at }) => <Time at={at} /> },
          { name: 'Kept until', width: '120px', cell: ({ expires_at: at }) => <Time at={at} /> },
          {
            name: 'Actions',
            width: '160px',
            cell: (made) => (
              <Group gap={4} wrap="nowrap">
                <Button
                  size="compact-xs"
                  variant="default"
                  disabled={made.status !== 'completed'}
                  onClick={() => setShown(made)}
                >
                  Download
                </Button>
                <Button size="compact-xs" variant="subtle" color="red" onClick={() => setDeleted(made)}>
                  {isOpen(made) ? 'Cancel' : 'Delete'}
                </Button>
              </Group>
            ),
          },
        ]}
      />
      <CreateExport indexId={indexId} opened={creates} onClose={creation.close} />
      <ImportExport indexId={indexId} opened={imports} onClose={importing.close} />
      <Dialog
        title="Files of the export"
        action="Close"
        opened={shown !== null}
        onClose={() => setShown(null)}
        run={() => Promise.resolve()}
      >
        {shown !== null && <Parts made={shown} />}
      </Dialog>
      <Dialog
        title="Delete the export"
        action="Delete"
        danger
        opened={deleted !== null}
        onClose={() => setDeleted(null)}
        run={async () => {
          await client.delete('/v1/indexes/{index_id}/exports/{export_id}', {
            params: { path: { index_id: indexId, export_id: deleted?.id ?? '' } },
          });
          await queries.invalidateQueries({ queryKey: key });
        }}
      >
        <Text size="sm">Its files are deleted. The index stays as it is.</Text>
      </Dialog>
    </Card>
  );
};
