import {
  Alert,
  Button,
  Card,
  Checkbox,
  Group,
  Select,
  Stack,
  Table,
  TagsInput,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';

import { useState } from 'react';
import type { ConnectorResponse } from '#client';
import { Dialog } from '../parts/dialogs.tsx';
import { number, Time } from '../parts/format.tsx';
import { Empty, ErrorNotice, Loading } from '../parts/notices.tsx';
import { State } from '../parts/source-state.tsx';
import { CrawlSchedules } from './crawl-schedules.tsx';
import { Crawls } from './crawls.tsx';
import { useRouteIds } from '../parts/route-ids.ts';
import { useStorageCredentials } from '../parts/storage-credentials.tsx';
import { useSession } from '../session.tsx';
import { accountSources, type AccountSource, ConnectAccount } from './connect-account.tsx';
import { ConnectBucket } from './connect-bucket.tsx';
import { choosable, ScopeChoices, withAttachments } from './scope-choices.tsx';
import { SyncHistory } from './sync-history.tsx';
import { UnreadItems } from './unread-items.tsx';

const bucketLists = [
  ['object_prefixes', 'Folders'],
  ['include_patterns', 'Patterns to include'],
  ['exclude_patterns', 'Patterns to exclude'],
] as const;

type ScopeList =
  | 'folders'
  | 'files'
  | 'notion_pages'
  | 'notion_data_sources'
  | 'slack_channels'
  | 'sites'
  | 'libraries'
  | 'confluence_spaces'
  | 'object_prefixes'
  | 'include_patterns'
  | 'exclude_patterns';

/** Lists of the scope that a provider uses. */
const scopeLists: Readonly<Record<string, readonly (readonly [ScopeList, string])[]>> = {
  google_drive: [
    ['folders', 'Ids of folders'],
    ['files', 'Ids of files'],
  ],
  notion: [
    ['notion_pages', 'Ids of pages'],
    ['notion_data_sources', 'Ids of data sources'],
  ],
  slack: [['slack_channels', 'Ids of channels']],
  sharepoint: [
    ['sites', 'Sites, by id or address'],
    ['libraries', 'Ids of libraries'],
    ['folders', 'Folders, as DRIVE_ID/FOLDER_ID'],
    ['files', 'Files, as DRIVE_ID/FILE_ID'],
  ],
  one_drive: [
    ['folders', 'Ids of folders'],
    ['files', 'Ids of files'],
  ],
  confluence: [['confluence_spaces', 'Keys of spaces']],
  aws_s3: bucketLists,
  gcs: bucketLists,
  azure_blob: bucketLists,
};

/** Providers that no person consents to. */
const withoutConsent = { aws_s3: true, gcs: true, azure_blob: true, confluence: true, custom_api: true } as const;

const Scope = ({
  indexId,
  connector,
  onClose,
}: {
  readonly indexId: string;
  readonly connector: ConnectorResponse | null;
  readonly onClose: () => void;
}) => {
  const { client } = useSession();
  const queries = useQueryClient();
  const [edited, setEdited] = useState<Readonly<Record<string, string[]>>>({});
  const [after, setAfter] = useState('');
  const [isChoosing, setChoosing] = useState(false);
  const [withFiles, setWithFiles] = useState<boolean | null>(null);
  const lists = scopeLists[connector?.provider ?? ''] ?? [];
  const valuesOf = (field: ScopeList): readonly string[] => edited[field] ?? connector?.scope[field] ?? [];
  const dateField =
    connector?.provider === 'gmail'
      ? 'gmail_after'
      : connector?.provider === 'google_calendar'
        ? 'calendar_after'
        : null;
  return (
    <Dialog
      title={`Scope of ${connector?.name ?? ''}`}
      action="Save and sync"
      opened={connector !== null}
      onClose={() => {
        setEdited({});
        setAfter('');
        setChoosing(false);
        setWithFiles(null);
        onClose();
      }}
      run={async () => {
        const body = {
          ...connector?.scope,
          ...edited,
          ...(withFiles === null ? {} : { attachments: withFiles }),
          ...(dateField === null || after === '' ? {} : { [dateField]: after }),
        };
        await client.put('/v1/indexes/{index_id}/connectors/{connection_id}/scope', {
          params: { path: { index_id: indexId, connection_id: connector?.id ?? '' } },
          body,
        });
        await queries.invalidateQueries({ queryKey: ['connectors', indexId] });
      }}
    >
      {lists.map(([field, label]) => (
        <TagsInput
          key={field}
          label={label}
          value={[...valuesOf(field)]}
          onChange={(values) => setEdited({ ...edited, [field]: values })}
        />
      ))}
      {connector !== null && withAttachments.has(connector.provider) && (
        <Checkbox
          label="Files of messages and pages, too"
          checked={withFiles ?? connector.scope.attachments}
          onChange={({ currentTarget }) => setWithFiles(currentTarget.checked)}
        />
      )}
      {connector !== null && choosable.has(connector.provider) && !isChoosing && (
        <Button variant="default" onClick={() => setChoosing(true)}>
          Choose from the source
        </Button>
      )}
      {connector !== null && isChoosing && (
        <ScopeChoices
          indexId={indexId}
          connector={connector}
          isChosen={({ field, id }) => field !== null && id !== null && valuesOf(field).includes(id)}
          onChoose={({ field, id }) => {
            if (field !== null && id !== null) setEdited({ ...edited, [field]: [...valuesOf(field), id] });
          }}
        />
      )}
      {dateField !== null && (
        <TextInput
          type="date"
          label="From this day on"
          value={after}
          onChange={({ currentTarget }) => setAfter(currentTarget.value)}
        />
      )}
      {lists.length === 0 && dateField === null && (
        <Text size="sm">This source has no scope: all of its items are read.</Text>
      )}
    </Dialog>
  );
};

const Connectors = ({ indexId }: { readonly indexId: string }) => {
  const { client } = useSession();
  const queries = useQueryClient();
  const params = { path: { index_id: indexId } };
  const key = ['connectors', indexId];
  const overview = useQuery({
    queryKey: key,
    queryFn: () => client.get('/v1/indexes/{index_id}/connectors', { params }),
    refetchInterval: 5_000,
  });
  const [scoped, setScoped] = useState<ConnectorResponse | null>(null);
  const [unread, setUnread] = useState<ConnectorResponse | null>(null);
  const [isBucketOpen, bucket] = useDisclosure(false);
  const [removed, setRemoved] = useState<ConnectorResponse | null>(null);
  const [history, setHistory] = useState<ConnectorResponse | null>(null);
  const [account, setAccount] = useState<AccountSource | null>(null);
  const action = useMutation({
    mutationFn: async ({ id, kind }: { readonly id: string; readonly kind: 'resume' | 'pause' | 'sync' }) => {
      const of = { params: { path: { ...params.path, connection_id: id } } };
      if (kind === 'resume') await client.post('/v1/indexes/{index_id}/connectors/{connection_id}/resume', of);
      else if (kind === 'sync') await client.post('/v1/indexes/{index_id}/connectors/{connection_id}/sync', of);
      else await client.post('/v1/indexes/{index_id}/connectors/{connection_id}/pause', of);
      await queries.invalidateQueries({ queryKey: key });
    },
  });
  const connect = useMutation({
    mutationFn: async (provider: string) => {
      const { authorize_url: url } = await client.post('/v1/indexes/{index_id}/connectors/{provider}/authorize', {
        params: { path: { ...params.path, provider } },
        body: {},
      });
      window.open(url, '_blank', 'noopener');
    },
  });
  if (overview.isPending) return <Loading />;
  if (overview.isError) return <ErrorNotice error={overview.error} retry={() => void overview.refetch()} />;
  const { connectors, available } = overview.data;
  return (
    <Card withBorder>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h5">
          Connected apps
        </Title>
        <Select
          size="xs"
          aria-label="Connect an app"
          placeholder="Connect an app…"
          value={null}
          data={available
            .filter(({ provider }) => !Object.hasOwn(withoutConsent, provider))
            .map(({ provider, name: label }) => ({ value: provider as string, label }))
            .concat(Object.entries(accountSources).map(([value, label]) => ({ value: `account:${value}`, label })))
            .concat({ value: 'bucket', label: 'Folder of a bucket' })}
          onChange={(provider) => {
            if (provider === 'bucket') bucket.open();
            else if (provider?.startsWith('account:') === true)
              setAccount(provider.slice('account:'.length) as AccountSource);
            else if (provider !== null) connect.mutate(provider);
          }}
        />
      </Group>
      {connect.isError && <ErrorNotice error={connect.error} title="The consent page could not be opened" />}
      {connect.isSuccess && (
        <Alert color="blue" mb="xs">
          Give your consent on the page that was opened. The app appears here afterwards; then choose its scope.
        </Alert>
      )}
      {action.isError && <ErrorNotice error={action.error} />}
      {connectors.length === 0 ? (
        <Empty title="No app is connected">
          Drive, SharePoint, OneDrive, Confluence, Notion, Gmail, Calendar, Slack, folders of buckets and your own APIs
          are kept in sync.
        </Empty>
      ) : (
        <Table.ScrollContainer minWidth={620}>
          <Table fz="sm">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Name</Table.Th>
                <Table.Th>State</Table.Th>
                <Table.Th>Documents</Table.Th>
                <Table.Th>Last sync</Table.Th>
                <Table.Th>Actions</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {connectors.map((connector) => (
                <Table.Tr key={connector.id}>
                  <Table.Td>
                    {connector.name}
                    <Text size="xs" c="dimmed">
                      {connector.provider}
                    </Text>
                    {connector.error !== null && (
                      <Text size="xs" c="red">
                        {connector.error}
                      </Text>
                    )}
                  </Table.Td>
                  <Table.Td>
                    <State state={connector.status} />
                  </Table.Td>
                  <Table.Td>
                    {number(connector.documents)}
                    {connector.unread_items > 0 && (
                      <Button size="compact-xs" variant="subtle" onClick={() => setUnread(connector)}>
                        {number(connector.unread_items)} unread
                      </Button>
                    )}
                  </Table.Td>
                  <Table.Td>
                    <Time at={connector.last_synced_at} none="never" />
                  </Table.Td>
                  <Table.Td>
                    <Group gap={4}>
                      <Button size="compact-xs" variant="default" onClick={() => setScoped(connector)}>
                        Scope
                      </Button>
                      <Button size="compact-xs" variant="default" onClick={() => setHistory(connector)}>
                        Syncs
                      </Button>
                      <Button
                        size="compact-xs"
                        variant="default"
                        onClick={() =>
                          action.mutate({ id: connector.id, kind: connector.status === 'paused' ? 'resume' : 'sync' })
                        }
                      >
                        Sync now
                      </Button>
                      {connector.status !== 'paused' && (
                        <Button
                          size="compact-xs"
                          variant="default"
                          onClick={() => action.mutate({ id: connector.id, kind: 'pause' })}
                        >
                          Pause
                        </Button>
                      )}
                      <Button size="compact-xs" variant="subtle" color="red" onClick={() => setRemoved(connector)}>
                        Remove
                      </Button>
                    </Group>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      <ConnectBucket indexId={indexId} opened={isBucketOpen} onClose={bucket.close} />
      <ConnectAccount indexId={indexId} provider={account} onClose={() => setAccount(null)} />
      <SyncHistory indexId={indexId} connector={history} onClose={() => setHistory(null)} />
      <UnreadItems indexId={indexId} connector={unread} onClose={() => setUnread(null)} />
      <Scope key={scoped?.id ?? ''} indexId={indexId} connector={scoped} onClose={() => setScoped(null)} />
      <Dialog
        title="Remove the app"
        action="Remove"
        danger
        opened={removed !== null}
        onClose={() => setRemoved(null)}
        run={async () => {
          await client.delete('/v1/indexes/{index_id}/connectors/{connection_id}', {
            params: { path: { ...params.path, connection_id: removed?.id ?? '' } },
          });
          await queries.invalidateQueries({ queryKey: key });
        }}
      >
        <Text size="sm">Its documents are removed from the index, and its credentials are deleted.</Text>
      </Dialog>
    </Card>
  );
};

const exampleObjects = {
  aws_s3: 's3://bucket/file.pdf',
  gcs: 'gs://bucket/file.pdf',
  azure_blob: 'https://account.blob.core.windows.net/container/file.pdf',
};

const Imports = ({ indexId }: { readonly indexId: string }) => {
  const { client } = useSession();
  const [imports, dialog] = useDisclosure();
  const { provider, access, isUnread, reset, storage, fieldsOf } = useStorageCredentials({ offersStored: imports });
  const [uri, setUri] = useState('');
  const [done, setDone] = useState(false);
  return (
    <Card withBorder>
      <Group justify="space-between">
        <div>
          <Title order={2} size="h5">
            Imports
          </Title>
          <Text size="sm" c="dimmed">
            {done ? 'The import is queued: it appears under Files.' : 'Reads one object of a cloud storage.'}
          </Text>
        </div>
        <Button size="xs" variant="default" onClick={dialog.open}>
          Import an object
        </Button>
      </Group>
      <Dialog
        title="Import an object"
        action="Import"
        opened={imports}
        onClose={() => {
          reset();
          dialog.close();
        }}
        disabled={uri === '' || isUnread}
        run={async () => {
          await client.post('/v1/indexes/{index_id}/imports', {
            params: { path: { index_id: indexId } },
            body: { ...access, uri },
          });
          setDone(true);
        }}
      >
        {(errorOf) => (
          <>
            {storage}
            <TextInput
              label="Address"
              placeholder={exampleObjects[provider]}
              data-autofocus
              error={errorOf('uri')}
              value={uri}
              onChange={({ currentTarget }) => setUri(currentTarget.value)}
            />
            {fieldsOf(errorOf, 'Empty: a public object')}
          </>
        )}
      </Dialog>
    </Card>
  );
};

export const SourcesPage = () => {
  const { indexId } = useRouteIds();
  return (
    <Stack>
      <Connectors indexId={indexId} />
      <Crawls indexId={indexId} />
      <CrawlSchedules indexId={indexId} />
      <Imports indexId={indexId} />
    </Stack>
  );
};
