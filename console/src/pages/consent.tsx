import {
  Alert,
  Button,
  Card,
  Center,
  Code,
  Group,
  MultiSelect,
  Radio,
  Select,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { type BootstrapResponse, createClient } from '#client';
import { Logo } from '../parts/logo.tsx';
import { ErrorNotice } from '../parts/notices.tsx';
import { type AuthorizationRequest, baseUrl } from '../settings.ts';
import { beginSignIn } from '../sign-in.ts';

/** Asks a person which access an application gets. The session of this page is that of the access. */
export const ConsentPage = ({
  opened,
  request,
}: {
  readonly opened: BootstrapResponse;
  readonly request: AuthorizationRequest;
}) => {
  const { organizations, session_token: token } = opened;
  const [organizationId, setOrganizationId] = useState(organizations[0]?.organization_id ?? '');
  const [permission, setPermission] = useState('read');
  const [indexIds, setIndexIds] = useState<string[]>([]);
  const [isSending, setIsSending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const client = useMemo(() => createClient({ baseUrl, token, organizationId, retries: 2 }), [token, organizationId]);
  const indexes = useQuery({
    queryKey: [organizationId, 'all indexes'],
    queryFn: () => Array.fromAsync(client.pages('/v1/indexes', {})),
  });
  const { indexId } = request;
  const writeLabel = request.resource.endsWith('/mcp')
    ? 'Search, read, add and delete documents'
    : 'Search, read, and change indexes and documents';
  const isMissing = indexId !== null && indexes.isSuccess && !indexes.data.some(({ id }) => id === indexId);
  const leave = async (run: () => Promise<string>): Promise<void> => {
    setIsSending(true);
    try {
      location.assign(await run());
    } catch (caught) {
      setError(caught);
      setIsSending(false);
    }
  };
  const allow = async (): Promise<string> => {
    const { redirect_to: target } = await client.post('/v1/oauth/authorize', {
      body: {
        ...request.query,
        permissions: permission === 'write' ? ['read', 'write'] : ['read'],
        index_ids: indexId === null && indexIds.length > 0 ? indexIds : null,
      },
    });
    return target;
  };
  const endSession = (): Promise<unknown> => client.delete('/v1/auth/session').catch(() => {});
  const refuse = async (): Promise<string> => {
    await endSession();
    return request.refusalUrl;
  };
  return (
    <Center mih="100vh" p="md" component="main">
      <Card withBorder maw={480} w="100%">
        <Stack>
          <Group gap="sm">
            <Logo size={32} />
            <Title order={1} size="h4">
              Connect {request.clientName}
            </Title>
          </Group>
          <Text size="sm">
            {request.clientName}
            {request.clientHost !== null && (
              <>
                , described by <Code>{request.clientHost}</Code>,
              </>
            )}{' '}
            asks for access to your documents. The access is sent to <Code>{request.redirectHost}</Code>.
          </Text>
          {/^(?:localhost|127\.|\[::1\])/.test(request.redirectHost) && (
            <Alert color="yellow">
              This is a program on your own computer, and its name is not verified. Allow this only if you have just
              started it.
            </Alert>
          )}
          <Select
            label="Organization"
            allowDeselect={false}
            data={organizations.map(({ organization_id: value, organization_name: label }) => ({ value, label }))}
            value={organizationId}
            onChange={(value) => {
              setOrganizationId(value ?? '');
              setIndexIds([]);
            }}
          />
          <Radio.Group label="Permission" value={permission} onChange={setPermission}>
            <Stack gap="xs" mt="xs">
              <Radio value="read" label="Search and read" />
              {request.canWrite && <Radio value="write" label={writeLabel} />}
            </Stack>
          </Radio.Group>
          {indexId === null ? (
            <MultiSelect
              label="Indexes"
              placeholder={indexIds.length === 0 ? 'All indexes' : ''}
              searchable
              maxValues={100}
              data={(indexes.data ?? []).map(({ id: value, name: label }) => ({ value, label }))}
              value={indexIds}
              onChange={setIndexIds}
            />
          ) : (
            <Text size="sm">
              Index: {indexes.data?.find(({ id }) => id === indexId)?.name ?? <Code>{indexId}</Code>}
            </Text>
          )}
          {isMissing && <Alert color="red">This organization does not have the index of the application.</Alert>}
          {indexes.isError && <ErrorNotice error={indexes.error} />}
          {error !== null && <ErrorNotice error={error} />}
          <Group justify="flex-end">
            <Button variant="default" disabled={isSending} onClick={() => void leave(refuse)}>
              Refuse
            </Button>
            <Button loading={isSending} disabled={isMissing} onClick={() => void leave(allow)}>
              Allow
            </Button>
          </Group>
          <Text size="xs" c="dimmed">
            Signed in as {opened.user.email}.{' '}
            <Button
              variant="subtle"
              size="compact-xs"
              onClick={() => void endSession().then(() => beginSignIn({ asOther: true, authorization: request }))}
            >
              Use another account
            </Button>{' '}
            The access ends after 12 hours. End it earlier under Settings, Your sessions, in the console.
          </Text>
        </Stack>
      </Card>
    </Center>
  );
};
