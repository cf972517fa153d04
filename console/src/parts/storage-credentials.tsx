import { PasswordInput, Select, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ChangeEvent, type ReactNode, useState } from 'react';
import type { GoogleCredentials, SourceCredentialsPut } from '#client';
import { useSession } from '../session.tsx';
import type { ErrorOf } from './notices.tsx';
import { readObject } from './read-object.ts';

type Storage = SourceCredentialsPut['provider'];

const storages = [
  { value: 'aws_s3', label: 'Amazon S3, MinIO, R2, Wasabi' },
  { value: 'gcs', label: 'Google Cloud Storage' },
  { value: 'azure_blob', label: 'Azure Blob Storage' },
];

const empty = { id: '', secret: '', role: '', stored: '' };

/** Returns the key of the query of the stored credentials. */
export const useStoredCredentialsKey = (): readonly string[] => {
  const { organization } = useSession();
  return [organization.organization_id, 'source-credentials'];
};

/** Returns the query of the stored credentials of the organization. */
export const useStoredCredentials = (isNeeded = true) => {
  const { client } = useSession();
  return useQuery({
    queryKey: useStoredCredentialsKey(),
    queryFn: ({ signal }) => client.get('/v1/source-credentials', { signal }),
    enabled: isNeeded,
  });
};

/** Credentials of a storage in a form. */
interface StorageCredentials {
  readonly provider: Storage;
  /** Credentials in the fields; null if the fields are empty, or stored ones are chosen. */
  readonly given: SourceCredentialsPut | null;
  /** Fields of an import or a connector that name the storage and its credentials. */
  readonly access: (SourceCredentialsPut | { readonly provider: Storage; readonly credentials: null }) & {
    readonly stored_credentials: string | null;
  };
  /** Whether a field cannot be read. */
  readonly isUnread: boolean;
  readonly reset: () => void;
  /** Returns the fields of the credentials. @param description Meaning of empty fields. */
  readonly fieldsOf: (errorOf: ErrorOf, description: string) => ReactNode;
  /** Field that chooses the storage. */
  readonly storage: ReactNode;
}

/** Holds credentials of a storage in a form. @param offersStored Whether the form lets choose stored ones. */
export const useStorageCredentials = ({ offersStored }: { readonly offersStored: boolean }): StorageCredentials => {
  const stored = useStoredCredentials(offersStored);
  const [provider, setProvider] = useState<Storage>('aws_s3');
  const [form, setForm] = useState(empty);
  /** Returns what a text field of the form needs. */
  const textOf = (name: keyof typeof empty) => ({
    value: form[name],
    onChange: ({ currentTarget: { value } }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      setForm((known) => ({ ...known, [name]: value })),
  });
  const keyFile = readObject(form.secret) as GoogleCredentials | null;
  const givenOf = (): SourceCredentialsPut | null => {
    if (form.stored !== '') return null;
    if (form.role !== '') return { provider: 'aws_s3', credentials: { role_arn: form.role } };
    if (form.id === '' && form.secret === '') return null;
    switch (provider) {
      case 'aws_s3':
        return { provider, credentials: { access_key_id: form.id, secret_access_key: form.secret } };
      case 'gcs':
        return keyFile === null ? null : { provider, credentials: keyFile };
      case 'azure_blob':
        return { provider, credentials: { sas_token: form.secret } };
    }
  };
  const given = givenOf();
  const isUnread = provider === 'gcs' && form.stored === '' && form.secret !== '' && keyFile === null;
  const names = (stored.data ?? []).filter((each) => each.provider === provider).map(({ name }) => name);
  return {
    provider,
    given,
    access: {
      ...(given ?? { provider, credentials: null }),
      stored_credentials: form.stored === '' ? null : form.stored,
    },
    isUnread,
    reset: () => setForm(empty),
    storage: (
      <Select
        label="Storage"
        allowDeselect={false}
        value={provider}
        data={storages}
        onChange={(value) => {
          setProvider(value as Storage);
          setForm(empty);
        }}
      />
    ),
    fieldsOf: (errorOf, description) => (
      <>
        {names.length > 0 && (
          <Select
            label="Stored credentials"
            placeholder="None"
            clearable
            clearButtonProps={{ 'aria-label': 'Choose none' }}
            data={names}
            error={errorOf('stored_credentials')}
            value={form.stored === '' ? null : form.stored}
            onChange={(value) => setForm({ ...empty, stored: value ?? '' })}
          />
        )}
        {form.stored === '' && provider === 'aws_s3' && (
          <>
            <TextInput
              label="Access key id"
              error={errorOf('access_key_id')}
              description={description}
              {...textOf('id')}
            />
            <PasswordInput label="Secret access key" error={errorOf('secret_access_key')} {...textOf('secret')} />
            <TextInput
              label="Role"
              description="In place of a key: the ARN of a role that the service assumes"
              error={errorOf('role_arn')}
              {...textOf('role')}
            />
          </>
        )}
        {form.stored === '' && provider === 'gcs' && (
          <Textarea
            label="Key file of a service account"
            error={isUnread ? 'The key file must be an object in JSON' : errorOf('private_key')}
            description={description}
            autosize
            maxRows={6}
            {...textOf('secret')}
          />
        )}
        {form.stored === '' && provider === 'azure_blob' && (
          <PasswordInput
            label="SAS token that lists and reads"
            error={errorOf('sas_token')}
            description={description}
            {...textOf('secret')}
          />
        )}
      </>
    ),
  };
};
