import { Alert, Button, Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import type { FileJobResponse, IndexResponse, UsageHistoryPoint } from '#client';
import { CreateIndex } from '../parts/create-index.tsx';
import { CodeTabs } from '../parts/copy.tsx';
import { shortNumber, Time } from '../parts/format.tsx';
import { keepIndexes } from '../parts/indexes.tsx';
import { JobBadge } from '../parts/job-status.tsx';
import { isOpenJob } from '../parts/job-statuses.ts';
import { Empty, ErrorNotice, InnerLink, Loading, PageTitle } from '../parts/notices.tsx';
import { startUploads } from '../parts/uploads.ts';
import { useSession } from '../session.tsx';
import { baseUrl } from '../settings.ts';

const maxIndexes = 20;

/** Newest jobs of each index that are looked at. A filter by status would read all jobs of an index. */
const maxJobs = 100;

interface Overview {
  readonly index: IndexResponse;
  readonly today: UsageHistoryPoint | undefined;
  readonly open: readonly FileJobResponse[];
  readonly failed: readonly FileJobResponse[];
}

const isRecentFailure = ({ status, completed_at: at }: FileJobResponse): boolean =>
  status === 'failed' && at !== null && Date.parse(at) > Date.now() - 86_400_000;

const useOverview = () => {
  const { client, organization } = useSession();
  const queries = useQueryClient();
  return useQuery({
    queryKey: [organization.organization_id, 'overview'],
    refetchInterval: 10_000,
    queryFn: async (): Promise<readonly Overview[]> => {
      const indexes = await client.get('/v1/indexes', { params: { query: { limit: maxIndexes } } });
      keepIndexes(queries, organization.organization_id, indexes);
      return Promise.all(
        indexes.map(async (index) => {
          const path = { index_id: index.id };
          const [days, jobs] = await Promise.all([
            client.get('/v1/indexes/{index_id}/stats/history', { params: { path, query: { days: 1 } } }),
            client.get('/v1/indexes/{index_id}/files', { params: { path, query: { limit: maxJobs } } }),
          ]);
          const open = jobs.filter(({ status }) => isOpenJob(status));
          return { index, today: days.at(-1), open, failed: jobs.filter(isRecentFailure) };
        }),
      );
    },
  });
};

/** Indexes whose maintenance fails. */
const FailingMaintenance = ({ indexes }: { readonly indexes: readonly IndexResponse[] }) => {
  const { client } = useSession();
  const stats = useQueries({
    queries: indexes.map(({ id }) => ({
      queryKey: ['stats', id],
      queryFn: () => client.get('/v1/indexes/{index_id}/stats', { params: { path: { index_id: id } } }),
      staleTime: 60_000,
    })),
  });
  return indexes.map(({ id, name }, at) => {
    const maintenance = stats[at]?.data?.maintenance;
    if (maintenance?.status !== 'failing') return null;
    return (
      <Alert key={id} color="red" title={`Maintenance of ${name} fails`}>
        {maintenance.reason} <InnerLink to={`/indexes/${id}/metrics`}>Metrics</InnerLink>
      </Alert>
    );
  });
};

const codesOf = (indexId: string, key: string): Readonly<Record<string, string>> => ({
  curl: `export STRATA_API_KEY='${key}'

curl -X POST '${baseUrl}/v1/indexes/${indexId}/vectors' \\
  -H "Authorization: Bearer $STRATA_API_KEY" -H 'content-type: application/json' \\
  -d '[{"id": "first", "text": "The lighthouse was built in 1871."}]'

curl -X POST '${baseUrl}/v1/indexes/${indexId}/search/hybrid' \\
  -H "Authorization: Bearer $STRATA_API_KEY" -H 'content-type: application/json' \\
  -d '{"text": "when was the lighthouse built?"}'`,
  TypeScript: `const client = createClient({ baseUrl: '${baseUrl}', token: '${key}' });
const params = { path: { index_id: '${indexId}' } };

await client.post('/v1/indexes/{index_id}/vectors', {
  params,
  body: [{ id: 'first', text: 'The lighthouse was built in 1871.' }],
});
const { results } = await client.post('/v1/indexes/{index_id}/search/hybrid', {
  params,
  body: { text: 'when was the lighthouse built?' },
});`,
  Python: `import requests

index = "${baseUrl}/v1/indexes/${indexId}"
headers = {"Authorization": "Bearer ${key}"}
rows = [{"id": "first", "text": "The lighthouse was built in 1871."}]
requests.post(f"{index}/vectors", json=rows, headers=headers).raise_for_status()
query = {"text": "when was the lighthouse built?"}
print(requests.post(f"{index}/search/hybrid", json=query, headers=headers).json())`,
});

/** First steps as code. A click creates a key and fills it in; it is kept in this page alone. */
const FirstSteps = ({ index }: { readonly index: IndexResponse | undefined }) => {
  const { client } = useSession();
  const [key, setKey] = useState('svc_live_…');
  const create = useMutation({
    mutationFn: async () => {
      const expiresAt = new Date(Date.now() + 30 * 86_400_000).toISOString();
      const { token } = await client.post('/v1/api-keys', { body: { name: 'First steps', expires_at: expiresAt } });
      setKey(token);
    },
  });
  return (
    <Card withBorder>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h5">
          First steps{index !== undefined && ` with ${index.name}`}
        </Title>
        {!create.isSuccess && (
          <Button size="xs" variant="default" loading={create.isPending} onClick={() => create.mutate()}>
            Create a key and fill it in
          </Button>
        )}
      </Group>
      {create.isError && <ErrorNotice error={create.error} />}
      {create.isSuccess && (
        <Text size="sm" mb="xs" role="status">
          The key below is valid for 30 days and is shown only here. Revoke it under{' '}
          <InnerLink to="/keys">Keys and clients</InnerLink>.
        </Text>
      )}
      <CodeTabs codes={codesOf(index?.id ?? 'idx_…', key)} />
    </Card>
  );
};

const Jobs = ({ jobs }: { readonly jobs: readonly FileJobResponse[] }) => (
  <Stack gap={6}>
    {jobs.slice(0, 8).map(({ id, index_id: indexId, filename, status, error, created_at: at }) => (
      <Group key={id} gap="xs" wrap="nowrap" fz="sm">
        <JobBadge status={status} />
        <InnerLink to={`/indexes/${indexId}/files/${id}`}>{filename}</InnerLink>
        <Text size="xs" c="dimmed" truncate style={{ flex: 1 }}>
          {error}
        </Text>
        <Text size="xs" c="dimmed" component="div">
          <Time at={at} />
        </Text>
      </Group>
    ))}
  </Stack>
);

/** Creates the first index, empty or with sample files. */
const FirstIndex = () => {
  const { client, organization } = useSession();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [creates, creation] = useDisclosure();
  const trySamples = useMutation({
    mutationFn: async () => {
      const { id } = await client.post('/v1/indexes', {
        body: { name: 'samples', embedding_model: 'default', if_exists: 'return' },
      });
      const { sampleFiles } = await import('../parts/sample-data.ts');
      startUploads(id, sampleFiles(), {
        client,
        metadata: { source: 'samples' },
        replaced: new Map(),
        onDone: () => void queries.invalidateQueries({ queryKey: ['files', id] }),
      });
      await queries.invalidateQueries({ queryKey: [organization.organization_id] });
      await navigate({ to: `/indexes/${id}/files` });
    },
  });
  return (
    <Card withBorder>
      <Empty
        title="Create your first index"
        action={
          <Group gap="xs" justify="center">
            <Button onClick={creation.open}>Create an index</Button>
            <Button variant="default" loading={trySamples.isPending} onClick={() => trySamples.mutate()}>
              Try it with sample files
            </Button>
          </Group>
        }
      >
        Drop files into it, and search them by meaning and by words. Five short files about a harbour are there to try.
      </Empty>
      {trySamples.isError && <ErrorNotice error={trySamples.error} />}
      <CreateIndex opened={creates} onClose={creation.close} />
    </Card>
  );
};

const Activity = ({ all }: { readonly all: readonly Overview[] }) => {
  const sum = (of: (each: Overview) => number): number => all.reduce((total, each) => total + of(each), 0);
  const open = all.flatMap((each) => each.open);
  const failed = all.flatMap((each) => each.failed);
  const figures = [
    ['Searches today', sum(({ today }) => today?.searches ?? 0)],
    ['Rows written today', sum(({ today }) => today?.vectors_written ?? 0)],
    ['Rows stored', sum(({ today }) => today?.vectors ?? 0)],
    ['Files under way', open.length],
    ['Failed in 24 hours', failed.length],
  ] as const;
  return (
    <>
      <FailingMaintenance indexes={all.map(({ index }) => index)} />
      <SimpleGrid cols={{ base: 2, sm: 3, md: 5 }}>
        {figures.map(([name, value]) => (
          <Card key={name} withBorder padding="sm">
            <Text size="xs" c="dimmed">
              {name}
            </Text>
            <Text fw={700} fz="lg">
              {shortNumber(value)}
            </Text>
          </Card>
        ))}
      </SimpleGrid>
      {all.length === 0 && <FirstIndex />}
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Card withBorder>
          <Title order={2} size="h5" mb="xs">
            Failures of the last day
          </Title>
          {failed.length === 0 ? <Empty title="Nothing failed" /> : <Jobs jobs={failed} />}
        </Card>
        <Card withBorder>
          <Title order={2} size="h5" mb="xs">
            Under way
          </Title>
          {open.length === 0 ? <Empty title="No file is being read" /> : <Jobs jobs={open} />}
        </Card>
      </SimpleGrid>
    </>
  );
};

export const StartPage = () => {
  const overview = useOverview();
  const indexes = (overview.data ?? []).map(({ index }) => index);
  return (
    <Stack>
      <PageTitle>Start</PageTitle>
      {overview.isPending && <Loading lines={8} />}
      {overview.isError && <ErrorNotice error={overview.error} retry={() => void overview.refetch()} />}
      {overview.data !== undefined && <Activity all={overview.data} />}
      <FirstSteps index={indexes.find(({ branch_depth: depth }) => depth === 0) ?? indexes[0]} />
    </Stack>
  );
};
