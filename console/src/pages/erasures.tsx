import { Badge, Button, Code, Group, Modal, Select, Stack, Table, Text, Textarea, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type ErasureCreate, type ErasureResponse, verifyReceipt } from '#client';
import { Dialog } from '../parts/dialogs.tsx';
import { number, Time } from '../parts/format.tsx';
import { Empty, ErrorNotice } from '../parts/notices.tsx';
import { PagedList, toPage, usePagedList } from '../parts/paged-list.tsx';
import { useRouteIds } from '../parts/route-ids.ts';
import { useSession } from '../session.tsx';

const selectors = [
  { value: 'subject', label: 'A person or thing, by a metadata value' },
  { value: 'file', label: 'A file' },
  { value: 'document', label: 'A document of a source' },
  { value: 'ids', label: 'Rows by their ids' },
] as const;
type Selector = (typeof selectors)[number]['value'];

const names: Readonly<Record<ErasureResponse['places'][number]['place'], string>> = {
  rows: 'Rows',
  branches: 'Branches',
  segments: 'Stored rows',
  versions: 'Former versions',
  files: 'Files, originals and texts',
  exports: 'Exports',
  changes: 'Changes on their way',
  model_cache: 'Cached vectors',
  events: 'Events',
  dead_letters: 'Changes that failed',
  query_log: 'Logged searches',
};

/** Returns what is erased, as the API takes it. */
const bodyOf = (by: Selector, key: string, value: string): ErasureCreate => {
  if (by === 'subject') return { subject: { key, value } };
  if (by === 'ids') return { ids: value.split('\n').flatMap((id) => (id.trim() === '' ? [] : [id.trim()])) };
  return by === 'file' ? { file: value } : { document: value };
};

const EraseDialog = ({ opened, onClose }: { readonly opened: boolean; readonly onClose: () => void }) => {
  const { client, organization } = useSession();
  const queries = useQueryClient();
  const { indexId } = useRouteIds();
  const [by, setBy] = useState<Selector>('subject');
  const [key, setKey] = useState('');
  const [value, setValue] = useState('');
  return (
    <Dialog
      title="Erase for good"
      action="Erase"
      danger
      opened={opened}
      onClose={onClose}
      run={async () => {
        const params = { path: { index_id: indexId } };
        await client.post('/v1/indexes/{index_id}/erasures', { params, body: bodyOf(by, key, value) });
        await queries.invalidateQueries({ queryKey: [organization.organization_id] });
      }}
    >
      {(errorOf) => (
        <>
          <Text size="sm">
            The rows vanish at once, also from former versions and branches. Within 24 hours all that is left of them is
            removed. This cannot be undone. Former versions from before end, and branches become independent.
          </Text>
          <Select
            label="What to erase"
            data={selectors}
            value={by}
            allowDeselect={false}
            onChange={(chosen) => setBy(selectors.find((each) => each.value === chosen)?.value ?? by)}
          />
          {by === 'subject' && (
            <TextInput
              label="Metadata key"
              error={errorOf('subject.key')}
              value={key}
              onChange={({ currentTarget }) => setKey(currentTarget.value)}
            />
          )}
          {by === 'ids' ? (
            <Textarea
              label="Ids"
              description="One in each line."
              autosize
              minRows={3}
              error={errorOf('ids')}
              value={value}
              onChange={({ currentTarget }) => setValue(currentTarget.value)}
            />
          ) : (
            <TextInput
              label={by === 'subject' ? 'Value' : 'Id'}
              error={errorOf(by === 'subject' ? 'subject.value' : by)}
              value={value}
              onChange={({ currentTarget }) => setValue(currentTarget.value)}
            />
          )}
        </>
      )}
    </Dialog>
  );
};

/** Receipt of an erasure, with a button that verifies it in the browser. */
const Receipt = ({ receipt }: { readonly receipt: NonNullable<ErasureResponse['receipt']> }) => {
  const { client } = useSession();
  const verification = useMutation({
    mutationFn: async () => {
      const key = (await client.get('/v1/receipt-keys')).find(({ id }) => id === receipt.key_id);
      return key !== undefined && (await verifyReceipt(receipt, key.public_key));
    },
  });
  const file = `data:application/json,${encodeURIComponent(JSON.stringify(receipt, null, 2))}`;
  return (
    <Stack gap="xs">
      <Code block>{JSON.stringify(JSON.parse(receipt.text), null, 2)}</Code>
      <Group>
        <Button component="a" variant="default" href={file} download="receipt.json">
          Download the receipt
        </Button>
        <Button variant="default" loading={verification.isPending} onClick={() => verification.mutate()}>
          Verify the signature
        </Button>
        {verification.data !== undefined && (
          <Text size="sm" role="status">
            {verification.data ? 'The signature is valid.' : 'The signature is not valid.'}
          </Text>
        )}
      </Group>
      {verification.isError && <ErrorNotice error={verification.error} />}
    </Stack>
  );
};

const Details = ({ found }: { readonly found: ErasureResponse }) => (
  <Stack>
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Place</Table.Th>
          <Table.Th>Removed</Table.Th>
          <Table.Th>Nothing found since</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {found.places.map(({ place, removed, verified_at: at }) => (
          <Table.Tr key={place}>
            <Table.Td>{names[place]}</Table.Td>
            <Table.Td>{number(removed)}</Table.Td>
            <Table.Td>{at === null ? 'To be looked at again' : <Time at={at} />}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
    {found.kept_files.length > 0 && (
      <Text size="sm">
        {number(found.kept_files.length)} files have other rows, so their originals and texts stay. Erase them as files.
      </Text>
    )}
    {found.receipt !== null && <Receipt receipt={found.receipt} />}
  </Stack>
);

export const ErasuresPage = () => {
  const { client, organization } = useSession();
  const { indexId } = useRouteIds();
  const [shown, setShown] = useState<ErasureResponse | null>(null);
  const [erases, erasing] = useDisclosure();
  const list = usePagedList<ErasureResponse>(
    [organization.organization_id, 'erasures', indexId],
    async (cursor, signal) =>
      toPage(
        await client.api.GET('/v1/indexes/{index_id}/erasures', {
          params: {
            path: { index_id: indexId },
            query: { limit: 100, ...(cursor === undefined ? {} : { cursor }) },
          },
          signal,
        }),
      ),
  );
  return (
    <Stack>
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          Rows and files that are removed from every place, with a signed receipt.
        </Text>
        <Button color="red" variant="light" onClick={erasing.open}>
          Erase…
        </Button>
      </Group>
      <PagedList
        query={list}
        label="Erasures"
        keyOf={({ id }) => id}
        empty={<Empty title="Nothing was erased">Erase a person, a file or rows, and keep the receipt.</Empty>}
        columns={[
          {
            name: 'Status',
            width: '120px',
            cell: ({ status }) => (
              <Badge color={status === 'completed' ? 'teal' : 'blue'} variant="light">
                {status}
              </Badge>
            ),
          },
          { name: 'Requested', width: 'minmax(120px, 2fr)', cell: ({ requested_at: at }) => <Time at={at} /> },
          { name: 'By', width: 'minmax(80px, 1fr)', cell: ({ selected_by: by }) => by },
          {
            name: 'Rows',
            width: 'minmax(80px, 1fr)',
            cell: ({ places }) => number(places.find(({ place }) => place === 'rows')?.removed ?? 0),
          },
          {
            name: 'Actions',
            width: '120px',
            cell: (found) => (
              <Button size="compact-xs" variant="default" onClick={() => setShown(found)}>
                Show
              </Button>
            ),
          },
        ]}
      />
      <EraseDialog opened={erases} onClose={erasing.close} />
      <Modal
        title="Erasure"
        size="xl"
        opened={shown !== null}
        onClose={() => setShown(null)}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {shown !== null && <Details found={shown} />}
      </Modal>
    </Stack>
  );
};
