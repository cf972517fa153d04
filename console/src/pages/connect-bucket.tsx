import { TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Dialog } from '../parts/dialogs.tsx';
import { useStorageCredentials } from '../parts/storage-credentials.tsx';
import { useSession } from '../session.tsx';

const examples = {
  aws_s3: 's3://bucket/folder/',
  gcs: 'gs://bucket/folder/',
  azure_blob: 'https://account.blob.core.windows.net/container/folder/',
};

const empty = { prefix: '', endpoint: '', patterns: '' };

/** Dialog that connects a folder of a bucket. */
export const ConnectBucket = ({
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
  const { provider, access, isUnread, reset, storage, fieldsOf } = useStorageCredentials({ offersStored: opened });
  const [form, setForm] = useState(empty);
  const set = (name: keyof typeof empty) => (event: { readonly currentTarget: { readonly value: string } }) => {
    const { value } = event.currentTarget;
    setForm((known) => ({ ...known, [name]: value }));
  };
  return (
    <Dialog
      title="Connect a folder of a bucket"
      action="Connect"
      opened={opened}
      disabled={form.prefix === '' || isUnread}
      onClose={() => {
        setForm(empty);
        reset();
        onClose();
      }}
      run={async () => {
        await client.post('/v1/indexes/{index_id}/connectors', {
          params: { path: { index_id: indexId } },
          body: {
            ...access,
            ...(provider === 'aws_s3' && { endpoint: form.endpoint === '' ? null : form.endpoint }),
            name: form.prefix.slice(0, 255),
            scope: {
              object_prefixes: [form.prefix],
              include_patterns: form.patterns.split(/[\s,]+/).filter((pattern) => pattern !== ''),
            },
          },
        });
        await queries.invalidateQueries({ queryKey: ['connectors', indexId] });
      }}
    >
      {(errorOf) => (
        <>
          {storage}
          <TextInput
            label="Folder"
            placeholder={examples[provider]}
            error={errorOf('object_prefixes') ?? errorOf('uri')}
            value={form.prefix}
            onChange={set('prefix')}
          />
          <TextInput
            label="Patterns"
            description="Empty: all objects"
            placeholder="*.pdf, *.docx"
            value={form.patterns}
            onChange={set('patterns')}
          />
          {fieldsOf(errorOf, 'Empty: a public bucket')}
          {provider === 'aws_s3' && (
            <TextInput
              label="Endpoint"
              description="Only for another storage than Amazon S3"
              error={errorOf('endpoint')}
              value={form.endpoint}
              onChange={set('endpoint')}
            />
          )}
        </>
      )}
    </Dialog>
  );
};
