import {
  Button,
  Card,
  Checkbox,
  Code,
  Drawer,
  Group,
  Pagination,
  Select,
  Stack,
  Table,
  Text,
  Title,
  Tooltip,
  VisuallyHidden,
} from '@mantine/core';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { HistoryEvent, WebhookEndpointResponse } from '#client';
import { eventStatuses, eventTypes } from '../parts/event-types.ts';
import { IndexName } from '../parts/indexes.tsx';
import { type EventsParams, readEventsParams } from '../parts/list-params.ts';
import { nameOf } from '../parts/words.ts';
import { Id } from '../parts/copy.tsx';
import { Time } from '../parts/format.tsx';
import { Empty, ErrorNotice, InnerLink, Loading, PageTitle } from '../parts/notices.tsx';
import { Endpoints, useEndpoints } from './endpoints.tsx';
import { useSession } from '../session.tsx';

const pageSize = 25;

/** Returns the name of what an event is about. */
const subjectOf = ({ payload }: HistoryEvent): string | null => {
  if ('data' in payload) {
    const { data } = payload;
    if ('job' in data) return data.job.filename;
    if ('index' in data) return data.index.name;
    if ('endpoint' in data) return data.endpoint.id;
    if ('record' in data) return `${data.record.action} ${data.record.resource.name ?? ''}`.trim();
  }
  return null;
};

/** Subject of an event, with a link to it. */
const Subject = ({ event }: { readonly event: HistoryEvent }) => {
  const { index_id: indexId, job_id: jobId } = event;
  const name = subjectOf(event);
  if (indexId === null)
    return (
      <Text size="sm" truncate>
        {name ?? '–'}
      </Text>
    );
  return (
    <Text size="sm" truncate>
      <InnerLink to={jobId === null ? `/indexes/${indexId}` : `/indexes/${indexId}/files/${jobId}`}>
        {name ?? <IndexName id={indexId} />}
      </InnerLink>
    </Text>
  );
};

/** State of an event. Owners see whether there was an endpoint for it. */
const State = ({
  event,
  endpoints,
}: {
  readonly event: HistoryEvent;
  /** Undefined for members, who may not see them. */
  readonly endpoints: readonly WebhookEndpointResponse[] | undefined;
}) => {
  const { event_type: type, status, created_at: at } = event;
  // Records of the audit log go to endpoints that name their type.
  const isReceived = ({ created_at: since, event_types: types }: WebhookEndpointResponse): boolean =>
    since <= at && (types === null ? type !== 'audit.recorded' : types.includes(type));
  if (status === 'dispatched' && endpoints !== undefined && !endpoints.some(isReceived))
    return (
      <Tooltip label="None of the present endpoints was there to receive it." withArrow>
        <Text size="sm" c="dimmed">
          No endpoint
        </Text>
      </Tooltip>
    );
  return (
    <Text size="sm" {...(status === 'failed' ? { c: 'red' } : {})}>
      {nameOf(status)}
    </Text>
  );
};

const History = () => {
  const { client, organization, isOwner } = useSession();
  const navigate = useNavigate();
  const params = readEventsParams(useSearch({ strict: false }));
  const { type, status, page = 1 } = params;
  const change = (part: { readonly [Name in keyof EventsParams]: EventsParams[Name] | undefined }): void =>
    void navigate({ to: '/events', search: readEventsParams({ ...params, page: undefined, ...part }) });
  const [opened, setOpened] = useState<HistoryEvent | null>(null);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [endpointId, setEndpointId] = useState<string | null>(null);
  const endpoints = useEndpoints();
  const history = useQuery({
    queryKey: [organization.organization_id, 'events', params],
    queryFn: () =>
      client.get('/v1/organization/webhooks/events', {
        params: {
          query: {
            limit: pageSize,
            offset: (page - 1) * pageSize,
            ...(type === undefined ? {} : { event_type: type }),
            ...(status === undefined ? {} : { status }),
          },
        },
      }),
    placeholderData: keepPreviousData,
    refetchInterval: 10_000,
  });
  const replay = useMutation({
    mutationFn: async () => {
      const body = endpointId === null ? {} : { endpoint_id: endpointId };
      for (const id of chosen)
        await client.post('/v1/organization/webhooks/events/{event_id}/replay', {
          params: { path: { event_id: id } },
          body,
        });
      setChosen([]);
    },
  });
  if (history.isPending) return <Loading />;
  if (history.isError) return <ErrorNotice error={history.error} />;
  const { events, total } = history.data;
  return (
    <Card withBorder>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h5">
          History
        </Title>
        {isOwner && (
          <Group gap="xs">
            <Select
              size="xs"
              aria-label="Endpoint of the replay"
              placeholder="All endpoints"
              clearable
              data={(endpoints.data ?? []).map(({ id: value, url: label }) => ({ value, label }))}
              value={endpointId}
              onChange={setEndpointId}
            />
            <Button
              size="xs"
              variant="default"
              disabled={chosen.length === 0}
              loading={replay.isPending}
              onClick={() => replay.mutate()}
            >
              Replay {chosen.length === 0 ? '' : chosen.length}
            </Button>
          </Group>
        )}
      </Group>
      {replay.isError && <ErrorNotice error={replay.error} />}
      {replay.isSuccess && (
        <Text size="sm" role="status">
          The events are queued again.
        </Text>
      )}
      <Group gap="xs" mb="xs">
        <Select
          size="xs"
          w={230}
          aria-label="Type of the events"
          placeholder="All types"
          clearable
          searchable
          data={[...eventTypes]}
          value={type ?? null}
          onChange={(next) => change({ type: eventTypes.find((each) => each === next) })}
        />
        <Select
          size="xs"
          w={150}
          aria-label="State of the events"
          placeholder="All states"
          clearable
          data={eventStatuses.map((value) => ({ value, label: nameOf(value) }))}
          value={status ?? null}
          onChange={(next) => change({ status: eventStatuses.find((each) => each === next) })}
        />
      </Group>
      {events.length === 0 ? (
        type === undefined && status === undefined ? (
          <Empty title="Nothing has happened yet">Events of indexes and files appear here.</Empty>
        ) : (
          <Empty title="No event matches the filter" />
        )
      ) : (
        <Table.ScrollContainer minWidth={560}>
          <Table fz="sm" highlightOnHover style={{ whiteSpace: 'nowrap' }}>
            <Table.Thead>
              <Table.Tr>
                {isOwner && (
                  <Table.Th w={40}>
                    <VisuallyHidden>Chosen</VisuallyHidden>
                  </Table.Th>
                )}
                <Table.Th>Event</Table.Th>
                <Table.Th>Subject</Table.Th>
                <Table.Th>State</Table.Th>
                <Table.Th>Time</Table.Th>
                <Table.Th>Id</Table.Th>
                <Table.Th>Payload</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {events.map((event) => (
                <Table.Tr key={event.id}>
                  {isOwner && (
                    <Table.Td>
                      <Checkbox
                        size="xs"
                        aria-label={`Choose ${event.event_type} ${event.id}`}
                        checked={chosen.includes(event.id)}
                        onChange={({ currentTarget }) =>
                          setChosen(
                            currentTarget.checked ? [...chosen, event.id] : chosen.filter((id) => id !== event.id),
                          )
                        }
                      />
                    </Table.Td>
                  )}
                  <Table.Td>{event.event_type}</Table.Td>
                  <Table.Td maw={260}>
                    <Subject event={event} />
                  </Table.Td>
                  <Table.Td>
                    <State event={event} endpoints={endpoints.data} />
                  </Table.Td>
                  <Table.Td>
                    <Time at={event.created_at} />
                  </Table.Td>
                  <Table.Td>
                    <Id id={event.id} />
                  </Table.Td>
                  <Table.Td>
                    <Button size="compact-xs" variant="default" onClick={() => setOpened(event)}>
                      Show
                    </Button>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {total > pageSize && (
        <Pagination
          mt="sm"
          size="sm"
          total={Math.ceil(total / pageSize)}
          value={page}
          onChange={(next) => change({ page: next })}
          getControlProps={(control) => ({ 'aria-label': `${control} page` })}
        />
      )}
      <Drawer
        opened={opened !== null}
        onClose={() => setOpened(null)}
        title={opened?.event_type}
        position="right"
        size="lg"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <Code block>{JSON.stringify(opened?.payload, null, 2)}</Code>
      </Drawer>
    </Card>
  );
};

export const EventsPage = () => {
  const { isOwner } = useSession();
  return (
    <Stack>
      <PageTitle>Events</PageTitle>
      {isOwner && <Endpoints />}
      <History />
    </Stack>
  );
};
