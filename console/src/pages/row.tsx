import { Button, Group, JsonInput, Stack, Text, Textarea, TextInput, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { VectorRecord } from '#client';
import { ResultCard, SourceLine } from '../parts/chunk-card.tsx';
import { Id } from '../parts/copy.tsx';
import { Dialog } from '../parts/dialogs.tsx';
import { useIndex } from '../parts/indexes.tsx';
import { KeyValues } from '../parts/key-values.tsx';
import { ErrorNotice } from '../parts/notices.tsx';
import { readObject } from '../parts/read-object.ts';
import { useSession } from '../session.tsx';

type Metadata = VectorRecord['metadata'];

/** Returns the patch that turns metadata into others: null removes a key. */
const patchOf = (before: Metadata, after: Metadata): Metadata => ({
  ...Object.fromEntries(Object.keys(before).flatMap((key) => (key in after ? [] : [[key, null]]))),
  ...after,
});

/** A row with its text and metadata, which can be changed. */
export const Row = ({
  indexId,
  row,
  onClose,
}: {
  readonly indexId: string;
  readonly row: VectorRecord;
  readonly onClose: () => void;
}) => {
  const { client } = useSession();
  const queries = useQueryClient();
  const index = useIndex(indexId);
  const [stored, setStored] = useState(row);
  const [text, setText] = useState(row.text ?? '');
  const [metadata, setMetadata] = useState(() => JSON.stringify(row.metadata, null, 2));
  const [deletes, setDeletes] = useState(false);
  const path = { index_id: indexId };
  const edited = readObject(metadata) as Metadata | null;
  const isNewText = text !== (stored.text ?? '');
  const reload = (): Promise<void> => queries.invalidateQueries({ queryKey: ['rows', indexId] });
  const save = useMutation({
    mutationFn: async () => {
      if (edited === null) return;
      const { id, version } = stored;
      if (isNewText)
        await client.post('/v1/indexes/{index_id}/vectors', {
          params: { path },
          body: [{ id, text, metadata: edited, if_version: version }],
        });
      else
        await client.post('/v1/indexes/{index_id}/vectors/update', {
          params: { path },
          body: [{ id, metadata: patchOf(stored.metadata, edited), if_version: version }],
        });
      const { vectors } = await client.post('/v1/indexes/{index_id}/vectors/fetch', {
        params: { path },
        body: { ids: [id] },
      });
      if (vectors[0] !== undefined) setStored(vectors[0]);
      await reload();
    },
  });
  const similar = useMutation({
    mutationFn: async () => {
      const { vectors } = await client.post('/v1/indexes/{index_id}/vectors/fetch', {
        params: { path },
        body: { ids: [row.id], include_vectors: true },
      });
      const vector = vectors[0]?.vector;
      if (vector === undefined) throw new Error('The row has no vector any more');
      const { results } = await client.post('/v1/indexes/{index_id}/search/dense', {
        params: { path },
        body: { vector, top_k: 11, include: ['text', 'metadata', 'explanation'] },
      });
      return results.filter(({ id }) => id !== row.id);
    },
  });
  const edit = (): void => {
    if (!save.isIdle) save.reset();
  };
  return (
    <Stack>
      <Group>
        <Id id={row.id} />
        <SourceLine indexId={indexId} file={stored.file} headings={stored.metadata['heading_path']} />
      </Group>
      <Stack onInput={edit}>
        <Textarea
          label="Text"
          autosize
          minRows={3}
          maxRows={16}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        {isNewText && (
          <Text size="xs" c="dimmed">
            The new text is embedded with {index.data?.embedding_model ?? 'the model of the index'}.
            {stored.file !== null && ' The row then belongs to no file any more.'}
          </Text>
        )}
        <JsonInput
          label="Metadata"
          autosize
          minRows={3}
          maxRows={16}
          error={edited === null ? 'Metadata must be an object in JSON' : undefined}
          value={metadata}
          onChange={setMetadata}
        />
      </Stack>
      {save.isError && <ErrorNotice error={save.error} />}
      {save.isSuccess && (
        <Text size="sm" role="status">
          Saved.
        </Text>
      )}
      <Group>
        <Button size="xs" onClick={() => save.mutate()} loading={save.isPending} disabled={edited === null}>
          Save
        </Button>
        <Button size="xs" variant="default" onClick={() => similar.mutate()} loading={similar.isPending}>
          Similar rows
        </Button>
        <Button size="xs" variant="subtle" color="red" onClick={() => setDeletes(true)}>
          Delete row
        </Button>
      </Group>
      {similar.isError && <ErrorNotice error={similar.error} />}
      {similar.data !== undefined && (
        <Stack gap="xs">
          <Title order={3} size="h5">
            Similar rows
          </Title>
          {similar.data.map((result, at) => (
            <ResultCard params={{}} key={result.id} indexId={indexId} result={result} rank={at + 1} />
          ))}
        </Stack>
      )}
      <Dialog
        title="Delete the row"
        action="Delete"
        danger
        opened={deletes}
        onClose={() => setDeletes(false)}
        run={async () => {
          await client.post('/v1/indexes/{index_id}/vectors/delete', { params: { path }, body: { ids: [row.id] } });
          await reload();
          onClose();
        }}
      >
        <Text size="sm" lineClamp={4}>
          {stored.text ?? stored.id}
        </Text>
        <Text size="sm">The row is no longer found afterwards.</Text>
      </Dialog>
    </Stack>
  );
};

/** Dialog that adds a row. */
export const AddRow = ({
  indexId,
  opened,
  onClose,
}: {
  readonly indexId: string;
  readonly opened: boolean;
  readonly onClose: () => void;
}) => {
  const { client } = useSession();
  const queries = useQueryClient();
  const [id, setId] = useState('');
  const [text, setText] = useState('');
  const [metadata, setMetadata] = useState<Metadata>({});
  return (
    <Dialog
      title="Add a row"
      action="Add"
      opened={opened}
      onClose={onClose}
      disabled={text.trim() === ''}
      run={async () => {
        const given = id.trim() === '' ? crypto.randomUUID() : id.trim();
        await client.post('/v1/indexes/{index_id}/vectors', {
          params: { path: { index_id: indexId } },
          // A row of this id is not replaced.
          body: [{ id: given, text, metadata, if_version: null }],
        });
        setId('');
        setText('');
        await queries.invalidateQueries({ queryKey: ['rows', indexId] });
      }}
    >
      {(errorOf) => (
        <>
          <Textarea
            label="Text"
            data-autofocus
            autosize
            minRows={3}
            maxRows={12}
            error={errorOf('text')}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
          <TextInput
            label="Id"
            description="Empty: a random one"
            error={errorOf('id')}
            value={id}
            onChange={({ currentTarget }) => setId(currentTarget.value)}
          />
          {/* The fields of an earlier row are gone. */}
          <KeyValues key={String(opened)} label="Metadata" onChange={setMetadata} />
        </>
      )}
    </Dialog>
  );
};
