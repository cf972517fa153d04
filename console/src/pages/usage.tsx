import { Button, Card, Progress, Select, SimpleGrid, Stack, Table, Text, TextInput, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { CredentialUsage, DailyUsage, IndexUsage, ValueUsage } from '#client';
import { DayChart } from '../parts/chart.tsx';
import { Dialog } from '../parts/dialogs.tsx';
import { bytes, day, money, monthName, number } from '../parts/format.tsx';
import { ErrorNotice, Loading, PageTitle } from '../parts/notices.tsx';
import { downloadCsv } from '../parts/download-csv.ts';
import { readUsageParams } from '../parts/list-params.ts';
import { IndexName } from '../parts/indexes.tsx';
import { UsageTable } from '../parts/usage-table.tsx';
import { nameOf } from '../parts/words.ts';
import { useSession } from '../session.tsx';

/** Page of a list. */
const query = { limit: 1_000 } as const;

/** Days of the curves: the most that the service returns. */
const maxDays = 90;

/** Columns of the file of usage by day. */
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

/** Months that usage can be shown of. */
const shownMonths = 13;

/** Returns the current month, or one before it, such as `2026-11`, in UTC as the service counts. */
const monthBefore = (months = 0): string => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1)).toISOString().slice(0, 7);
};

const lastDayOf = (month: string): string =>
  new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).toISOString().slice(0, 10);

const today = (): string => new Date().toISOString().slice(0, 10);

/**
 * Downloads what each index used on each day of a range. It is loaded for the file alone: many indexes have many days.
 */
const DownloadDays = ({ month }: { readonly month: string }) => {
  const { client } = useSession();
  const [opened, { open, close }] = useDisclosure();
  const lastDay = month === monthBefore() ? today() : lastDayOf(month);
  const [from, setFrom] = useState(`${month}-01`);
  const [to, setTo] = useState(lastDay);
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        Download CSV by day
      </Button>
      <Dialog
        title="Usage by day as CSV"
        action="Download"
        opened={opened}
        onClose={close}
        disabled={from === '' || to === ''}
        run={async () => {
          const range = { ...query, from, to };
          const days = await Array.fromAsync(
            client.pages('/v1/organization/usage/daily', { params: { query: range } }),
          );
          downloadCsv(
            `usage-${from}-${to}.csv`,
            columns,
            days.map((row) => columns.map((column) => row[column])),
          );
        }}
      >
        {(errorOf) => (
          <>
            <Text size="sm">What each index used on each day, at most 92 days.</Text>
            <TextInput
              type="date"
              label="First day"
              error={errorOf('from')}
              max={to}
              value={from}
              onChange={({ currentTarget }) => setFrom(currentTarget.value)}
            />
            <TextInput
              type="date"
              label="Last day"
              error={errorOf('to')}
              min={from}
              max={today()}
              value={to}
              onChange={({ currentTarget }) => setTo(currentTarget.value)}
            />
          </>
        )}
      </Dialog>
    </>
  );
};

const valueOf = ({ value }: ValueUsage): string => (value === null ? 'other values' : String(value));

/** Usage of a month by index, by key and by value of the usage key. */
const UsageTables = ({ month }: { readonly month: string }) => {
  const { client } = useSession();
  return (
    <>
      <UsageTable<IndexUsage>
        by="index"
        month={month}
        load={({ isWhole }) =>
          isWhole
            ? Array.fromAsync(
                client.pages('/v1/organization/usage/indexes', { params: { query: { ...query, month } } }),
              )
            : client.get('/v1/organization/usage/indexes', { params: { query: { limit: 51, month } } })
        }
        identity={{ index_id: ({ index_id: id }) => id, index: ({ name }) => name ?? '' }}
        nameOf={({ index_id: id, name }) => name ?? `${id}, deleted`}
        empty="Write rows or search, and they are counted here."
      />
      <UsageTable<CredentialUsage>
        by="key"
        month={month}
        load={() =>
          Array.fromAsync(
            client.pages('/v1/organization/usage/credentials', { params: { query: { ...query, month } } }),
          )
        }
        identity={{ credential_id: ({ credential_id: id }) => id, name: ({ name }) => name ?? '' }}
        nameOf={({ credential_id: id, name }) => name ?? id}
        empty="Keys that are restricted to indexes, bound to rows or limited are counted here."
      />
      <UsageTable<ValueUsage>
        by="value"
        month={month}
        load={() =>
          Array.fromAsync(client.pages('/v1/organization/usage/values', { params: { query: { ...query, month } } }))
        }
        identity={{ index_id: ({ index_id: id }) => id, value: valueOf }}
        nameOf={(row) => (
          <>
            {valueOf(row)}{' '}
            <Text span size="xs" c="dimmed">
              in <IndexName id={row.index_id} />
            </Text>
          </>
        )}
        empty="Give an index a usage key, such as tenant, on the page Indexes. What each of its values uses is counted here."
      />
    </>
  );
};

export const UsagePage = () => {
  const { client, organization } = useSession();
  const navigate = useNavigate();
  const isCurrent = readUsageParams(useSearch({ strict: false })).month === undefined;
  const month = readUsageParams(useSearch({ strict: false })).month ?? monthBefore();
  const usage = useQuery({
    queryKey: [organization.organization_id, 'usage', month],
    queryFn: () => client.get('/v1/organization/usage', { params: { query: { month } } }),
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
  });
  const detail = useQuery({
    queryKey: [organization.organization_id, 'organization'],
    queryFn: () => client.get('/v1/organization'),
  });
  const history = useQuery({
    queryKey: [organization.organization_id, 'usage by day'],
    queryFn: () => client.get('/v1/organization/usage/history', { params: { query: { days: maxDays } } }),
  });
  const chart = useMemo(() => {
    const all = history.data ?? [];
    const points = isCurrent ? all.slice(-30) : all.filter(({ date }) => date.startsWith(month));
    return {
      days: points.map(({ date }) => date),
      activity: [
        { name: 'Searches', color: '#0ca678', values: points.map(({ searches }) => searches) },
        { name: 'Rows written', color: '#1c7ed6', values: points.map(({ vectors_written: written }) => written) },
      ],
      stored: [
        {
          name: 'Bytes stored',
          color: '#7048e8',
          values: points.map(({ dense_bytes: dense, sparse_bytes: sparse }) => dense + sparse),
        },
      ],
    };
  }, [history.data, isCurrent, month]);
  // The tables load meanwhile.
  if (usage.isPending || detail.isPending)
    return (
      <Stack>
        <Loading />
        <UsageTables month={month} />
      </Stack>
    );
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
        note={`${day(u.period_start)} – ${day(lastDayOf(month))}, plan ${nameOf(organization.plan ?? 'developer')}`}
        actions={
          <>
            <Select
              size="xs"
              w={170}
              aria-label="Month"
              allowDeselect={false}
              data={Array.from({ length: shownMonths }, (_, back) => ({
                value: monthBefore(back),
                label: monthName(monthBefore(back)),
              }))}
              value={month}
              onChange={(next) =>
                void navigate({
                  to: '/usage',
                  search: readUsageParams({ month: next === monthBefore() ? null : next }),
                })
              }
            />
            <DownloadDays key={month} month={month} />
          </>
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
      {history.isSuccess && chart.days.length === 0 ? (
        <Text size="sm" c="dimmed">
          Curves go back {maxDays} days. The CSV file has the days before.
        </Text>
      ) : (
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
      )}
      <UsageTables month={month} />
      {isCurrent && (
        <Card withBorder>
          <Title order={2} size="h5" mb="xs">
            Limits of the plan
          </Title>
          <Table fz="sm">
            <Table.Tbody>
              {limited.map(({ name, limit, value, share }) => (
                <Table.Tr key={name}>
                  <Table.Th scope="row" fw={400}>
                    {nameOf(name)}
                  </Table.Th>
                  <Table.Td w="40%">
                    {value === null ? null : (
                      <Progress
                        value={Math.min(100, share * 100)}
                        color={share > 0.9 ? 'red' : share > 0.7 ? 'yellow' : 'blue'}
                        aria-label={`${nameOf(name)} used`}
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
      )}
    </Stack>
  );
};
