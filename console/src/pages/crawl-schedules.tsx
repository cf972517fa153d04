import { Button, Card, Group, NumberInput, PasswordInput, Text, Textarea, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { CrawlJobResponse, CrawlScheduleResponse } from '#client';
import { Dialog } from '../parts/dialogs.tsx';
import { number, Time } from '../parts/format.tsx';
import { Empty, ErrorNotice } from '../parts/notices.tsx';
import { PagedList, toPage, usePagedList } from '../parts/paged-list.tsx';
import { State } from '../parts/source-state.tsx';
import { useSession } from '../session.tsx';

/** Dialog with the crawls that a schedule has started. */
const History = ({
  indexId,
  schedule,
  onClose,
}: {
  readonly indexId: string;
  readonly schedule: CrawlScheduleResponse | null;
  readonly onClose: () => void;
}) => {
  const { client } = useSession();
  const list = usePagedList<CrawlJobResponse>(
    ['crawls', indexId, schedule?.id],
    async (cursor, signal) =>
      toPage(
        await client.api.GET('/v1/indexes/{index_id}/crawl-jobs', {
          params: {
            path: { index_id: indexId },
            query: { limit: 50, schedule_id: schedule?.id ?? '', ...(cursor === undefined ? {} : { cursor }) },
          },
          signal,
        }),
      ),
    { enabled: schedule !== null },
  );
  return (
    <Dialog
      title="Crawls of the schedule"
      action="Close"
      opened={schedule !== null}
      onClose={onClose}
      run={async () => {}}
    >
      <PagedList
        query={list}
        label="Crawls of the schedule"
        keyOf={({ id }) => id}
        height="50vh"
        empty={<Empty title="No crawl has started yet" />}
        columns={[
          { name: 'Started', width: '1fr', cell: ({ created_at: at }) => <Time at={at} /> },
          { name: 'State', width: '1fr', cell: ({ status }) => <State state={status} /> },
          {
            name: 'Pages',
            width: '2fr',
            cell: ({ pages_found: found, error }) => (
              <Text size="xs">
                {number(found)}
                {error == null ? '' : `: ${error}`}
              </Text>
            ),
          },
        ]}
      />
    </Dialog>
  );
};

/** Returns the lines of a field that are not empty. */
const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const empty = {
  url: 'https://',
  include: '',
  exclude: '',
  hours: '24',
  pages: '200',
  depth: '3',
  header: '',
  value: '',
};

/** Dialog that creates a schedule. */
const NewSchedule = ({
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
  const [form, setForm] = useState(empty);
  const fieldOf = (name: keyof typeof empty) => ({
    size: 'xs' as const,
    value: form[name],
    onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      setForm({ ...form, [name]: currentTarget.value }),
  });
  const numberOf = (name: keyof typeof empty) => ({
    size: 'xs' as const,
    value: form[name],
    onChange: (value: number | string) => setForm({ ...form, [name]: String(value) }),
  });
  const create = async (): Promise<void> => {
    await client.post('/v1/indexes/{index_id}/crawl-schedules', {
      params: { path: { index_id: indexId } },
      body: {
        url: form.url,
        include_paths: linesOf(form.include),
        exclude_paths: linesOf(form.exclude),
        interval_hours: Number(form.hours),
        page_limit: Number(form.pages),
        max_depth: Number(form.depth),
        ...(form.header === '' ? {} : { headers: { [form.header]: form.value } }),
      },
    });
    setForm(empty);
    await queries.invalidateQueries({ queryKey: ['schedules', indexId] });
  };
  return (
    <Dialog title="Schedule a crawl" action="Create" opened={opened} onClose={onClose} run={create}>
      {(errorOf) => (
        <>
          <TextInput label="Address" error={errorOf('url')} {...fieldOf('url')} />
          <Textarea
            label="Paths to read"
            description="One a line, such as /docs/*. Without any, all."
            autosize
            error={errorOf('include_paths')}
            {...fieldOf('include')}
          />
          <Textarea label="Paths to leave out" autosize error={errorOf('exclude_paths')} {...fieldOf('exclude')} />
          <Group grow align="flex-start">
            <NumberInput
              label="Hours between crawls"
              min={1}
              error={errorOf('interval_hours')}
              {...numberOf('hours')}
            />
            <NumberInput label="Page limit" min={1} error={errorOf('page_limit')} {...numberOf('pages')} />
            <NumberInput label="Link depth" min={0} error={errorOf('max_depth')} {...numberOf('depth')} />
          </Group>
          <Group grow align="flex-start">
            <TextInput
              label="Header"
              description="For sites that need one. It is stored encrypted."
              error={errorOf('headers')}
              {...fieldOf('header')}
            />
            <PasswordInput label="Value" description="It is not shown again." {...fieldOf('value')} />
          </Group>
        </>
      )}
    </Dialog>
  );
};

/** Schedules of crawls of an index. */
export const CrawlSchedules = ({ indexId }: { readonly indexId: string }) => {
  const { client } = useSession();
  const queries = useQueryClient();
  const key = ['schedules', indexId];
  const [isNew, setIsNew] = useState(false);
  const [shown, setShown] = useState<CrawlScheduleResponse | null>(null);
  const [removed, setRemoved] = useState<CrawlScheduleResponse | null>(null);
  const path = '/v1/indexes/{index_id}/crawl-schedules/{schedule_id}' as const;
  const paramsOf = (id: string) => ({ path: { index_id: indexId, schedule_id: id } });
  const list = useQuery({
    queryKey: key,
    queryFn: ({ signal }) =>
      client.get('/v1/indexes/{index_id}/crawl-schedules', { params: { path: { index_id: indexId } }, signal }),
    refetchInterval: 10_000,
  });
  const change = useMutation({
    mutationFn: async ({
      id,
      ...body
    }: {
      readonly id: string;
      readonly paused?: boolean;
      readonly starts_at?: string;
    }) => {
      await client.patch(path, { params: paramsOf(id), body });
      await queries.invalidateQueries({ queryKey: key });
    },
  });
  const remove = async (): Promise<void> => {
    await client.delete(path, { params: paramsOf(removed?.id ?? '') });
    await queries.invalidateQueries({ queryKey: key });
  };
  const actionsOf = (schedule: CrawlScheduleResponse) => (
    <Group gap={4} wrap="nowrap">
      <Button
        size="compact-xs"
        variant="default"
        disabled={schedule.paused || change.isPending}
        onClick={() => change.mutate({ id: schedule.id, starts_at: new Date().toISOString() })}
      >
        Run now
      </Button>
      <Button size="compact-xs" variant="default" onClick={() => setShown(schedule)}>
        History
      </Button>
      <Button
        size="compact-xs"
        variant="default"
        disabled={change.isPending}
        onClick={() => change.mutate({ id: schedule.id, paused: !schedule.paused })}
      >
        {schedule.paused ? 'Resume' : 'Pause'}
      </Button>
      <Button size="compact-xs" variant="subtle" color="red" onClick={() => setRemoved(schedule)}>
        Delete
      </Button>
    </Group>
  );
  return (
    <Card withBorder>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h5">
          Schedules of crawls
        </Title>
        <Button size="xs" onClick={() => setIsNew(true)}>
          Schedule a crawl
        </Button>
      </Group>
      {list.isError && <ErrorNotice error={list.error} />}
      {change.isError && <ErrorNotice error={change.error} />}
      {list.data?.length === 0 && <Empty title="No crawl is scheduled" />}
      {(list.data ?? []).map((schedule) => (
        <Group key={schedule.id} justify="space-between" wrap="nowrap" py={4}>
          <div style={{ minWidth: 0 }}>
            <Text size="sm" truncate>
              {schedule.url} {schedule.include_paths.join(' ')}
            </Text>
            <Text size="xs" c={schedule.error == null ? 'dimmed' : 'red'}>
              {schedule.error ?? `Every ${schedule.interval_hours} hours`}
              {schedule.next_run_at == null ? (
                ', paused'
              ) : (
                <>
                  , next <Time at={schedule.next_run_at} />
                </>
              )}
            </Text>
          </div>
          {actionsOf(schedule)}
        </Group>
      ))}
      <NewSchedule indexId={indexId} opened={isNew} onClose={() => setIsNew(false)} />
      <History indexId={indexId} schedule={shown} onClose={() => setShown(null)} />
      <Dialog
        title="Delete the schedule"
        action="Delete"
        danger
        opened={removed !== null}
        onClose={() => setRemoved(null)}
        run={remove}
      >
        <Text size="sm">No further crawl starts. Its pages stay.</Text>
      </Dialog>
    </Card>
  );
};
