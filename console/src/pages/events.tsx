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
} from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { HistoryEvent } from '#client';
import { Id } from '../parts/copy.tsx';
import { Time } from '../parts/format.tsx';
import { Empty, ErrorNotice, Loading, PageTitle } from '../parts/notices.tsx';
import { Endpoints, useEndpoints } from './endpoints.tsx';
import { useSession } from '../session.tsx';

const pageSize = 25;

const History = () => {
  const { client, organization, isOwner } = useSession();
  const [page, setPage] = useState(1);
  const [opened, setOpened] = useState<HistoryEvent | null>(null);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [endpointId, setEndpointId] = useState<string | null>(null);
  const endpoints = useEndpoints();
  const history = useQuery({
    queryKey: [organization.organization_id, 'events', page],
    queryFn: () =>
      client.get('/v1/organization/webhooks/events', {
        params: { query: { limit: pageSize, offset: (page - 1) * pageSize } },
      }),
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
      {events.length === 0 ? (
        <Empty title="Nothing has happened yet">Events of indexes and files appear here.</Empty>
      ) : (
        <Table.ScrollContainer minWidth={560}>
          <Table fz="sm" highlightOnHover>
            <Table.Thead>
              <Table.Tr>
                {isOwner && <Table.Th w={40}>Pick</Table.Th>}
                <Table.Th>Event</Table.Th>
                <Table.Th>State</Table.Th>
                <Table.Th>At</Table.Th>
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
                  <Table.Td>{event.status}</Table.Td>
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
          onChange={setPage}
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
