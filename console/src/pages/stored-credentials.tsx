import { Button, Card, Group, Text, TextInput, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Dialog } from '../parts/dialogs.tsx';
import { Time } from '../parts/format.tsx';
import { Empty, ErrorNotice } from '../parts/notices.tsx';
import { useStorageCredentials, useStoredCredentials, useStoredCredentialsKey } from '../parts/storage-credentials.tsx';
import { nameOf } from '../parts/words.ts';
import { useSession } from '../session.tsx';

/** Dialog that stores or replaces credentials under a name. */
const PutCredentials = ({ opened, onClose }: { readonly opened: boolean; readonly onClose: () => void }) => {
  const { client } = useSession();
  const queries = useQueryClient();
  const key = useStoredCredentialsKey();
  const [name, setName] = useState('');
  const { given, reset, storage, fieldsOf } = useStorageCredentials({ offersStored: false });
  return (
    <Dialog
      title="Store credentials"
      action="Store"
      opened={opened}
      disabled={name.trim() === '' || given === null}
      onClose={() => {
        setName('');
        reset();
        onClose();
      }}
      run={async () => {
        if (given === null) return;
        await client.put('/v1/source-credentials/{source_credentials}', {
          params: { path: { source_credentials: name.trim() } },
          body: given,
        });
        await queries.invalidateQueries({ queryKey: key });
      }}
    >
      {(errorOf) => (
        <>
          <TextInput
            label="Name"
            description="Small letters, digits, hyphens and underscores. A known name gets the new credentials."
            maxLength={63}
            data-autofocus
            error={errorOf('source_credentials')}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          {storage}
          {fieldsOf(errorOf, 'Stored encrypted, and never shown')}
        </>
      )}
    </Dialog>
  );
};

/** Credentials of storages that the organization stores by name. */
export const StoredCredentials = () => {
  const { client } = useSession();
  const queries = useQueryClient();
  const key = useStoredCredentialsKey();
  const list = useStoredCredentials();
  const [puts, put] = useDisclosure();
  const [deleted, setDeleted] = useState<string | null>(null);
  return (
    <Card withBorder>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h5">
          Credentials of storages
        </Title>
        <Button size="xs" variant="default" onClick={put.open}>
          Store credentials
        </Button>
      </Group>
      {list.isError && <ErrorNotice error={list.error} />}
      {list.data?.length === 0 && (
        <Empty title="No credentials are stored">
          Connected folders and imports use them by name, so a new key is stored once.
        </Empty>
      )}
      {(list.data ?? []).map(({ name, provider, replaced_at: at }) => (
        <Group key={name} justify="space-between" wrap="nowrap" py={4}>
          <Text size="sm" truncate>
            <b>{name}</b> {nameOf(provider)}, stored <Time at={at} />
          </Text>
          <Button size="compact-xs" variant="subtle" color="red" onClick={() => setDeleted(name)}>
            Delete
          </Button>
        </Group>
      ))}
      <PutCredentials opened={puts} onClose={put.close} />
      <Dialog
        title="Delete the credentials"
        action="Delete"
        danger
        opened={deleted !== null}
        onClose={() => setDeleted(null)}
        run={async () => {
          const path = { source_credentials: deleted ?? '' };
          await client.delete('/v1/source-credentials/{source_credentials}', { params: { path } });
          await queries.invalidateQueries({ queryKey: key });
        }}
      >
        <Text size="sm">Imports that still wait for their copy fail. A connector that uses them must end first.</Text>
      </Dialog>
    </Card>
  );
};
