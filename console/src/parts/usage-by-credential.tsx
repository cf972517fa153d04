import { Button, Card, Group, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { CredentialUsage } from '#client';
import { useSession } from '../session.tsx';
import { downloadCsv } from './download-csv.ts';
import { money, number } from './format.tsx';
import { ErrorNotice, Loading } from './notices.tsx';

/** Rows of the table. */
const shown = 50;

const searchesOf = ({ searches: { dense, sparse, hybrid } }: CredentialUsage): number => dense + sparse + hybrid;

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
] as const satisfies readonly (keyof CredentialUsage)[];

/** What each key of a customer and other restricted credentials used in this month, the most expensive first. */
export const UsageByCredential = () => {
  const { client, organization } = useSession();
  const usage = useQuery({
    queryKey: [organization.organization_id, 'usage by credential'],
    queryFn: () =>
      Array.fromAsync(client.pages('/v1/organization/usage/credentials', { params: { query: { limit: 1_000 } } })),
  });
  const rows = (usage.data ?? []).toSorted(
    (one, other) => other.estimated_cost_usd - one.estimated_cost_usd || searchesOf(other) - searchesOf(one),
  );
  const download = (): void =>
    downloadCsv(
      'usage-by-key.csv',
      ['credential_id', 'name', 'searches', ...columns],
      rows.map((row) => [row.credential_id, row.name ?? '', searchesOf(row), ...columns.map((column) => row[column])]),
    );
  return (
    <Card withBorder>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h5">
          By key, this month
        </Title>
        <Button size="xs" variant="default" disabled={rows.length === 0} onClick={download}>
          Download CSV by key
        </Button>
      </Group>
      {usage.isError && <ErrorNotice error={usage.error} />}
      {usage.isPending && <Loading lines={3} />}
      {usage.isSuccess && rows.length === 0 && (
        <Text size="sm" c="dimmed">
          Keys that are restricted to indexes, bound to rows or limited are counted here.
        </Text>
      )}
      {rows.length > 0 && (
        <Table.ScrollContainer minWidth={560}>
          <Table fz="sm">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Key</Table.Th>
                {['Searches', 'Rows written', 'File jobs', 'Tokens embedded', 'Estimated cost'].map((name) => (
                  <Table.Th key={name} ta="right">
                    {name}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.slice(0, shown).map((row) => (
                <Table.Tr key={row.credential_id}>
                  <Table.Th scope="row" fw={400}>
                    {row.name ?? row.credential_id}
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
              {number(rows.length - shown)} further keys are in the CSV file.
            </Text>
          )}
        </Table.ScrollContainer>
      )}
    </Card>
  );
};
