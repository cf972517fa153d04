import { Badge, Button, Card, Code, Group, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Copy } from '../parts/copy.tsx';
import { browserName, number, Time } from '../parts/format.tsx';
import { ErrorNotice, Loading, PageTitle } from '../parts/notices.tsx';
import { useSession } from '../session.tsx';
import { baseUrl } from '../settings.ts';

const Sessions = () => {
  const { client, signOut } = useSession();
  const queries = useQueryClient();
  const sessions = useQuery({ queryKey: ['sessions'], queryFn: () => client.get('/v1/auth/sessions') });
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
            {sessions.data?.map(
              ({ id, user_agent: agent, application, created_at: created, expires_at: expires, current }) => (
                <Table.Tr key={id}>
                  <Table.Td>
                    <Text size="sm" lineClamp={1}>
                      {application === null ? browserName(agent ?? 'unknown') : `Access of ${application}`}
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
                      <Badge variant="light">this one</Badge>
                    ) : (
                      <Button size="compact-xs" variant="subtle" color="red" onClick={() => end.mutate(id)}>
                        End
                      </Button>
                    )}
                  </Table.Td>
                </Table.Tr>
              ),
            )}
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
              {name.replaceAll('_', ' ')}
            </Table.Th>
            <Table.Td ta="right">{typeof value === 'number' ? number(value) : value ? 'yes' : 'no'}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Card>
);

export const SettingsPage = () => {
  const { client, organization } = useSession();
  const detail = useQuery({
    queryKey: [organization.organization_id, 'organization'],
    queryFn: () => client.get('/v1/organization'),
  });
  const regions = useQuery({ queryKey: ['regions'], queryFn: () => client.get('/v1/regions') });
  return (
    <Stack>
      <PageTitle>Settings</PageTitle>
      <Card withBorder>
        <Title order={2} size="h5" mb="xs">
          Service
        </Title>
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
                {organization.plan} ({organization.subscription_status}), you are {organization.role}
              </Table.Td>
            </Table.Tr>
            <Table.Tr>
              <Table.Th scope="row">Regions</Table.Th>
              <Table.Td>{regions.data?.join(', ')}</Table.Td>
            </Table.Tr>
          </Table.Tbody>
        </Table>
      </Card>
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
