import { PasswordInput, Select, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { GoogleCredentials } from '#client';
import { Dialog } from '../parts/dialogs.tsx';
import { readObject } from '../parts/read-object.ts';
import { useSession } from '../session.tsx';

type Bucket = 'aws_s3' | 'gcs' | 'azure_blob';

const examples: Readonly<Record<Bucket, string>> = {
  aws_s3: 's3://bucket/folder/',
  gcs: 'gs://bucket/folder/',
  azure_blob: 'https://account.blob.core.windows.net/container/folder/',
};

const empty = { prefix: '', id: '', secret: '', endpoint: '', patterns: '' };

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
  const [provider, setProvider] = useState<Bucket>('aws_s3');
  const [form, setForm] = useState(empty);
  const set = (name: keyof typeof empty) => (event: { readonly currentTarget: { readonly value: string } }) => {
    const { value } = event.currentTarget;
    setForm((known) => ({ ...known, [name]: value }));
  };
  const keyFile = readObject(form.secret) as GoogleCredentials | null;
  const isUnread = provider === 'gcs' && form.secret !== '' && keyFile === null;
  const source = () => {
    switch (provider) {
      case 'aws_s3':
        return {
          provider,
          credentials: form.id === '' ? null : { access_key_id: form.id, secret_access_key: form.secret },
          endpoint: form.endpoint === '' ? null : form.endpoint,
        };
      case 'gcs':
        return { provider, credentials: form.secret === '' ? null : keyFile };
      case 'azure_blob':
        return { provider, credentials: form.secret === '' ? null : { sas_token: form.secret } };
    }
  };
  return (
    <Dialog
      title="Connect a folder of a bucket"
      action="Connect"
      opened={opened}
      disabled={form.prefix === '' || isUnread}
      onClose={() => {
        setForm(empty);
        onClose();
      }}
      run={async () => {
        await client.post('/v1/indexes/{index_id}/connectors', {
          params: { path: { index_id: indexId } },
          body: {
            ...source(),
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
          <Select
            label="Storage"
            allowDeselect={false}
            value={provider}
            data={[
              { value: 'aws_s3', label: 'Amazon S3, MinIO, R2, Wasabi' },
              { value: 'gcs', label: 'Google Cloud Storage' },
              { value: 'azure_blob', label: 'Azure Blob Storage' },
            ]}
            onChange={(value) => setProvider(value as Bucket)}
          />
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
          {provider === 'aws_s3' && (
            <>
              <TextInput
                label="Access key id"
                error={errorOf('access_key_id')}
                description="Empty: a public bucket"
                value={form.id}
                onChange={set('id')}
              />
              <PasswordInput
                label="Secret access key"
                error={errorOf('secret_access_key')}
                value={form.secret}
                onChange={set('secret')}
              />
              <TextInput
                label="Endpoint"
                description="Only for another storage than Amazon S3"
                error={errorOf('endpoint')}
                value={form.endpoint}
                onChange={set('endpoint')}
              />
            </>
          )}
          {provider === 'gcs' && (
            <Textarea
              label="Key file of a service account"
              error={isUnread ? 'The key file must be an object in JSON' : errorOf('private_key')}
              description="Empty: a public bucket"
              autosize
              maxRows={6}
              value={form.secret}
              onChange={set('secret')}
            />
          )}
          {provider === 'azure_blob' && (
            <PasswordInput
              label="SAS token that lists and reads"
              error={errorOf('sas_token')}
              description="Empty: a public container"
              value={form.secret}
              onChange={set('secret')}
            />
          )}
        </>
      )}
    </Dialog>
  );
};
