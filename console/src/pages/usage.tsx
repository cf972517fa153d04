import { Button, Card, Progress, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { DailyUsage } from '#client';
import { DayChart } from '../parts/chart.tsx';
import { bytes, day, money, number } from '../parts/format.tsx';
import { Empty, ErrorNotice, Loading, PageTitle } from '../parts/notices.tsx';
import { UsageByCredential } from '../parts/usage-by-credential.tsx';
import { downloadCsv } from '../parts/download-csv.ts';
import { useAllIndexes } from '../parts/use-all-indexes.ts';
import { useSession } from '../session.tsx';

const columns = [
  'date',
  'index_id',
  'vectors',
  'dense_bytes',
  'sparse_bytes',
  'original_bytes',
  'searches',
  'vectors_written',
  'vectors_deleted',
  'file_jobs',
  'pages',
  'ocr_credits',
  'audio_credits',
  'crawl_pages',
  'embedding_tokens',
] as const satisfies readonly (keyof DailyUsage)[];

/** Rows of the table of indexes. */
const shownIndexes = 50;

type IndexNames = ReadonlyMap<string, string>;

const rowsOf = (rows: readonly DailyUsage[], names: IndexNames): readonly (readonly (string | number)[])[] =>
  rows.map((row) => [names.get(row.index_id) ?? '', ...columns.map((column) => row[column])]);

const sum = (days: readonly DailyUsage[], of: (day: DailyUsage) => number): number =>
  days.reduce((total, day) => total + of(day), 0);

/** What each index used in the days, the most searched first. */
const UsageByIndex = ({ days, names }: { readonly days: readonly DailyUsage[]; readonly names: IndexNames }) => {
  const rows = [...Map.groupBy(days, ({ index_id: id }) => id)]
    .map(([id, ofIndex]) => ({
      id,
      searches: sum(ofIndex, ({ searches }) => searches),
      written: sum(ofIndex, ({ vectors_written: written }) => written),
      jobs: sum(ofIndex, ({ file_jobs: jobs }) => jobs),
      tokens: sum(ofIndex, ({ embedding_tokens: tokens }) => tokens),
      stored: (({ dense_bytes: dense, sparse_bytes: sparse }) => dense + sparse)(
        ofIndex.reduce((one, other) => (one.date > other.date ? one : other)),
      ),
    }))
    .toSorted((one, other) => other.searches - one.searches || other.written - one.written);
  if (rows.length === 0)
    return <Empty title="No index was used">Write rows or search, and they are counted here.</Empty>;
  return (
    <Table.ScrollContainer minWidth={560}>
      <Table fz="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Index</Table.Th>
            {['Searches', 'Rows written', 'File jobs', 'Tokens embedded', 'Bytes stored'].map((name) => (
              <Table.Th key={name} ta="right">
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.slice(0, shownIndexes).map(({ id, searches, written, jobs, tokens, stored }) => (
            <Table.Tr key={id}>
              <Table.Th scope="row" fw={400}>
                {names.get(id) ?? `${id}, deleted`}
              </Table.Th>
              {[number(searches), number(written), number(jobs), number(tokens), bytes(stored)].map((figure, at) => (
                <Table.Td key={columns[at]} ta="right">
                  {figure}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {rows.length > shownIndexes && (
        <Text size="sm" c="dimmed">
          {number(rows.length - shownIndexes)} further indexes are in the CSV file.
        </Text>
      )}
    </Table.ScrollContainer>
  );
};

/** The 30 days of the curves, up to today (UTC). */
const shownDays = (): readonly string[] =>
  Array.from({ length: 30 }, (_, at) => new Date(Date.now() - (29 - at) * 86_400_000).toISOString().slice(0, 10));

export const UsagePage = () => {
  const { client, organization } = useSession();
  const usage = useQuery({
    queryKey: [organization.organization_id, 'usage'],
    queryFn: () => client.get('/v1/organization/usage'),
    refetchInterval: 15_000,
  });
  const detail = useQuery({
    queryKey: [organization.organization_id, 'organization'],
    queryFn: () => client.get('/v1/organization'),
  });
  const history = useQuery({
    queryKey: [organization.organization_id, 'usage by day'],
    queryFn: () =>
      Array.fromAsync(client.pages('/v1/organization/usage/daily', { params: { query: { limit: 1_000 } } })),
  });
  const indexes = useAllIndexes();
  const names = useMemo(() => new Map(indexes.data?.map(({ id, name }) => [id, name])), [indexes.data]);
  const chart = useMemo(() => {
    const byDay = Map.groupBy(history.data ?? [], ({ date }) => date);
    const days = history.data === undefined ? [] : shownDays();
    const sums = (of: (point: DailyUsage) => number): number[] => days.map((date) => sum(byDay.get(date) ?? [], of));
    return {
      days,
      activity: [
        { name: 'Searches', color: '#0ca678', values: sums(({ searches }) => searches) },
        { name: 'Vectors written', color: '#1c7ed6', values: sums(({ vectors_written: written }) => written) },
      ],
      stored: [
        {
          name: 'Bytes stored',
          color: '#7048e8',
          values: sums(({ dense_bytes: dense, sparse_bytes: sparse }) => dense + sparse),
        },
      ],
    };
  }, [history.data]);
  if (usage.isPending || detail.isPending) return <Loading />;
  if (usage.isError) return <ErrorNotice error={usage.error} retry={() => void usage.refetch()} />;
  if (detail.isError) return <ErrorNotice error={detail.error} />;
  const { limits } = detail.data;
  const u = usage.data;
  const figures: readonly (readonly [string, string])[] = [
    ['Indexes', number(u.indexes)],
    ['Rows stored', number(u.vectors_stored)],
    ['Vectors and texts', bytes(u.dense_bytes + u.sparse_bytes)],
    ['Original files', bytes(u.original_bytes)],
    ['Rows written', number(u.vectors_written)],
    ['Rows deleted', number(u.vectors_deleted)],
    ['Searches', number(u.searches.dense + u.searches.sparse + u.searches.hybrid)],
    ['File jobs', number(u.file_jobs)],
    ['Pages', number(u.pages)],
    ['OCR credits', number(u.ocr_credits)],
    ['Audio credits', number(u.audio_credits)],
    ['Pages crawled', number(u.crawl_pages)],
    ['Tokens embedded', number(u.embedding_tokens)],
    ['Estimated cost', money(u.estimated_cost_usd)],
  ];
  const used: Readonly<Record<string, number>> = {
    indexes: u.indexes,
    vectors: u.vectors_stored,
    file_jobs_per_month: u.file_jobs,
    ocr_credits_per_month: u.ocr_credits,
    audio_credits_per_month: u.audio_credits,
    embedding_tokens_per_month: u.embedding_tokens,
  };
  const limited = Object.entries(limits)
    .map(([name, limit]) => ({ name, limit, value: used[name] ?? null, share: (used[name] ?? 0) / Math.max(limit, 1) }))
    .toSorted((one, other) => other.share - one.share || Number(one.value === null) - Number(other.value === null));
  return (
    <Stack>
      <PageTitle
        note={`${day(u.period_start)} – ${day(u.period_end)}, plan ${organization.plan ?? 'developer'}`}
        actions={
          <Button
            size="xs"
            variant="default"
            disabled={history.data === undefined}
            onClick={() => downloadCsv('usage-by-day.csv', ['index', ...columns], rowsOf(history.data ?? [], names))}
          >
            Download CSV
          </Button>
        }
      >
        Usage
      </PageTitle>
      <SimpleGrid cols={{ base: 2, sm: 4, lg: 7 }}>
        {figures.map(([name, value]) => (
          <Card key={name} withBorder padding="sm">
            <Text size="xs" c="dimmed">
              {name}
            </Text>
            <Text fw={600}>{value}</Text>
          </Card>
        ))}
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Card withBorder>
          <Title order={2} size="h5" mb="xs">
            Activity by day
          </Title>
          {history.isError ? (
            <ErrorNotice error={history.error} />
          ) : (
            <DayChart label="Activity by day" days={chart.days} series={chart.activity} />
          )}
        </Card>
        <Card withBorder>
          <Title order={2} size="h5" mb="xs">
            Stored by day
          </Title>
          {history.isError ? null : (
            <DayChart label="Stored by day" days={chart.days} series={chart.stored} format={bytes} />
          )}
        </Card>
      </SimpleGrid>
      <Card withBorder>
        <Title order={2} size="h5" mb="xs">
          By index, last 30 days
        </Title>
        {history.data === undefined ? <Loading lines={3} /> : <UsageByIndex days={history.data} names={names} />}
      </Card>
      <UsageByCredential />
      <Card withBorder>
        <Title order={2} size="h5" mb="xs">
          Limits of the plan
        </Title>
        <Table fz="sm">
          <Table.Tbody>
            {limited.map(({ name, limit, value, share }) => (
              <Table.Tr key={name}>
                <Table.Th scope="row" fw={400}>
                  {name.replaceAll('_', ' ')}
                </Table.Th>
                <Table.Td w="40%">
                  {value === null ? null : (
                    <Progress
                      value={Math.min(100, share * 100)}
                      color={share > 0.9 ? 'red' : share > 0.7 ? 'yellow' : 'blue'}
                      aria-label={`${name} used`}
                    />
                  )}
                </Table.Td>
                <Table.Td ta="right">
                  {value === null ? '' : `${number(value)} of `}
                  {name.endsWith('bytes') ? bytes(limit) : number(limit)}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Card>
    </Stack>
  );
};
