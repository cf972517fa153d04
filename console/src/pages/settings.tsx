import {
  Badge,
  Button,
  Card,
  Code,
  Group,
  NumberInput,
  SimpleGrid,
  Stack,
  Table,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { OrganizationDetail } from '#client';
import { useSessions } from '../parts/applications.tsx';
import { Copy } from '../parts/copy.tsx';
import { Dialog } from '../parts/dialogs.tsx';
import { browserName, money, number, Time } from '../parts/format.tsx';
import { ErrorNotice, Loading, PageTitle } from '../parts/notices.tsx';
import { nameOf } from '../parts/words.ts';
import { useSession } from '../session.tsx';
import { baseUrl } from '../settings.ts';
import { StoredCredentials } from './stored-credentials.tsx';

const Sessions = () => {
  const { client, signOut } = useSession();
  const queries = useQueryClient();
  const sessions = useSessions();
  const end = useMutation({
    mutationFn: async (id: string) => {
      await client.delete('/v1/auth/sessions/{session_id}', { params: { path: { session_id: id } } });
      await queries.invalidateQueries({ queryKey: ['sessions'] });
    },
  });
  return (
    <Card withBorder>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h5">
          Your sessions
        </Title>
        <Button size="xs" variant="default" onClick={() => void signOut()}>
          Sign out here
        </Button>
      </Group>
      {sessions.isPending && <Loading />}
      {sessions.isError && <ErrorNotice error={sessions.error} />}
      {end.isError && <ErrorNotice error={end.error} />}
      <Table.ScrollContainer minWidth={420}>
        <Table fz="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Browser or program</Table.Th>
              <Table.Th>Opened</Table.Th>
              <Table.Th>Expires</Table.Th>
              <Table.Th>Actions</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {sessions.data
              ?.filter(({ application }) => application === null)
              .map(({ id, user_agent: agent, created_at: created, expires_at: expires, current }) => (
                <Table.Tr key={id}>
                  <Table.Td>
                    <Text size="sm" lineClamp={1}>
                      {browserName(agent ?? 'Unknown')}
                    </Text>
                  </Table.Td>
                  <Table.Td>
                    <Time at={created} />
                  </Table.Td>
                  <Table.Td>
                    <Time at={expires} />
                  </Table.Td>
                  <Table.Td>
                    {current ? (
                      <Badge variant="light" tt="none">
                        This one
                      </Badge>
                    ) : (
                      <Button size="compact-xs" variant="subtle" color="red" onClick={() => end.mutate(id)}>
                        End
                      </Button>
                    )}
                  </Table.Td>
                </Table.Tr>
              ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Card>
  );
};

const Values = ({
  title,
  values,
}: {
  readonly title: string;
  readonly values: Readonly<Record<string, number | boolean>>;
}) => (
  <Card withBorder>
    <Title order={2} size="h5" mb="xs">
      {title}
    </Title>
    <Table fz="sm">
      <Table.Tbody>
        {Object.entries(values).map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th scope="row" fw={400}>
              {nameOf(name)}
            </Table.Th>
            <Table.Td ta="right">{typeof value === 'number' ? number(value) : value ? 'Yes' : 'No'}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Card>
);

const Change = ({ detail }: { readonly detail: OrganizationDetail }) => {
  const { client, organization, reloadOrganizations } = useSession();
  const queries = useQueryClient();
  const [opened, { open, close }] = useDisclosure();
  const [name, setName] = useState(detail.organization_name);
  const [limit, setLimit] = useState<number | string>(detail.spending_limit_usd ?? '');
  return (
    <>
      <Button
        size="xs"
        variant="default"
        onClick={() => {
          setName(detail.organization_name);
          setLimit(detail.spending_limit_usd ?? '');
          open();
        }}
      >
        Change
      </Button>
      <Dialog
        title="Change the organization"
        action="Save"
        opened={opened}
        onClose={close}
        disabled={name.trim() === ''}
        run={async () => {
          await client.patch('/v1/organization', {
            body: { organization_name: name.trim(), spending_limit_usd: limit === '' ? null : Number(limit) },
          });
          await queries.invalidateQueries({ queryKey: [organization.organization_id, 'organization'] });
          await reloadOrganizations();
        }}
      >
        {(errorOf) => (
          <>
            <TextInput
              label="Name"
              data-autofocus
              error={errorOf('organization_name')}
              value={name}
              onChange={({ currentTarget }) => setName(currentTarget.value)}
            />
            <NumberInput
              label="Spending limit"
              description="USD of a month. Searches and writes stop there until the month ends or the limit rises."
              placeholder="No limit"
              min={0.01}
              decimalScale={2}
              error={errorOf('spending_limit_usd')}
              value={limit}
              onChange={setLimit}
            />
          </>
        )}
      </Dialog>
    </>
  );
};

export const SettingsPage = () => {
  const { client, organization, isOwner } = useSession();
  const detail = useQuery({
    queryKey: [organization.organization_id, 'organization'],
    queryFn: () => client.get('/v1/organization'),
  });
  const regions = useQuery({ queryKey: ['regions'], queryFn: () => client.get('/v1/regions') });
  return (
    <Stack>
      <PageTitle>Settings</PageTitle>
      <Card withBorder>
        <Group justify="space-between" mb="xs">
          <Title order={2} size="h5">
            Organization and service
          </Title>
          {isOwner && detail.data !== undefined && <Change detail={detail.data} />}
        </Group>
        <Table fz="sm">
          <Table.Tbody>
            <Table.Tr>
              <Table.Th scope="row">API address</Table.Th>
              <Table.Td>
                <Code>{baseUrl}</Code> <Copy text={baseUrl} />
              </Table.Td>
            </Table.Tr>
            <Table.Tr>
              <Table.Th scope="row">Organization</Table.Th>
              <Table.Td>
                {organization.organization_name} <Code>{organization.organization_id}</Code>{' '}
                <Copy text={organization.organization_id} />
              </Table.Td>
            </Table.Tr>
            <Table.Tr>
              <Table.Th scope="row">Plan</Table.Th>
              <Table.Td>
                {nameOf(organization.plan ?? 'developer')} ({organization.subscription_status}), you are{' '}
                {isOwner ? 'an owner' : 'a member'}
              </Table.Td>
            </Table.Tr>
            <Table.Tr>
              <Table.Th scope="row">Spending limit</Table.Th>
              <Table.Td>
                {detail.data?.spending_limit_usd == null ? 'None' : `${money(detail.data.spending_limit_usd)} a month`}
              </Table.Td>
            </Table.Tr>
            <Table.Tr>
              <Table.Th scope="row">Regions</Table.Th>
              <Table.Td>{regions.data?.join(', ')}</Table.Td>
            </Table.Tr>
          </Table.Tbody>
        </Table>
      </Card>
      <StoredCredentials />
      <Sessions />
      {detail.isError && <ErrorNotice error={detail.error} />}
      {detail.data !== undefined && (
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <Values title="Rate limits a minute" values={detail.data.rate_limits} />
          <Values title="Features" values={detail.data.features} />
        </SimpleGrid>
      )}
    </Stack>
  );
};
