import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { AliasResponse } from '#client';
import { Dialog } from '../parts/dialogs.tsx';
import { Time } from '../parts/format.tsx';
import { IndexName, useIndexOptions } from '../parts/indexes.tsx';
import { Empty, PageTitle } from '../parts/notices.tsx';
import { PagedList, toPage, usePagedList } from '../parts/paged-list.tsx';
import { useSession } from '../session.tsx';

/** Form of a name. Another one would be that of no alias. */
const aliasName = /^[\da-z_-]{1,63}$/;

/** Dialog that creates an alias, or moves one to another index. */
const PutAlias = ({
  alias,
  opened,
  onClose,
}: {
  /** Alias that is moved; null for a new one. */
  readonly alias: AliasResponse | null;
  readonly opened: boolean;
  readonly onClose: () => void;
}) => {
  const { client, organization } = useSession();
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [indexId, setIndexId] = useState<string | null>(null);
  const options = useIndexOptions(client, organization.organization_id, indexId === null ? [] : [indexId]);
  return (
    <Dialog
      title={alias === null ? 'Create an alias' : `Move ${alias.name}`}
      action={alias === null ? 'Create' : 'Move'}
      opened={opened}
      onClose={() => {
        setName('');
        setIndexId(null);
        onClose();
      }}
      disabled={indexId === null || (alias === null && !aliasName.test(name.trim()))}
      run={async () => {
        await client.put('/v1/aliases/{name}', {
          params: { path: { name: alias?.name ?? name.trim() } },
          body: { index_id: indexId ?? '' },
        });
        await queries.invalidateQueries({ queryKey: [organization.organization_id, 'aliases'] });
      }}
    >
      {(errorOf) => (
        <>
          {alias === null ? (
            <TextInput
              label="Name"
              description="Small letters, digits, hyphens and underscores, 63 at most"
              maxLength={63}
              data-autofocus
              error={
                errorOf('name') ??
                (name === '' || aliasName.test(name.trim()) ? undefined : 'The name has another character')
              }
              value={name}
              onChange={({ currentTarget }) => setName(currentTarget.value)}
            />
          ) : (
            <Text size="sm">
              It names <IndexName id={alias.index_id} /> now. Every request that begins after the move uses the other
              index.
            </Text>
          )}
          <Select label="Index" {...options.props} error={errorOf('index_id')} value={indexId} onChange={setIndexId} />
        </>
      )}
    </Dialog>
  );
};

export const AliasesPage = () => {
  const { client, organization } = useSession();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [creates, creation] = useDisclosure();
  const [moved, setMoved] = useState<AliasResponse | null>(null);
  const [deleted, setDeleted] = useState<AliasResponse | null>(null);
  const key = [organization.organization_id, 'aliases'];
  const list = usePagedList<AliasResponse>(key, async (cursor, signal) =>
    toPage(
      await client.api.GET('/v1/aliases', {
        params: { query: { limit: 100, ...(cursor === undefined ? {} : { cursor }) } },
        signal,
      }),
    ),
  );
  const create = <Button onClick={creation.open}>Create alias</Button>;
  return (
    <Stack>
      <PageTitle
        actions={create}
        note="Programs use an alias in place of an index id. A move changes its index at once."
      >
        Aliases
      </PageTitle>
      <PagedList
        query={list}
        label="Aliases"
        keyOf={({ name }) => name}
        onOpen={({ index_id: id }) => void navigate({ to: `/indexes/${id}/search` })}
        empty={
          <Empty title="There is no alias yet" action={create}>
            With an alias, a program needs no change when its index is replaced by another one.
          </Empty>
        }
        columns={[
          {
            name: 'Name',
            width: 'minmax(120px, 2fr)',
            cell: ({ name }) => (
              <Text size="sm" fw={500} truncate>
                {name}
              </Text>
            ),
          },
          {
            name: 'Index',
            width: 'minmax(120px, 2fr)',
            cell: ({ index_id: id }) => (
              <Text size="sm" truncate>
                <IndexName id={id} />
              </Text>
            ),
          },
          { name: 'Moved', width: '130px', cell: ({ updated_at: at }) => <Time at={at} /> },
          {
            name: 'Actions',
            width: '150px',
            cell: (alias) => (
              // A click on an action does not open the index.
              <Group gap={4} wrap="nowrap" onClick={(event) => event.stopPropagation()}>
                <Button size="compact-xs" variant="default" onClick={() => setMoved(alias)}>
                  Move…
                </Button>
                <Button size="compact-xs" variant="subtle" color="red" onClick={() => setDeleted(alias)}>
                  Delete
                </Button>
              </Group>
            ),
          },
        ]}
      />
      <PutAlias alias={null} opened={creates} onClose={creation.close} />
      <PutAlias key={moved?.name ?? ''} alias={moved} opened={moved !== null} onClose={() => setMoved(null)} />
      <Dialog
        title="Delete the alias"
        action="Delete"
        danger
        opened={deleted !== null}
        onClose={() => setDeleted(null)}
        run={async () => {
          await client.delete('/v1/aliases/{name}', { params: { path: { name: deleted?.name ?? '' } } });
          await queries.invalidateQueries({ queryKey: key });
        }}
      >
        <Text size="sm">Requests that use the name {deleted?.name} get a 404. The index stays.</Text>
      </Dialog>
    </Stack>
  );
};
