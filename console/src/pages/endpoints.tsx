import {
  Badge,
  Button,
  Card,
  Collapse,
  Drawer,
  Group,
  MultiSelect,
  Stack,
  Table,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { WebhookDelivery, WebhookEndpointResponse } from '#client';
import { eventTypes } from '../parts/event-types.ts';
import { Dialog } from '../parts/dialogs.tsx';
import { count, milliseconds, Time } from '../parts/format.tsx';
import { Empty, ErrorNotice, Loading } from '../parts/notices.tsx';
import { ShownOnce } from '../parts/shown-once.tsx';
import { nameOf } from '../parts/words.ts';
import { useSession } from '../session.tsx';

/** Loads the endpoints, which only an owner may see. */
export const useEndpoints = () => {
  const { client, organization, isOwner } = useSession();
  return useQuery({
    queryKey: [organization.organization_id, 'endpoints'],
    queryFn: () => client.get('/v1/organization/webhooks/endpoints'),
    enabled: isOwner,
  });
};

const Attempts = ({ delivery }: { readonly delivery: WebhookDelivery }) => {
  const [opened, { toggle }] = useDisclosure();
  return (
    <>
      <Table.Tr>
        <Table.Td>{delivery.event_type}</Table.Td>
        <Table.Td>
          <Badge
            color={delivery.status === 'delivered' ? 'teal' : delivery.status === 'pending' ? 'blue' : 'red'}
            variant="dot"
            tt="none"
          >
            {nameOf(delivery.status)}
          </Badge>
        </Table.Td>
        <Table.Td>{nameOf(delivery.trigger)}</Table.Td>
        <Table.Td>
          <Time at={delivery.created_at} />
        </Table.Td>
        <Table.Td>
          <Button size="compact-xs" variant="default" onClick={toggle} aria-expanded={opened}>
            {count(delivery.attempts.length, 'attempt')}
          </Button>
        </Table.Td>
      </Table.Tr>
      {opened && (
        <Table.Tr>
          <Table.Td colSpan={5}>
            <Collapse expanded={opened}>
              <Table fz="xs">
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>Attempt</Table.Th>
                    <Table.Th>Time</Table.Th>
                    <Table.Th>Response</Table.Th>
                    <Table.Th>Took</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {delivery.attempts.map(({ attempt, at, status_code: status, error, duration_ms: ms }) => (
                    <Table.Tr key={attempt}>
                      <Table.Td>{attempt}</Table.Td>
                      <Table.Td>
                        <Time at={at} />
                      </Table.Td>
                      <Table.Td>{status ?? (error === null ? '–' : nameOf(error))}</Table.Td>
                      <Table.Td>{ms === null ? '–' : milliseconds(ms)}</Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
              {delivery.next_attempt_at !== null && (
                <Text size="xs">
                  Next attempt <Time at={delivery.next_attempt_at} />
                </Text>
              )}
            </Collapse>
          </Table.Td>
        </Table.Tr>
      )}
    </>
  );
};

const Deliveries = ({ endpoint }: { readonly endpoint: WebhookEndpointResponse }) => {
  const { client } = useSession();
  const deliveries = useQuery({
    queryKey: ['deliveries', endpoint.id],
    queryFn: () =>
      client.get('/v1/organization/webhooks/endpoints/{endpoint_id}/deliveries', {
        params: { path: { endpoint_id: endpoint.id }, query: { limit: 50 } },
      }),
    refetchInterval: 2_000,
  });
  if (deliveries.isPending) return <Loading />;
  if (deliveries.isError) return <ErrorNotice error={deliveries.error} />;
  if (deliveries.data.length === 0)
    return <Empty title="Nothing has been sent yet">Send a test message to see an attempt.</Empty>;
  return (
    <Table.ScrollContainer minWidth={520}>
      <Table fz="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Message</Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th>Cause</Table.Th>
            <Table.Th>Created</Table.Th>
            <Table.Th>Attempts</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {deliveries.data.map((delivery) => (
            <Attempts key={delivery.id} delivery={delivery} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
};

/** Endpoints of the organization with their attempts. */
export const Endpoints = () => {
  const { client, organization } = useSession();
  const queries = useQueryClient();
  const endpoints = useEndpoints();
  const [creates, creation] = useDisclosure();
  const [url, setUrl] = useState('https://');
  const [types, setTypes] = useState<string[]>([]);
  const [secret, setSecret] = useState<string | null>(null);
  const [shown, setShown] = useState<WebhookEndpointResponse | null>(null);
  const [removed, setRemoved] = useState<WebhookEndpointResponse | null>(null);
  const reload = (): Promise<void> =>
    queries.invalidateQueries({ queryKey: [organization.organization_id, 'endpoints'] });
  const action = useMutation({
    mutationFn: async ({
      id,
      kind,
    }: {
      readonly id: string;
      readonly kind: 'test' | 'rotate' | 'pause' | 'resume';
    }) => {
      const params = { path: { endpoint_id: id } };
      if (kind === 'test') await client.post('/v1/organization/webhooks/endpoints/{endpoint_id}/test', { params });
      else if (kind === 'rotate')
        setSecret(
          (await client.post('/v1/organization/webhooks/endpoints/{endpoint_id}/rotate-secret', { params })).secret,
        );
      else
        await client.patch('/v1/organization/webhooks/endpoints/{endpoint_id}', {
          params,
          body: { enabled: kind === 'resume' },
        });
      await reload();
      if (kind === 'test') setShown(endpoints.data?.find((each) => each.id === id) ?? null);
    },
  });
  const create = (
    <Button size="xs" onClick={creation.open}>
      Add endpoint
    </Button>
  );
  return (
    <Card withBorder>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h5">
          Endpoints
        </Title>
        {create}
      </Group>
      {endpoints.isPending && <Loading />}
      {endpoints.isError && <ErrorNotice error={endpoints.error} />}
      {action.isError && <ErrorNotice error={action.error} />}
      {endpoints.data?.length === 0 && (
        <Empty title="No endpoint yet">Events are signed and sent to the addresses that you add.</Empty>
      )}
      <Stack gap="xs">
        {endpoints.data?.map((endpoint) => (
          <Group key={endpoint.id} justify="space-between" wrap="wrap">
            <div style={{ minWidth: 0 }}>
              <Group gap="xs">
                <Text size="sm" fw={500}>
                  {endpoint.url}
                </Text>
                <Badge
                  color={endpoint.enabled ? (endpoint.failing_since === null ? 'teal' : 'yellow') : 'gray'}
                  variant="dot"
                  tt="none"
                >
                  {endpoint.enabled
                    ? endpoint.failing_since === null
                      ? 'Healthy'
                      : 'Failing'
                    : nameOf(endpoint.disabled_reason ?? 'paused')}
                </Badge>
              </Group>
              <Text size="xs" c="dimmed">
                {endpoint.event_types === null ? 'All events' : endpoint.event_types.join(', ')}
                {endpoint.failing_since !== null && (
                  <>
                    , failing since <Time at={endpoint.failing_since} />
                  </>
                )}
              </Text>
            </div>
            <Group gap={4}>
              <Button size="compact-xs" variant="default" onClick={() => setShown(endpoint)}>
                Attempts
              </Button>
              <Button
                size="compact-xs"
                variant="default"
                onClick={() => action.mutate({ id: endpoint.id, kind: 'test' })}
              >
                Send test
              </Button>
              <Button
                size="compact-xs"
                variant="default"
                onClick={() => action.mutate({ id: endpoint.id, kind: 'rotate' })}
              >
                Rotate secret
              </Button>
              <Button
                size="compact-xs"
                variant="default"
                onClick={() => action.mutate({ id: endpoint.id, kind: endpoint.enabled ? 'pause' : 'resume' })}
              >
                {endpoint.enabled ? 'Pause' : 'Resume'}
              </Button>
              <Button size="compact-xs" variant="subtle" color="red" onClick={() => setRemoved(endpoint)}>
                Delete
              </Button>
            </Group>
          </Group>
        ))}
      </Stack>
      <Dialog
        title="Add an endpoint"
        action="Add"
        opened={creates}
        onClose={creation.close}
        disabled={url.trim() === ''}
        run={async () => {
          const chosen = eventTypes.filter((type) => types.includes(type));
          const made = await client.post('/v1/organization/webhooks/endpoints', {
            body: { url, event_types: chosen.length === 0 ? null : chosen },
          });
          setSecret(made.secret);
          await reload();
        }}
      >
        {(errorOf) => (
          <>
            <TextInput
              label="Address"
              description="It must begin with https://"
              data-autofocus
              error={errorOf('url')}
              value={url}
              onChange={({ currentTarget }) => setUrl(currentTarget.value)}
            />
            <MultiSelect
              label="Events"
              placeholder={types.length === 0 ? 'All events' : ''}
              data={[...eventTypes]}
              value={types}
              onChange={setTypes}
            />
          </>
        )}
      </Dialog>
      <Dialog
        title="Delete the endpoint"
        action="Delete"
        danger
        opened={removed !== null}
        onClose={() => setRemoved(null)}
        run={async () => {
          await client.delete('/v1/organization/webhooks/endpoints/{endpoint_id}', {
            params: { path: { endpoint_id: removed?.id ?? '' } },
          });
          await reload();
        }}
      >
        <Text size="sm">{removed?.url} gets no further event.</Text>
      </Dialog>
      <ShownOnce
        secret={secret === null ? null : { title: 'Signing secret', values: { 'Verifies signatures': secret } }}
        onClose={() => setSecret(null)}
      />
      <Drawer
        opened={shown !== null}
        onClose={() => setShown(null)}
        title={`Attempts at ${shown?.url ?? ''}`}
        position="right"
        size="lg"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {shown !== null && <Deliveries endpoint={shown} />}
      </Drawer>
    </Card>
  );
};
