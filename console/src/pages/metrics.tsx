import { Alert, Button, Card, Group, SegmentedControl, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { IndexStats, LastRecall } from '#client';
import { DayChart } from '../parts/chart.tsx';
import { bytes, milliseconds, number, percent, shortNumber, Time } from '../parts/format.tsx';
import { ErrorNotice } from '../parts/notices.tsx';
import { useRouteIds } from '../parts/route-ids.ts';
import { useSession } from '../session.tsx';

const Recall = ({ indexId, last }: { readonly indexId: string; readonly last: LastRecall | null }) => {
  const { client } = useSession();
  const measure = useMutation({
    mutationFn: () =>
      client.post('/v1/indexes/{index_id}/recall', {
        params: { path: { index_id: indexId } },
        body: { top_k: 10, queries: 20 },
      }),
  });
  const found = measure.data?.unfiltered ?? last?.unfiltered;
  return (
    <Card withBorder>
      <Group justify="space-between">
        <Title order={2} size="h5">
          Recall
        </Title>
        <Button size="xs" variant="default" loading={measure.isPending} onClick={() => measure.mutate()}>
          Measure
        </Button>
      </Group>
      <Text size="sm" c="dimmed">
        Compares the default search with an exact one for 20 stored vectors. It counts as 40 searches.
        {last !== null && measure.data === undefined && (
          <>
            {' '}
            Last measured <Time at={last.measured_at} />.
          </>
        )}
      </Text>
      {measure.isError && <ErrorNotice error={measure.error} />}
      {found !== undefined && (
        <Table fz="sm" mt="sm">
          <Table.Tbody>
            <Table.Tr>
              <Table.Th scope="row">Share of the exact results that were found</Table.Th>
              <Table.Td>{found.recall === null ? '–' : percent(found.recall)}</Table.Td>
            </Table.Tr>
            <Table.Tr>
              <Table.Th scope="row">Worst query</Table.Th>
              <Table.Td>{found.lowest === null ? '–' : percent(found.lowest)}</Table.Td>
            </Table.Tr>
            <Table.Tr>
              <Table.Th scope="row">Default search, median and 95th percentile</Table.Th>
              <Table.Td>
                {milliseconds(found.default_search.p50_ms)}, {milliseconds(found.default_search.p95_ms)}
              </Table.Td>
            </Table.Tr>
            <Table.Tr>
              <Table.Th scope="row">Exact search</Table.Th>
              <Table.Td>
                {milliseconds(found.exact_search.p50_ms)}, {milliseconds(found.exact_search.p95_ms)}
              </Table.Td>
            </Table.Tr>
          </Table.Tbody>
        </Table>
      )}
    </Card>
  );
};

const Facts = ({ stats }: { readonly stats: IndexStats | undefined }) => {
  const facts = [
    ['Rows', stats && number(stats.vectors)],
    ['Documents', stats && number(stats.documents)],
    ['Vectors', stats && bytes(stats.dense_bytes)],
    ['Texts', stats && bytes(stats.sparse_bytes)],
    ['Capacity used', stats && (stats.capacity === null ? 'no maximum' : percent(stats.capacity.ratio))],
    ['Not indexed yet', stats && number(stats.unindexed_vectors)],
    ['Last written', stats && <Time at={stats.last_written_at} none="never" />],
  ] as const;
  return (
    <>
      {stats?.maintenance.status === 'failing' && (
        <Alert color="red" title="Maintenance of the index fails">
          {stats.maintenance.reason} {stats.maintenance.failures} failures in a row, since{' '}
          <Time at={stats.maintenance.since} />.
        </Alert>
      )}
      {stats?.capacity != null && stats.capacity.ratio >= 0.8 && (
        <Alert color={stats.capacity.ratio < 1 ? 'yellow' : 'red'} title="The index reaches its maximum size">
          It has {shortNumber(stats.capacity.vector_numbers)} of {shortNumber(stats.capacity.max_vector_numbers)}{' '}
          numbers in its vectors, and {bytes(stats.capacity.content_bytes)} of {bytes(stats.capacity.max_content_bytes)}
          . A full index refuses new content. Delete rows, or write to another index.
        </Alert>
      )}
      <SimpleGrid cols={{ base: 2, sm: 3, md: 7 }}>
        {facts.map(([name, value]) => (
          <Card key={name} withBorder padding="sm">
            <Text size="xs" c="dimmed">
              {name}
            </Text>
            <Text fw={600} component="div">
              {value ?? '…'}
            </Text>
          </Card>
        ))}
      </SimpleGrid>
    </>
  );
};

export const MetricsPage = () => {
  const { indexId } = useRouteIds();
  const { client } = useSession();
  const [days, setDays] = useState('30');
  const params = { path: { index_id: indexId } };
  const stats = useQuery({
    queryKey: ['stats', indexId],
    queryFn: () => client.get('/v1/indexes/{index_id}/stats', { params }),
    refetchInterval: 30_000,
  });
  const history = useQuery({
    queryKey: ['history', indexId, days],
    queryFn: () =>
      client.get('/v1/indexes/{index_id}/metrics', {
        params: {
          ...params,
          query: { from: new Date(Date.now() - (Number(days) - 1) * 86_400_000).toISOString().slice(0, 10) },
        },
      }),
  });
  const dates = useMemo(() => (history.data?.days ?? []).map(({ date }) => date), [history.data]);
  const charts = useMemo(() => {
    const points = history.data?.days ?? [];
    const values = (of: (point: (typeof points)[number]) => number | null): (number | null)[] => points.map(of);
    return {
      rows: [{ name: 'Rows', color: '#1c7ed6', values: values(({ vectors }) => vectors) }],
      searches: [{ name: 'Searches', color: '#0ca678', values: values(({ searches }) => searches) }],
      writes: [
        { name: 'Written', color: '#1c7ed6', values: values(({ vectors_written: written }) => written) },
        { name: 'Deleted', color: '#e8590c', values: values(({ vectors_deleted: deleted }) => deleted) },
      ],
      latency: [
        { name: 'Median', color: '#1c7ed6', values: values(({ search_latency: latency }) => latency?.p50_ms ?? null) },
        {
          name: '95th percentile',
          color: '#e8590c',
          values: values(({ search_latency: latency }) => latency?.p95_ms ?? null),
        },
      ],
      bytes: [
        { name: 'Vectors', color: '#7048e8', values: values(({ dense_bytes: dense }) => dense) },
        { name: 'Texts', color: '#0ca678', values: values(({ sparse_bytes: sparse }) => sparse) },
      ],
    };
  }, [history.data]);
  return (
    <Stack>
      {stats.isError && <ErrorNotice error={stats.error} retry={() => void stats.refetch()} />}
      <Facts stats={stats.data} />
      <SegmentedControl
        size="xs"
        aria-label="Period"
        value={days}
        onChange={setDays}
        data={['7', '30', '90'].map((value) => ({ value, label: `${value} days` }))}
        w="fit-content"
      />
      {history.isError && <ErrorNotice error={history.error} />}
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        {(
          [
            ['Rows', charts.rows, shortNumber],
            ['Searches', charts.searches, shortNumber],
            ['Search latency', charts.latency, milliseconds],
            ['Writes', charts.writes, shortNumber],
            ['Bytes', charts.bytes, bytes],
          ] as const
        ).map(([name, series, format]) => (
          <Card key={name} withBorder>
            <Title order={2} size="h5" mb="xs">
              {name}
            </Title>
            <DayChart label={name} days={dates} series={series} format={format} />
          </Card>
        ))}
      </SimpleGrid>
      <Recall indexId={indexId} last={history.data?.last_recall ?? null} />
    </Stack>
  );
};
