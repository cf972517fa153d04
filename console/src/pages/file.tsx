import {
  Alert,
  Anchor,
  Button,
  Card,
  Grid,
  Group,
  NumberInput,
  Progress,
  SimpleGrid,
  Stack,
  Table,
  Text,
  Title,
  Tooltip,
} from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { ProcessingDetail, VectorRecord } from '#client';
import { SourceLine } from '../parts/chunk-card.tsx';
import { Id } from '../parts/copy.tsx';
import { Dialog } from '../parts/dialogs.tsx';
import { bytes, milliseconds, number, Time } from '../parts/format.tsx';
import { JobBadge } from '../parts/job-status.tsx';
import { isOpenJob } from '../parts/job-statuses.ts';
import { Empty, ErrorNotice, Loading } from '../parts/notices.tsx';
import { Passage } from '../parts/passage.tsx';
import { PagedList, toPage, usePagedList } from '../parts/paged-list.tsx';
import { reflowed } from '../parts/reflow.ts';
import { useRouteIds } from '../parts/route-ids.ts';
import { isChunkOf, readPassageParams } from '../parts/search-params.ts';
import { nameOf } from '../parts/words.ts';
import { useSession } from '../session.tsx';

const Fact = ({ name, children }: { readonly name: string; readonly children: React.ReactNode }) => (
  <div>
    <Text size="xs" c="dimmed">
      {name}
    </Text>
    <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
      {children}
    </Text>
  </div>
);

const stepColors: Readonly<Record<string, string>> = {
  'content.extract': 'blue',
  'multimodal.credits': 'grape',
  'embedding.generate': 'teal',
  'index.write': 'orange',
};

interface Step {
  readonly task: number;
  readonly phase: string;
  readonly attempt: number;
  readonly startMs: number;
  readonly durationMs: number;
  readonly note: string;
}

const stepsOf = ({ tasks }: ProcessingDetail): readonly Step[] =>
  tasks.flatMap(({ ordinal, trace }) =>
    trace.map(({ phase, attempt, started_at: at, duration_ms: durationMs, attributes }) => ({
      task: ordinal,
      phase,
      attempt,
      startMs: Date.parse(at),
      durationMs,
      note: Object.entries(attributes)
        .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
        .join(', '),
    })),
  );

const maxSteps = 200;

/** Steps of the tasks as bars on a common axis of time. */
const Timeline = ({ detail }: { readonly detail: ProcessingDetail }) => {
  const steps = stepsOf(detail).toSorted((one, other) => one.startMs - other.startMs);
  if (steps.length === 0) return <Empty title="No step has been recorded" />;
  const shown = steps.slice(0, maxSteps);
  const from = Math.min(...shown.map(({ startMs }) => startMs));
  const span = Math.max(1, ...shown.map(({ startMs, durationMs }) => startMs + durationMs - from));
  return (
    <Stack gap={2} role="list" aria-label="Steps of processing">
      {shown.map(({ task, phase, attempt, startMs, durationMs, note }) => (
        <Tooltip
          key={`${task} ${phase} ${attempt} ${startMs}`}
          label={`${note === '' ? phase : note}${attempt > 1 ? `, attempt ${attempt}` : ''}`}
          multiline
          maw={400}
        >
          <Group gap="xs" wrap="nowrap" role="listitem">
            <Text size="xs" w={190} truncate>
              task {task} · {phase}
            </Text>
            <div style={{ flex: 1, position: 'relative', height: 12 }}>
              <div
                style={{
                  position: 'absolute',
                  left: `${((startMs - from) / span) * 100}%`,
                  width: `${Math.max(0.4, (durationMs / span) * 100)}%`,
                  height: '100%',
                  borderRadius: 2,
                  background: `var(--mantine-color-${stepColors[phase] ?? 'gray'}-6)`,
                }}
              />
            </div>
            <Text size="xs" w={70} ta="right">
              {milliseconds(durationMs)}
            </Text>
          </Group>
        </Tooltip>
      ))}
      {steps.length > maxSteps && (
        <Text size="xs" c="dimmed">
          The first {maxSteps} of {number(steps.length)} steps are shown.
        </Text>
      )}
    </Stack>
  );
};

/** Chunks of the file in its order, beside the number of their page. */
const Chunks = ({
  indexId,
  jobId,
  isPaged,
}: {
  readonly indexId: string;
  readonly jobId: string;
  readonly isPaged: boolean;
}) => {
  const { client } = useSession();
  const [page, setPage] = useState<number | string>('');
  const list = usePagedList<VectorRecord>(['chunks', indexId, jobId], async (cursor, signal) =>
    toPage(
      await client.api.GET('/v1/indexes/{index_id}/files/{job_id}/chunks', {
        params: {
          path: { index_id: indexId, job_id: jobId },
          query: { limit: 100, ...(cursor === undefined ? {} : { cursor }) },
        },
        signal,
      }),
    ),
  );
  const ofPage = useQuery({
    queryKey: ['chunks of page', indexId, jobId, page],
    enabled: page !== '',
    queryFn: async () => {
      const { data } = list;
      for (const { items } of data?.pages ?? []) {
        const found = items.filter(
          ({ file }) => (file?.page_start ?? 0) <= Number(page) && Number(page) <= (file?.page_end ?? 0),
        );
        if (found.length > 0) return found;
      }
      const all: VectorRecord[] = [];
      for await (const chunk of client.pages('/v1/indexes/{index_id}/files/{job_id}/chunks', {
        params: { path: { index_id: indexId, job_id: jobId }, query: { limit: 1000 } },
      })) {
        const { page_start: start, page_end: end } = chunk.file ?? { page_start: null, page_end: null };
        if (start !== null && start > Number(page)) break;
        if (start !== null && (end ?? start) >= Number(page)) all.push(chunk);
      }
      return all;
    },
  });
  return (
    <Stack gap="xs">
      {isPaged && (
        <NumberInput
          size="xs"
          w={140}
          label="Page"
          placeholder="All pages"
          min={1}
          allowDecimal={false}
          value={page}
          onChange={setPage}
        />
      )}
      {page === '' ? (
        <PagedList
          query={list}
          label="Chunks"
          keyOf={({ id }) => id}
          height="60vh"
          minWidth={0}
          align="start"
          empty={<Empty title="The file has no chunks in the index" />}
          columns={[
            {
              name: isPaged ? 'Page' : 'Chunk',
              width: '64px',
              cell: ({ file, metadata }) =>
                file?.page_start ?? (typeof metadata['chunk'] === 'number' ? metadata['chunk'] : '–'),
            },
            {
              name: 'Text',
              width: 'minmax(0, 1fr)',
              cell: ({ id, text, file, metadata }) => (
                <>
                  {Array.isArray(metadata['heading_path']) && metadata['heading_path'].length > 0 && (
                    <Text size="xs" c="dimmed">
                      {metadata['heading_path'].join(' › ')}
                    </Text>
                  )}
                  <Text size="sm" className="chunk-text">
                    {reflowed(text ?? '', file)}
                  </Text>
                  <Id id={id} />
                </>
              ),
            },
          ]}
        />
      ) : (
        <>
          {ofPage.isPending && <Loading />}
          {ofPage.isError && <ErrorNotice error={ofPage.error} />}
          {ofPage.data?.length === 0 && <Empty title={`Page ${page} has no chunks`} />}
          {ofPage.data?.map(({ id, text, file, metadata }) => (
            <Card key={id} withBorder padding="sm">
              <SourceLine indexId={indexId} file={file} headings={metadata['heading_path']} />
              <Text size="sm" className="chunk-text">
                {reflowed(text ?? '', file)}
              </Text>
            </Card>
          ))}
        </>
      )}
    </Stack>
  );
};

export const FilePage = () => {
  const { indexId, jobId } = useRouteIds();
  const params = readPassageParams(useSearch({ strict: false }));
  const { client } = useSession();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [deletes, setDeletes] = useState(false);
  const request = { params: { path: { index_id: indexId, job_id: jobId } } };
  const detail = useQuery({
    queryKey: ['file', indexId, jobId],
    queryFn: () => client.get('/v1/indexes/{index_id}/files/{job_id}/processing', request),
    refetchInterval: ({ state }) => (state.data !== undefined && !isOpenJob(state.data.job.status) ? false : 1_500),
  });
  const toFiles = (id?: string): Promise<void> =>
    navigate({ to: `/indexes/${indexId}/files${id === undefined ? '' : `/${id}`}` });
  const action = useMutation({
    mutationFn: async (kind: 'cancel' | 'retry' | 'download') => {
      if (kind === 'cancel') await client.post('/v1/indexes/{index_id}/files/{job_id}/cancel', request);
      else if (kind === 'retry')
        await toFiles((await client.post('/v1/indexes/{index_id}/files/{job_id}/retry', request)).id);
      else location.assign((await client.get('/v1/indexes/{index_id}/files/{job_id}/download', request)).url);
      await queries.invalidateQueries({ queryKey: ['file', indexId, jobId] });
    },
  });
  if (detail.isPending) return <Loading />;
  if (detail.isError) return <ErrorNotice error={detail.error} retry={() => void detail.refetch()} />;
  const { job, processing, tasks } = detail.data;
  const isOpen = isOpenJob(job.status);
  // A branch shows files of its parent, and cannot change them.
  const isOwn = job.index_id === indexId;
  return (
    <Stack>
      <Group justify="space-between">
        <Group>
          <Title order={2} size="h4">
            {job.filename}
          </Title>
          <JobBadge status={job.status} />
        </Group>
        <Group gap="xs">
          {isOpen && isOwn && (
            <Button size="xs" variant="default" onClick={() => action.mutate('cancel')}>
              Cancel
            </Button>
          )}
          {!isOpen && isOwn && (
            <Button size="xs" variant="default" loading={action.isPending} onClick={() => action.mutate('retry')}>
              Process again
            </Button>
          )}
          {!isOpen && (
            <Button size="xs" variant="default" onClick={() => action.mutate('download')}>
              Download
            </Button>
          )}
          {isOwn && (
            <Button size="xs" variant="subtle" color="red" onClick={() => setDeletes(true)}>
              Delete
            </Button>
          )}
        </Group>
      </Group>
      {action.isError && <ErrorNotice error={action.error} />}
      {job.error !== null && (
        <Alert
          color={job.status === 'failed' ? 'red' : 'yellow'}
          title={job.status === 'failed' ? 'Why it failed' : 'What was not read'}
        >
          <Text size="sm" className="chunk-text">
            {job.error}
          </Text>
        </Alert>
      )}
      {params.row !== undefined && isChunkOf(jobId, params.row) && (
        <Passage
          indexId={indexId}
          jobId={jobId}
          row={params.row}
          params={params}
          pages={Math.max(0, ...tasks.map(({ page_end: page }) => page ?? 0))}
        />
      )}
      <SimpleGrid cols={{ base: 2, sm: 4, lg: 7 }}>
        <Fact name="Type">{job.content_type}</Fact>
        <Fact name="Size">{job.size_bytes === null ? '–' : bytes(job.size_bytes)}</Fact>
        <Fact name="Chunks">{number(job.chunks_written)}</Fact>
        <Fact name="Took">{job.completed_at === null ? '–' : milliseconds(processing.end_to_end_latency_ms)}</Fact>
        <Fact name="OCR credits">{number(processing.ocr_credits)}</Fact>
        <Fact name="Created">
          <Time at={job.created_at} />
        </Fact>
        <Fact name="Job">
          <Id id={job.id} />
        </Fact>
      </SimpleGrid>
      {(job.replaces_job_id !== null || job.replaced_by_job_id !== null) && (
        <Group gap="md" fz="sm">
          {job.replaces_job_id !== null && (
            <Anchor component={Link} to={`/indexes/${indexId}/files/${job.replaces_job_id}`} size="sm">
              Replaces an earlier job
            </Anchor>
          )}
          {job.replaced_by_job_id !== null && (
            <Anchor component={Link} to={`/indexes/${indexId}/files/${job.replaced_by_job_id}`} size="sm">
              Replaced by a later job
            </Anchor>
          )}
        </Group>
      )}
      {isOpen && job.tasks_total > 0 && (
        <Progress
          value={(job.tasks_completed / job.tasks_total) * 100}
          aria-label={`${job.tasks_completed} of ${job.tasks_total} tasks`}
        />
      )}
      <Grid>
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Title order={3} size="h5" mb="xs">
            Chunks
          </Title>
          {job.chunks_written > 0 && !isOpen ? (
            <Chunks indexId={indexId} jobId={jobId} isPaged={tasks.some(({ page_start: page }) => page != null)} />
          ) : (
            <Empty title={isOpen ? 'The file is being read' : 'The file has no chunks in the index'} />
          )}
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Title order={3} size="h5" mb="xs">
            Steps
          </Title>
          <Timeline detail={detail.data} />
          {tasks.length > 0 && (
            <>
              <Title order={3} size="h5" my="xs">
                Tasks
              </Title>
              <Table.ScrollContainer minWidth={320} mah={360}>
                <Table fz="sm">
                  <Table.Thead>
                    <Table.Tr>
                      <Table.Th>Task</Table.Th>
                      <Table.Th>Pages</Table.Th>
                      <Table.Th>Status</Table.Th>
                      <Table.Th>Attempts</Table.Th>
                    </Table.Tr>
                  </Table.Thead>
                  <Table.Tbody>
                    {tasks.slice(0, maxSteps).map((task) => (
                      <Table.Tr key={task.id}>
                        <Table.Td>{task.ordinal}</Table.Td>
                        <Table.Td>
                          {task.page_start == null
                            ? '–'
                            : task.page_start === task.page_end
                              ? task.page_start
                              : `${task.page_start}–${task.page_end}`}
                        </Table.Td>
                        <Table.Td title={task.error ?? ''}>{nameOf(task.status)}</Table.Td>
                        <Table.Td>{task.attempt_count}</Table.Td>
                      </Table.Tr>
                    ))}
                  </Table.Tbody>
                </Table>
              </Table.ScrollContainer>
            </>
          )}
        </Grid.Col>
      </Grid>
      <Dialog
        title="Delete the file"
        action="Delete"
        danger
        opened={deletes}
        onClose={() => setDeletes(false)}
        run={async () => {
          await client.delete('/v1/indexes/{index_id}/files/{job_id}', request);
          await toFiles();
        }}
      >
        <Text size="sm">The job, its rows and the original are deleted.</Text>
      </Dialog>
    </Stack>
  );
};
