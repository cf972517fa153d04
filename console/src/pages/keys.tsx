import {
  Badge,
  Button,
  Card,
  Checkbox,
  Code,
  Group,
  MultiSelect,
  Select,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiKeyResponse, OAuthClientResponse } from '#client';
import { Applications } from '../parts/applications.tsx';
import { type CustomerFields, CustomerFieldset } from '../parts/customer-fields.tsx';
import { Dialog } from '../parts/dialogs.tsx';
import { Time } from '../parts/format.tsx';
import { IndexNames, useIndexOptions } from '../parts/indexes.tsx';
import { Empty, PageTitle } from '../parts/notices.tsx';
import { PagedList, toPage, usePagedList } from '../parts/paged-list.tsx';
import { type Secret, ShownOnce } from '../parts/shown-once.tsx';
import { nameOf } from '../parts/words.ts';
import { useSession } from '../session.tsx';

const lifetimes = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'One year' },
  { value: '', label: 'Never expires' },
] as const;

const Scope = ({ indexIds }: { readonly indexIds: readonly string[] | null }) =>
  indexIds === null ? <>All indexes</> : <IndexNames ids={indexIds} />;

/** Button that revokes a credential, or its state once it is revoked. */
const RevokeButton = ({ revokedAt, revoke }: { readonly revokedAt: string | null; readonly revoke: () => void }) =>
  revokedAt === null ? (
    <Button size="compact-xs" variant="subtle" color="red" onClick={revoke}>
      Revoke
    </Button>
  ) : (
    <Badge color="gray" tt="none">
      Revoked
    </Badge>
  );

const ApiKeys = () => {
  const { client, organization } = useSession();
  const queries = useQueryClient();
  const key = [organization.organization_id, 'keys'];
  const [creates, creation] = useDisclosure();
  const [name, setName] = useState('');
  const [canWrite, setCanWrite] = useState(true);
  const [indexIds, setIndexIds] = useState<string[]>([]);
  const options = useIndexOptions(client, organization.organization_id, indexIds);
  const [lifetime, setLifetime] = useState<string>('90');
  const [customer, setCustomer] = useState<CustomerFields>({});
  const [secret, setSecret] = useState<Secret | null>(null);
  const [revoked, setRevoked] = useState<ApiKeyResponse | null>(null);
  const list = usePagedList<ApiKeyResponse>(key, async (cursor, signal) =>
    toPage(
      await client.api.GET('/v1/api-keys', {
        params: { query: { limit: 100, ...(cursor === undefined ? {} : { cursor }) } },
        signal,
      }),
    ),
  );
  const create = (
    <Button size="xs" onClick={creation.open}>
      Create key
    </Button>
  );
  return (
    <Card withBorder>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h5">
          API keys
        </Title>
        {create}
      </Group>
      <PagedList
        query={list}
        label="API keys"
        keyOf={({ id }) => id}
        height="45vh"
        empty={
          <Empty title="There is no key yet" action={create}>
            Programs send a key with each request.
          </Empty>
        }
        columns={[
          {
            name: 'Name',
            width: 'minmax(120px, 2fr)',
            cell: (each) => (
              <Text size="sm" truncate td={each.revoked_at === null ? 'none' : 'line-through'}>
                {each.name}
              </Text>
            ),
          },
          { name: 'Key', width: '150px', cell: ({ prefix }) => <Code>{prefix}…</Code> },
          { name: 'Permissions', width: '110px', cell: ({ permissions }) => permissions.map(nameOf).join(', ') },
          {
            name: 'Indexes',
            width: 'minmax(110px, 1.5fr)',
            cell: ({ index_ids: ids }) => (
              <Text size="sm" truncate>
                <Scope indexIds={ids} />
              </Text>
            ),
          },
          {
            name: 'Rows',
            width: 'minmax(100px, 1fr)',
            cell: ({ filter }) => (
              <Text size="sm" truncate title={filter === null ? undefined : JSON.stringify(filter)}>
                {filter === null ? 'All rows' : JSON.stringify(filter)}
              </Text>
            ),
          },
          { name: 'Last used', width: '110px', cell: ({ last_used_at: at }) => <Time at={at} none="Never" /> },
          { name: 'Expires', width: '110px', cell: ({ expires_at: at }) => <Time at={at} none="Never" /> },
          { name: 'Created', width: '110px', cell: ({ created_at: at }) => <Time at={at} /> },
          {
            name: 'Actions',
            width: '90px',
            cell: (each) => <RevokeButton revokedAt={each.revoked_at} revoke={() => setRevoked(each)} />,
          },
        ]}
      />
      <Dialog
        title="Create a key"
        action="Create"
        opened={creates}
        onClose={() => {
          setCustomer({});
          creation.close();
        }}
        disabled={name.trim() === ''}
        run={async () => {
          const { token } = await client.post('/v1/api-keys', {
            body: {
              name: name.trim(),
              permissions: canWrite ? ['read', 'write'] : ['read'],
              index_ids: indexIds.length === 0 ? null : indexIds,
              ...customer,
              expires_at: lifetime === '' ? null : new Date(Date.now() + Number(lifetime) * 86_400_000).toISOString(),
            },
          });
          await queries.invalidateQueries({ queryKey: key });
          setName('');
          setCustomer({});
          setSecret({ title: 'The key', values: { Key: token } });
        }}
      >
        <TextInput
          label="Name"
          data-autofocus
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Checkbox
          label="May write as well as read"
          checked={canWrite}
          onChange={({ currentTarget }) => setCanWrite(currentTarget.checked)}
        />
        <MultiSelect
          label="Indexes"
          placeholder={indexIds.length === 0 ? 'All indexes' : ''}
          {...options.props}
          value={indexIds}
          onChange={setIndexIds}
        />
        <CustomerFieldset
          client={client}
          value={customer}
          onChange={setCustomer}
          canWrite={canWrite}
          indexes={options.chosen}
        />
        <Select
          label="Expires"
          allowDeselect={false}
          data={[...lifetimes]}
          value={lifetime}
          onChange={(value) => setLifetime(value ?? '')}
        />
      </Dialog>
      <Dialog
        title="Revoke the key"
        action="Revoke"
        danger
        opened={revoked !== null}
        onClose={() => setRevoked(null)}
        run={async () => {
          await client.delete('/v1/api-keys/{key_id}', { params: { path: { key_id: revoked?.id ?? '' } } });
          await queries.invalidateQueries({ queryKey: key });
        }}
      >
        <Text size="sm">Programs that use {revoked?.name} are refused from now on.</Text>
      </Dialog>
      <ShownOnce secret={secret} onClose={() => setSecret(null)} />
    </Card>
  );
};

const OauthClients = () => {
  const { client, organization } = useSession();
  const queries = useQueryClient();
  const key = [organization.organization_id, 'clients'];
  const [creates, creation] = useDisclosure();
  const [name, setName] = useState('');
  const [indexIds, setIndexIds] = useState<string[]>([]);
  const options = useIndexOptions(client, organization.organization_id, indexIds);
  const [secret, setSecret] = useState<Secret | null>(null);
  const [revoked, setRevoked] = useState<OAuthClientResponse | null>(null);
  const list = usePagedList<OAuthClientResponse>(key, async (cursor, signal) =>
    toPage(
      await client.api.GET('/v1/oauth/clients', {
        params: { query: { limit: 100, ...(cursor === undefined ? {} : { cursor }) } },
        signal,
      }),
    ),
  );
  return (
    <Card withBorder>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h5">
          OAuth clients
        </Title>
        <Button size="xs" onClick={creation.open}>
          Create client
        </Button>
      </Group>
      <PagedList
        query={list}
        label="OAuth clients"
        keyOf={({ id }) => id}
        height="35vh"
        empty={
          <Empty title="There is no client yet">
            A client exchanges its id and secret for access tokens of one hour.
          </Empty>
        }
        columns={[
          {
            name: 'Name',
            width: 'minmax(120px, 2fr)',
            cell: (each) => (
              <Text size="sm" truncate>
                {each.name}
              </Text>
            ),
          },
          { name: 'Client', width: '150px', cell: ({ prefix }) => <Code>{prefix}…</Code> },
          { name: 'Scopes', width: '110px', cell: ({ scopes }) => scopes.map(nameOf).join(', ') },
          {
            name: 'Indexes',
            width: 'minmax(110px, 1.5fr)',
            cell: ({ index_ids: ids }) => (
              <Text size="sm" truncate>
                <Scope indexIds={ids} />
              </Text>
            ),
          },
          { name: 'Created', width: '110px', cell: ({ created_at: at }) => <Time at={at} /> },
          {
            name: 'Actions',
            width: '90px',
            cell: (each) => <RevokeButton revokedAt={each.revoked_at} revoke={() => setRevoked(each)} />,
          },
        ]}
      />
      <Dialog
        title="Create a client"
        action="Create"
        opened={creates}
        onClose={creation.close}
        disabled={name.trim() === ''}
        run={async () => {
          const made = await client.post('/v1/oauth/clients', {
            body: { name: name.trim(), index_ids: indexIds.length === 0 ? null : indexIds },
          });
          await queries.invalidateQueries({ queryKey: key });
          setName('');
          setSecret({
            title: 'The client',
            values: { 'Client id': made.client_id, 'Client secret': made.client_secret },
          });
        }}
      >
        <TextInput
          label="Name"
          data-autofocus
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <MultiSelect
          label="Indexes"
          placeholder={indexIds.length === 0 ? 'All indexes' : ''}
          {...options.props}
          value={indexIds}
          onChange={setIndexIds}
        />
      </Dialog>
      <Dialog
        title="Revoke the client"
        action="Revoke"
        danger
        opened={revoked !== null}
        onClose={() => setRevoked(null)}
        run={async () => {
          await client.delete('/v1/oauth/clients/{client_id}', { params: { path: { client_id: revoked?.id ?? '' } } });
          await queries.invalidateQueries({ queryKey: key });
        }}
      >
        <Text size="sm">Its access tokens are refused from now on.</Text>
      </Dialog>
      <ShownOnce secret={secret} onClose={() => setSecret(null)} />
    </Card>
  );
};

export const KeysPage = () => (
  <Stack>
    <PageTitle>Keys and clients</PageTitle>
    <ApiKeys />
    <OauthClients />
    <Applications />
  </Stack>
);
