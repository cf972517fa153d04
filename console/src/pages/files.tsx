import { Alert, Anchor, Button, Group, MultiSelect, Progress, Select, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { FileJobResponse } from '#client';
import { inParallel } from '../../../shared/kernel/in-parallel.ts';
import { ColumnChoice } from '../parts/column-choice.tsx';
import { Dialog } from '../parts/dialogs.tsx';
import { bytes, count, number, Time } from '../parts/format.tsx';
import { useIndexStats } from '../parts/index-stats.tsx';
import { useIndex } from '../parts/indexes.tsx';
import { JobBadge } from '../parts/job-status.tsx';
import { isOpenJob, jobStatuses } from '../parts/job-statuses.ts';
import { fileSources, type FilesParams, orderParams, readFilesParams } from '../parts/list-params.ts';
import { Empty, ErrorNotice } from '../parts/notices.tsx';
import { type Column, type ListOrder, PagedList, toPage, usePagedList } from '../parts/paged-list.tsx';
import { useRouteIds } from '../parts/route-ids.ts';
import { UploadArea } from '../parts/upload-area.tsx';
import { UploadPanel } from '../parts/upload-panel.tsx';
import { isOpenUpload, useUploads } from '../parts/uploads.ts';
import { nameOf } from '../parts/words.ts';
import { useSession } from '../session.tsx';

/** Link from a branch to the files of its parent, whose rows it shares. */
const ParentFiles = ({ parentId }: { readonly parentId: string }) => {
  const parent = useIndex(parentId);
  const stats = useIndexStats(parentId);
  if (parent.data === undefined) return null;
  return (
    <Text size="sm">
      Files of the parent:{' '}
      <Anchor component={Link} to={`/indexes/${parentId}/files`} size="sm" underline="always">
        {parent.data.name}
        {stats.data !== undefined && ` (${number(stats.data.documents)})`}
      </Anchor>
      . The branch has their rows. Files that you add here are of the branch alone.
    </Text>
  );
};

const ProgressCell = ({ status, error, tasks_total: total, tasks_completed: done }: FileJobResponse) => {
  if (error !== null)
    return (
      <Text size="xs" c={status === 'failed' ? 'red' : 'dimmed'} truncate title={error}>
        {error}
      </Text>
    );
  if (status === 'processing' && total > 0)
    return (
      <Group gap="xs" wrap="nowrap">
        <Progress flex={1} value={(done / total) * 100} aria-label={`${done} of ${total} tasks`} />
        <Text size="xs" c="dimmed">
          {number(done)} of {number(total)}
        </Text>
      </Group>
    );
  const notes = { awaiting_upload: 'Is being sent', queued: 'Waits for its turn', processing: 'Is being read' };
  return (
    <Text size="xs" c="dimmed">
      {status in notes ? notes[status as keyof typeof notes] : ''}
    </Text>
  );
};

/** Columns that can be shown beside those of name, status and progress, by their names. */
const optionalColumns: readonly (Column<FileJobResponse> & { readonly isUsual: boolean })[] = [
  { name: 'Chunks', isUsual: true, width: '80px', order: 'chunks_written', cell: (job) => number(job.chunks_written) },
  {
    name: 'Size',
    isUsual: true,
    width: '90px',
    order: 'size_bytes',
    cell: ({ size_bytes: size }) => (size === null ? '–' : bytes(size)),
  },
  { name: 'Source', isUsual: true, width: '90px', order: 'source', cell: (job) => nameOf(job.source) },
  {
    name: 'Created',
    isUsual: true,
    width: '120px',
    order: 'created_at',
    cell: ({ created_at: at }) => <Time at={at} />,
  },
  {
    name: 'Completed',
    isUsual: false,
    width: '120px',
    order: 'completed_at',
    cell: ({ completed_at: at }) => <Time at={at} />,
  },
  {
    name: 'Type',
    isUsual: false,
    width: 'minmax(120px, 1fr)',
    order: 'content_type',
    cell: ({ content_type: type }) => (
      <Text size="sm" truncate title={type}>
        {type}
      </Text>
    ),
  },
  {
    name: 'Metadata',
    isUsual: false,
    width: 'minmax(120px, 2fr)',
    cell: ({ metadata }) => (
      <Text size="xs" ff="monospace" c="dimmed" truncate title={JSON.stringify(metadata)}>
        {JSON.stringify(metadata)}
      </Text>
    ),
  },
];
const usualColumns = optionalColumns.filter(({ isUsual }) => isUsual).map(({ name }) => name);

/** Fields that files can be ordered by. */
const orderFields = [
  'filename',
  'status',
  'chunks_written',
  'size_bytes',
  'source',
  'created_at',
  'completed_at',
  'content_type',
] as const satisfies readonly (keyof FileJobResponse)[];

/** Files that are read for an order of a person. The service lists the newest first. */
const maxOrdered = 10_000;

const ordered = (jobs: readonly FileJobResponse[], { by, direction }: ListOrder): readonly FileJobResponse[] => {
  const field = orderFields.find((each) => each === by) ?? 'created_at';
  const text = new Intl.Collator(undefined, { numeric: true });
  const sorted = jobs.toSorted((one, other) => {
    const [a, b] = [one[field] ?? '', other[field] ?? ''];
    return typeof a === 'number' && typeof b === 'number' ? a - b : text.compare(String(a), String(b));
  });
  return direction === 'asc' ? sorted : sorted.toReversed();
};

/** Requests of one action on many files that are sent concurrently. */
const parallelActions = 4;

/** Actions on the chosen files. */
const BulkActions = ({
  indexId,
  jobs,
  onEnd,
}: {
  readonly indexId: string;
  readonly jobs: readonly FileJobResponse[];
  readonly onEnd: () => Promise<void>;
}) => {
  const { client } = useSession();
  const [action, setAction] = useState<'delete' | 'retry' | null>(null);
  const ended = jobs.filter(({ status }) => !isOpenJob(status));
  const params = ({ id }: FileJobResponse) => ({ params: { path: { index_id: indexId, job_id: id } } });
  const run = async (): Promise<void> => {
    if (action === 'retry')
      await inParallel(ended, parallelActions, (job) =>
        client.post('/v1/indexes/{index_id}/files/{job_id}/retry', params(job)),
      );
    else
      await inParallel(jobs, parallelActions, (job) =>
        client.delete('/v1/indexes/{index_id}/files/{job_id}', params(job)),
      );
  };
  return (
    <Group gap="xs" role="group" aria-label="Chosen files">
      <Text size="sm" role="status">
        {count(jobs.length, 'file')} chosen
      </Text>
      <Button size="compact-xs" variant="default" disabled={ended.length === 0} onClick={() => setAction('retry')}>
        Process again…
      </Button>
      <Button size="compact-xs" variant="light" color="red" onClick={() => setAction('delete')}>
        Delete…
      </Button>
      <Dialog
        title={
          action === 'retry' ? `Process ${count(ended.length, 'file')} again` : `Delete ${count(jobs.length, 'file')}`
        }
        action={action === 'retry' ? 'Process again' : 'Delete'}
        danger={action !== 'retry'}
        opened={action !== null}
        onClose={() => {
          setAction(null);
          void onEnd();
        }}
        run={run}
      >
        <Text size="sm">
          {action === 'retry'
            ? 'Each is read from its original. Its rows stay until the new ones replace them.'
            : `Their ${count(
                jobs.reduce((sum, { chunks_written: chunks }) => sum + chunks, 0),
                'row',
              )} and their originals are deleted. This cannot be undone.`}
        </Text>
      </Dialog>
    </Group>
  );
};

export const FilesPage = () => {
  const { indexId } = useRouteIds();
  const { client } = useSession();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const index = useIndex(indexId);
  const params = readFilesParams(useSearch({ strict: false }));
  const { status: statuses = [], source, columns = usualColumns, sort } = params;
  const change = (part: { readonly [Name in keyof FilesParams]: FilesParams[Name] | undefined }): void =>
    void navigate({
      to: `/indexes/${indexId}/files`,
      search: readFilesParams({ ...params, ...part }),
      replace: true,
    });
  const [name, setName] = useState(params.q ?? '');
  const changeName = useDebouncedCallback((q: string) => change({ q: q === '' ? undefined : q }), 250);
  const order: ListOrder | null =
    orderFields.some((field) => field === sort) && sort !== undefined
      ? { by: sort, direction: params.direction ?? 'asc' }
      : null;
  const key = ['files', indexId];
  const reload = (): Promise<void> => queries.invalidateQueries({ queryKey: key });
  const uploads = useUploads(indexId);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const query = {
    ...(statuses.length === 0 ? {} : { status: statuses.join(',') }),
    ...(source === undefined ? {} : { source }),
    ...(params.q === undefined ? {} : { q: params.q }),
  };
  const [isActive, setActive] = useState(true);
  const [isCut, setCut] = useState(false);
  const list = usePagedList<FileJobResponse>(
    [...key, query, order],
    async (cursor, signal) => {
      const path = { index_id: indexId };
      if (order !== null) {
        const jobs: FileJobResponse[] = [];
        const request = { params: { path, query: { limit: 1_000, ...query } } };
        for await (const job of client.pages('/v1/indexes/{index_id}/files', request)) {
          if (jobs.length === maxOrdered) break;
          jobs.push(job);
        }
        setCut(jobs.length === maxOrdered);
        return { items: ordered(jobs, order), next: null };
      }
      const page = toPage(
        await client.api.GET('/v1/indexes/{index_id}/files', {
          params: { path, query: { limit: 100, ...query, ...(cursor === undefined ? {} : { cursor }) } },
          signal,
        }),
      );
      if (cursor === undefined) setActive(page.items.some(({ status }) => isOpenJob(status)));
      return page;
    },
    { refetchMs: isActive && order === null ? 1_500 : 15_000 },
  );
  const isFiltered = statuses.length > 0 || source !== undefined || params.q !== undefined;
  const isUploading = uploads.some(isOpenUpload);
  const parentId = index.data?.parent_index_id;
  const loaded = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const names = new Map(loaded.map(({ id, filename }) => [id, filename]));
  const jobs = loaded.filter(({ id }) => chosen.has(id));
  return (
    <Stack>
      {parentId != null && <ParentFiles parentId={parentId} />}
      <UploadArea indexId={indexId} onDone={() => void reload()} />
      <UploadPanel indexId={indexId} />
      <Group justify="space-between">
        <Group gap="xs">
          <TextInput
            size="xs"
            aria-label="Name"
            placeholder="Part of a name"
            value={name}
            onChange={({ currentTarget }) => {
              setName(currentTarget.value);
              changeName(currentTarget.value.trim());
            }}
          />
          <MultiSelect
            size="xs"
            miw={200}
            aria-label="Status"
            placeholder={statuses.length === 0 ? 'Any status' : ''}
            clearable
            data={jobStatuses.map((value) => ({ value, label: nameOf(value) }))}
            value={[...statuses]}
            onChange={(next) =>
              change({ status: next.length === 0 ? undefined : jobStatuses.filter((each) => next.includes(each)) })
            }
          />
          <Select
            size="xs"
            w={140}
            aria-label="Source"
            placeholder="Any source"
            clearable
            data={fileSources.map((value) => ({ value, label: nameOf(value) }))}
            value={source ?? null}
            onChange={(next) => change({ source: fileSources.find((each) => each === next) })}
          />
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => change({ status: ['failed', 'completed_with_warnings'] })}
          >
            Failed and warnings
          </Button>
        </Group>
        {jobs.length > 0 ? (
          <BulkActions
            indexId={indexId}
            jobs={jobs}
            onEnd={async () => {
              setChosen(new Set());
              await reload();
            }}
          />
        ) : (
          <ColumnChoice
            all={optionalColumns.map((column) => column.name)}
            chosen={columns}
            onChange={(next) => change({ columns: next })}
          />
        )}
      </Group>
      {order !== null && isCut && (
        <Alert color="yellow">
          The newest {number(maxOrdered)} files are in this order. Filter them to see others.
        </Alert>
      )}
      {list.isError && loaded.length > 0 && <ErrorNotice error={list.error} />}
      <PagedList
        query={list}
        label="Files"
        keyOf={({ id }) => id}
        onOpen={({ id }) => void navigate({ to: `/indexes/${indexId}/files/${id}` })}
        height="calc(100vh - 26rem)"
        minWidth={760}
        selection={{ keys: chosen, onChange: setChosen, nameOf: (id) => names.get(id) ?? id }}
        order={order}
        onOrder={(next) => change({ sort: undefined, direction: undefined, ...orderParams(next) })}
        empty={
          isFiltered ? (
            <Empty title="No file matches the filter" />
          ) : isUploading ? null : parentId == null ? (
            <Empty title="There are no files yet">
              PDF, Office, HTML, mail, pictures and more: a file is read, cut into chunks and searchable within seconds.
            </Empty>
          ) : (
            <Empty title="The branch has no files of its own" />
          )
        }
        columns={[
          {
            name: 'File',
            width: 'minmax(180px, 3fr)',
            order: 'filename',
            cell: ({ filename }) => (
              <Text size="sm" fw={500} truncate title={filename}>
                {filename}
              </Text>
            ),
          },
          { name: 'Status', width: '190px', order: 'status', cell: ({ status }) => <JobBadge status={status} /> },
          { name: 'Progress', width: 'minmax(140px, 2fr)', cell: (job) => <ProgressCell {...job} /> },
          ...optionalColumns.filter((column) => columns.includes(column.name)),
        ]}
      />
    </Stack>
  );
};
