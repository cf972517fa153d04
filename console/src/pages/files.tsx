import {
  Alert,
  Button,
  FileButton,
  Group,
  Modal,
  MultiSelect,
  Paper,
  Progress,
  Select,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import type { FileJobResponse, FileJobSource } from '#client';
import { bytes, number, Time } from '../parts/format.tsx';
import { isOpenJob, JobBadge, jobStatuses, statusName } from '../parts/job-status.tsx';
import { Empty } from '../parts/notices.tsx';
import { PagedList, toPage, usePagedList } from '../parts/paged-list.tsx';
import { findExisting, uploadFile } from '../parts/upload.ts';
import { useRouteIds } from '../parts/route-ids.ts';
import { useSession } from '../session.tsx';

interface Upload {
  readonly id: number;
  readonly name: string;
  readonly share: number;
  readonly error: string | null;
}

const parallelUploads = 3;

/** Uploads files, three at a time, with their progress. */
const useUploads = (indexId: string, onDone: () => void) => {
  const { client } = useSession();
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const nextId = useRef(0);
  const edit = (id: number, part: Partial<Upload>): void =>
    setUploads((before) => before.map((upload) => (upload.id === id ? { ...upload, ...part } : upload)));
  const add = async (
    files: readonly File[],
    replaced: ReadonlyMap<string, FileJobResponse> = new Map(),
  ): Promise<void> => {
    const waiting = files.map((file) => ({ id: (nextId.current += 1), file }));
    setUploads((before) => [
      ...before,
      ...waiting.map(({ id, file }) => ({ id, name: file.name, share: 0, error: null })),
    ]);
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const { id, file } = next;
        try {
          await uploadFile(client, indexId, file, replaced.get(file.name) ?? null, (share) => edit(id, { share }));
          setUploads((before) => before.filter((upload) => upload.id !== id));
        } catch (error) {
          edit(id, { error: error instanceof Error ? error.message : String(error) });
        }
        onDone();
      }
    };
    await Promise.all(Array.from({ length: parallelUploads }, work));
  };
  const dismiss = (id: number): void => setUploads((before) => before.filter((upload) => upload.id !== id));
  return { uploads, add, dismiss };
};

/** Files that were chosen, and those of their names that the index has. */
interface Chosen {
  readonly files: readonly File[];
  readonly existing: ReadonlyMap<string, FileJobResponse>;
}

/** Asks what happens to files whose names exist. */
const DuplicateDialog = ({
  chosen,
  onClose,
  onChoice,
}: {
  readonly chosen: Chosen | null;
  readonly onClose: () => void;
  readonly onChoice: (files: readonly File[], replaced?: Chosen['existing']) => void;
}) => {
  const { files = [], existing = new Map<string, FileJobResponse>() } = chosen ?? {};
  const names = [...existing.keys()];
  const [first = ''] = names;
  const isOne = names.length === 1;
  return (
    <Modal
      opened={chosen !== null}
      onClose={onClose}
      title={isOne ? `${first} exists` : `${number(names.length)} files exist`}
      centered
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack>
        <Text size="sm">
          {isOne ? 'The index has a file of this name.' : `The index has files of these names: ${names.join(', ')}.`} If
          you keep both, searches find the text of both.
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => onChoice(files.filter(({ name }) => !existing.has(name)))}>
            Skip
          </Button>
          <Button variant="default" onClick={() => onChoice(files)}>
            Keep both
          </Button>
          <Button data-autofocus onClick={() => onChoice(files, existing)}>
            Replace
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
};

const sources: readonly FileJobSource[] = ['upload', 'import', 'crawl', 'connector'];

export const FilesPage = () => {
  const { indexId } = useRouteIds();
  const { client } = useSession();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [statuses, setStatuses] = useState<string[]>([]);
  const [source, setSource] = useState<FileJobSource | null>(null);
  const [name, setName] = useState('');
  const [text] = useDebouncedValue(name.trim(), 250);
  const [over, setOver] = useState(false);
  const key = ['files', indexId];
  const { uploads, add, dismiss } = useUploads(indexId, () => void queries.invalidateQueries({ queryKey: key }));
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const choose = async (files: readonly File[]): Promise<void> => {
    const names = files.map(({ name: filename }) => filename);
    // Without an answer, the uploads show the error.
    const existing = await findExisting(client, indexId, names).catch(() => new Map<string, FileJobResponse>());
    if (existing.size > 0) setChosen({ files, existing });
    else await add(files);
  };
  const query = {
    ...(statuses.length === 0 ? {} : { status: statuses.join(',') }),
    ...(source === null ? {} : { source }),
    ...(text === '' ? {} : { q: text }),
  };
  const [isActive, setActive] = useState(true);
  const list = usePagedList<FileJobResponse>(
    [...key, query],
    async (cursor, signal) => {
      const page = toPage(
        await client.api.GET('/v1/indexes/{index_id}/files', {
          params: {
            path: { index_id: indexId },
            query: { limit: 100, ...query, ...(cursor === undefined ? {} : { cursor }) },
          },
          signal,
        }),
      );
      if (cursor === undefined) setActive(page.items.some(({ status }) => isOpenJob(status)));
      return page;
    },
    { refetchMs: isActive ? 1_500 : 15_000 },
  );
  const isFiltered = statuses.length > 0 || source !== null || text !== '';
  return (
    <Stack>
      <Paper
        withBorder
        p="md"
        ta="center"
        className="drop-area"
        data-over={over}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          void choose([...event.dataTransfer.files]);
        }}
      >
        <Group justify="center">
          <Text size="sm">Drop files here, or</Text>
          <FileButton
            multiple
            onChange={(files) => void choose(files)}
            inputProps={{ 'aria-label': 'Files to upload' }}
          >
            {(props) => (
              <Button size="xs" {...props}>
                Choose files
              </Button>
            )}
          </FileButton>
        </Group>
      </Paper>
      <DuplicateDialog
        chosen={chosen}
        onClose={() => setChosen(null)}
        onChoice={(files, replaced) => {
          setChosen(null);
          void add(files, replaced);
        }}
      />
      {uploads.map(({ id, name: filename, share, error }) =>
        error === null ? (
          <Group key={id} gap="sm" wrap="nowrap">
            <Text size="sm" truncate w={240}>
              {filename}
            </Text>
            <Progress value={share * 100} style={{ flex: 1 }} aria-label={`Upload of ${filename}`} />
          </Group>
        ) : (
          <Alert
            key={id}
            color="red"
            title={filename}
            withCloseButton
            closeButtonLabel="Dismiss"
            onClose={() => dismiss(id)}
            role="alert"
          >
            {error}
          </Alert>
        ),
      )}
      <Group>
        <TextInput
          size="xs"
          aria-label="Name"
          placeholder="Part of a name"
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <MultiSelect
          size="xs"
          miw={200}
          aria-label="Status"
          placeholder={statuses.length === 0 ? 'Any status' : ''}
          clearable
          data={jobStatuses.map((value) => ({ value, label: statusName(value) }))}
          value={statuses}
          onChange={setStatuses}
        />
        <Select
          size="xs"
          w={140}
          aria-label="Source"
          placeholder="Any source"
          clearable
          data={[...sources]}
          value={source}
          onChange={(next) => setSource(sources.find((each) => each === next) ?? null)}
        />
        <Button size="compact-xs" variant="default" onClick={() => setStatuses(['failed', 'completed_with_warnings'])}>
          Failed and warnings
        </Button>
      </Group>
      <PagedList
        query={list}
        label="File jobs"
        keyOf={({ id }) => id}
        onOpen={({ id }) => void navigate({ to: `/indexes/${indexId}/files/${id}` })}
        height="calc(100vh - 26rem)"
        empty={
          isFiltered ? (
            <Empty title="No file matches the filter" />
          ) : (
            <Empty title="There are no files yet">
              PDF, Office, HTML, mail, pictures and more: a file is read, cut into chunks and searchable within seconds.
            </Empty>
          )
        }
        columns={[
          {
            name: 'File',
            width: 'minmax(180px, 3fr)',
            cell: ({ filename }) => (
              <Text size="sm" fw={500} truncate>
                {filename}
              </Text>
            ),
          },
          { name: 'Status', width: '190px', cell: ({ status }) => <JobBadge status={status} /> },
          {
            name: 'Progress',
            width: 'minmax(140px, 2fr)',
            cell: ({ status, error, tasks_total: total, tasks_completed: done }) =>
              error !== null ? (
                <Text size="xs" c={status === 'failed' ? 'red' : 'dimmed'} truncate title={error}>
                  {error}
                </Text>
              ) : status === 'processing' && total > 0 ? (
                <Group gap="xs" wrap="nowrap">
                  <Progress flex={1} value={(done / total) * 100} aria-label={`${done} of ${total} tasks`} />
                  <Text size="xs" c="dimmed">
                    {number(done)} of {number(total)}
                  </Text>
                </Group>
              ) : (
                ''
              ),
          },
          { name: 'Chunks', width: '80px', cell: ({ chunks_written: chunks }) => number(chunks) },
          { name: 'Size', width: '90px', cell: ({ size_bytes: size }) => (size === null ? '–' : bytes(size)) },
          { name: 'Source', width: '90px', cell: (job) => job.source },
          { name: 'Created', width: '110px', cell: ({ created_at: at }) => <Time at={at} /> },
        ]}
      />
    </Stack>
  );
};
