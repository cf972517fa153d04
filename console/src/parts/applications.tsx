import { Button, Card, Table, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { SessionResponse } from '#client';
import { useSession } from '../session.tsx';
import { Dialog } from './dialogs.tsx';
import { Time } from './format.tsx';
import { ErrorNotice, Loading } from './notices.tsx';

/** Sessions of the person, among them those of connected applications. */
export const useSessions = () => {
  const { client } = useSession();
  return useQuery({ queryKey: ['sessions'], queryFn: () => client.get('/v1/auth/sessions') });
};

/** Applications that the person has given access, with the end of each. */
export const Applications = () => {
  const { client } = useSession();
  const queries = useQueryClient();
  const sessions = useSessions();
  const [revoked, setRevoked] = useState<SessionResponse | null>(null);
  const connected = sessions.data?.filter(({ application }) => application !== null) ?? [];
  return (
    <Card withBorder>
      <Title order={2} size="h5" mb="xs">
        Connected applications
      </Title>
      {sessions.isPending && <Loading lines={2} />}
      {sessions.isError && <ErrorNotice error={sessions.error} />}
      {sessions.isSuccess && connected.length === 0 && (
        <Text size="sm" c="dimmed">
          You have given no application access. An agent that connects by MCP asks for it on a page of its own.
        </Text>
      )}
      {connected.length > 0 && (
        <Table.ScrollContainer minWidth={420}>
          <Table fz="sm">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Application</Table.Th>
                <Table.Th>Connected</Table.Th>
                <Table.Th>Expires</Table.Th>
                <Table.Th>Actions</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {connected.map((session) => (
                <Table.Tr key={session.id}>
                  <Table.Td>{session.application}</Table.Td>
                  <Table.Td>
                    <Time at={session.created_at} />
                  </Table.Td>
                  <Table.Td>
                    <Time at={session.expires_at} />
                  </Table.Td>
                  <Table.Td>
                    <Button size="compact-xs" variant="subtle" color="red" onClick={() => setRevoked(session)}>
                      Revoke
                    </Button>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      <Dialog
        title={`Revoke the access of ${revoked?.application ?? ''}`}
        action="Revoke"
        danger
        opened={revoked !== null}
        onClose={() => setRevoked(null)}
        run={async () => {
          await client.delete('/v1/auth/sessions/{session_id}', {
            params: { path: { session_id: revoked?.id ?? '' } },
          });
          await queries.invalidateQueries({ queryKey: ['sessions'] });
        }}
      >
        <Text size="sm">It is refused from now on. It has to ask you for access again.</Text>
      </Dialog>
    </Card>
  );
};
