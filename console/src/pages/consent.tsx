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
import { type AuthorizationReview, type BootstrapResponse, createClient } from '#client';
import { type CustomerFields, CustomerFieldset } from '../parts/customer-fields.tsx';
import { useIndexOptions } from '../parts/indexes.tsx';
import { Logo } from '../parts/logo.tsx';
import { ErrorNotice } from '../parts/notices.tsx';
import { type AuthorizationRequest, baseUrl } from '../settings.ts';
import { beginSignIn } from '../sign-in.ts';

/** Shows why an application cannot get access. It returns there only if the person wants it. */
const Refused = ({ review }: { readonly review: AuthorizationReview }) => (
  <Center mih="100vh" p="md" component="main">
    <Card withBorder maw={480} w="100%">
      <Stack>
        <Title order={1} size="h4">
          {review.client_name} cannot be connected
        </Title>
        <Text size="sm">
          {review.problem}. Nothing is connected. You can close this page, or report the problem to the application at{' '}
          <Code>{review.redirect_host}</Code>.
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => location.assign(review.refusal_url)}>
            Return to the application
          </Button>
        </Group>
      </Stack>
    </Card>
  </Center>
);

/** Asks a person which access an application gets. */
const Consent = ({
  opened,
  request,
  review,
}: {
  readonly opened: BootstrapResponse;
  readonly request: AuthorizationRequest;
  readonly review: AuthorizationReview;
}) => {
  const { organizations, session_token: token } = opened;
  const [organizationId, setOrganizationId] = useState(organizations[0]?.organization_id ?? '');
  const [permission, setPermission] = useState('read');
  const [indexIds, setIndexIds] = useState<string[]>([]);
  const [customer, setCustomer] = useState<CustomerFields>({});
  const [isSending, setIsSending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const client = useMemo(() => createClient({ baseUrl, token, organizationId, retries: 2 }), [token, organizationId]);
  const indexId = review.index_id;
  const options = useIndexOptions(client, organizationId, indexId === null ? indexIds : [indexId]);
  const writeLabel =
    review.resource?.endsWith('/mcp') === true
      ? 'Search, read, add and delete documents'
      : 'Search, read, and change indexes and documents';
  const isMissing = indexId !== null && options.isMissing;
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
        ...request,
        permissions: permission === 'write' ? ['read', 'write'] : ['read'],
        index_ids: indexId === null && indexIds.length > 0 ? indexIds : null,
        ...customer,
      },
    });
    return target;
  };
  const endSession = (): Promise<unknown> => client.delete('/v1/auth/session').catch(() => {});
  const refuse = async (): Promise<string> => {
    await endSession();
    return review.refusal_url;
  };
  return (
    <Center mih="100vh" p="md" component="main">
      <Card withBorder maw={480} w="100%">
        <Stack>
          <Group gap="sm">
            <Logo size={32} />
            <Title order={1} size="h4">
              Connect {review.client_name}
            </Title>
          </Group>
          <Text size="sm">
            {review.client_name}
            {review.client_host !== null && (
              <>
                , described by <Code>{review.client_host}</Code>,
              </>
            )}{' '}
            asks for access to your documents. The access is sent to <Code>{review.redirect_host}</Code>.
          </Text>
          {/^(?:localhost|127\.|\[::1\])/.test(review.redirect_host) && (
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
              {review.scopes.includes('write') && <Radio value="write" label={writeLabel} />}
            </Stack>
          </Radio.Group>
          {indexId === null ? (
            <MultiSelect
              label="Indexes"
              placeholder={indexIds.length === 0 ? 'All indexes' : ''}
              {...options.props}
              maxValues={100}
              value={indexIds}
              onChange={setIndexIds}
            />
          ) : (
            <Text size="sm">Index: {options.chosen[0]?.name ?? <Code>{indexId}</Code>}</Text>
          )}
          <CustomerFieldset
            client={client}
            value={customer}
            onChange={setCustomer}
            canWrite={permission === 'write'}
            indexes={options.chosen}
          />
          {isMissing && <Alert color="red">This organization does not have the index of the application.</Alert>}
          {options.error !== null && <ErrorNotice error={options.error} />}
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

/** Reads the request of an application for the signed-in person. The session of this page is that of the access. */
export const ConsentPage = ({
  opened,
  request,
}: {
  readonly opened: BootstrapResponse;
  readonly request: AuthorizationRequest;
}) => {
  const client = useMemo(() => createClient({ baseUrl, token: opened.session_token, retries: 2 }), [opened]);
  const review = useQuery({
    queryKey: ['authorization request'],
    queryFn: () => client.get('/v1/oauth/authorize/request', { params: { query: request } }),
    refetchOnWindowFocus: false,
  });
  if (review.isError) return <ErrorNotice error={review.error} title="Nothing is connected" />;
  if (!review.isSuccess) return null;
  if (review.data.problem !== null) return <Refused review={review.data} />;
  return <Consent opened={opened} request={request} review={review.data} />;
};
