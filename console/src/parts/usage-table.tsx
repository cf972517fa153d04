import { Button, Card, Group, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { CredentialUsage, IndexUsage, ValueUsage } from '#client';
import { useSession } from '../session.tsx';
import { downloadCsv } from './download-csv.ts';
import { money, monthName, number } from './format.tsx';
import { ErrorNotice, Loading } from './notices.tsx';

/** Rows of the table. */
const shown = 50;

type Usage = CredentialUsage | IndexUsage | ValueUsage;

const searchesOf = ({ searches: { dense, sparse, hybrid } }: Usage): number => dense + sparse + hybrid;

const columns = [
  'vectors_written',
  'vectors_deleted',
  'file_jobs',
  'pages',
  'ocr_credits',
  'audio_credits',
  'embedding_tokens',
  'rerank_units',
  'estimated_cost_usd',
] as const satisfies readonly (keyof CredentialUsage & keyof IndexUsage & keyof ValueUsage)[];

interface UsageTableProps<Row extends Usage> {
  /** Kind of the rows, such as `key`. */
  readonly by: string;
  /** Such as `2026-11`. */
  readonly month: string;
  /** Loads the rows to show, and all rows for the file. */
  readonly load: (options: { readonly isWhole: boolean }) => Promise<readonly Row[]>;
  /** Identifying columns of the file, by name. */
  readonly identity: Readonly<Record<string, (row: Row) => string>>;
  /** Name of a row in the table. */
  readonly nameOf: (row: Row) => ReactNode;
  readonly empty: string;
}

/** What each index, key or value used in a month, the most expensive first, with all rows in a CSV file. */
export const UsageTable = <Row extends Usage>({ by, month, load, identity, nameOf, empty }: UsageTableProps<Row>) => {
  const { organization } = useSession();
  const usage = useQuery({
    queryKey: [organization.organization_id, `usage by ${by}`, month],
    queryFn: () => load({ isWhole: false }),
  });
  const rows = (usage.data ?? []).toSorted(
    (one, other) => other.estimated_cost_usd - one.estimated_cost_usd || searchesOf(other) - searchesOf(one),
  );
  const file = useQuery({
    queryKey: [organization.organization_id, `file of usage by ${by}`, month],
    queryFn: () => load({ isWhole: true }),
    enabled: false,
  });
  const download = async (): Promise<void> => {
    const { data } = await file.refetch();
    if (data === undefined) return;
    downloadCsv(
      `usage-by-${by}-${month}.csv`,
      [...Object.keys(identity), 'searches', ...columns],
      data.map((row) => [
        ...Object.values(identity).map((of) => of(row)),
        searchesOf(row),
        ...columns.map((column) => row[column]),
      ]),
    );
  };
  return (
    <Card withBorder>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h5">
          By {by}, {monthName(month)}
        </Title>
        <Button
          size="xs"
          variant="default"
          disabled={rows.length === 0}
          loading={file.isFetching}
          onClick={() => void download()}
        >
          Download CSV by {by}
        </Button>
      </Group>
      {usage.isError && <ErrorNotice error={usage.error} />}
      {file.isError && <ErrorNotice error={file.error} />}
      {usage.isPending && <Loading lines={3} />}
      {usage.isSuccess && rows.length === 0 && (
        <Text size="sm" c="dimmed">
          {empty}
        </Text>
      )}
      {rows.length > 0 && (
        <Table.ScrollContainer minWidth={560}>
          <Table fz="sm">
            <Table.Thead>
              <Table.Tr>
                <Table.Th tt="capitalize">{by}</Table.Th>
                {['Searches', 'Rows written', 'File jobs', 'Tokens embedded', 'Estimated cost'].map((name) => (
                  <Table.Th key={name} ta="right">
                    {name}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.slice(0, shown).map((row) => (
                <Table.Tr
                  key={Object.values(identity)
                    .map((of) => of(row))
                    .join(' ')}
                >
                  <Table.Th scope="row" fw={400}>
                    {nameOf(row)}
                  </Table.Th>
                  <Table.Td ta="right">{number(searchesOf(row))}</Table.Td>
                  <Table.Td ta="right">{number(row.vectors_written)}</Table.Td>
                  <Table.Td ta="right">{number(row.file_jobs)}</Table.Td>
                  <Table.Td ta="right">{number(row.embedding_tokens)}</Table.Td>
                  <Table.Td ta="right">{money(row.estimated_cost_usd)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
          {rows.length > shown && (
            <Text size="sm" c="dimmed">
              More are in the CSV file.
            </Text>
          )}
        </Table.ScrollContainer>
      )}
    </Card>
  );
};
