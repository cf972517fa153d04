import { PasswordInput, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Dialog } from '../parts/dialogs.tsx';
import { useSession } from '../session.tsx';

/** Sources that are connected with credentials of an administrator. */
export const accountSources = {
  confluence: 'Confluence',
  sharepoint: 'SharePoint with an application',
  one_drive: 'OneDrive with an application',
} as const;

export type AccountSource = keyof typeof accountSources;

const empty = { site: '', person: '', tenant: '', id: '', secret: '' };

/** Dialog that connects a source with an API token, or with an application of a directory. */
export const ConnectAccount = ({
  indexId,
  provider,
  onClose,
}: {
  readonly indexId: string;
  readonly provider: AccountSource | null;
  readonly onClose: () => void;
}) => {
  const { client } = useSession();
  const queries = useQueryClient();
  const [form, setForm] = useState(empty);
  const set = (name: keyof typeof empty) => (event: { readonly currentTarget: { readonly value: string } }) => {
    const { value } = event.currentTarget;
    setForm((known) => ({ ...known, [name]: value }));
  };
  const application = { tenant_id: form.tenant, client_id: form.id, client_secret: form.secret };
  const source = () => {
    if (provider === 'confluence')
      return { provider, credentials: { site_url: form.site, email: form.person, token: form.secret } };
    if (provider === 'one_drive') return { provider, credentials: { ...application, user: form.person } };
    return { provider: 'sharepoint' as const, credentials: application };
  };
  const isWiki = provider === 'confluence';
  return (
    <Dialog
      title={`Connect ${provider === null ? '' : accountSources[provider]}`}
      action="Connect"
      opened={provider !== null}
      disabled={form.secret === ''}
      onClose={() => {
        setForm(empty);
        onClose();
      }}
      run={async () => {
        await client.post('/v1/indexes/{index_id}/connectors', {
          params: { path: { index_id: indexId } },
          body: source(),
        });
        await queries.invalidateQueries({ queryKey: ['connectors', indexId] });
      }}
    >
      {(errorOf) => (
        <>
          {isWiki && (
            <TextInput
              label="Address of the site"
              placeholder="https://acme.atlassian.net"
              error={errorOf('site_url')}
              value={form.site}
              onChange={set('site')}
            />
          )}
          {!isWiki && (
            <>
              <TextInput
                label="Directory (tenant) id"
                error={errorOf('tenant_id')}
                value={form.tenant}
                onChange={set('tenant')}
              />
              <TextInput
                label="Application (client) id"
                error={errorOf('client_id')}
                value={form.id}
                onChange={set('id')}
              />
            </>
          )}
          {provider !== 'sharepoint' && (
            <TextInput
              label={isWiki ? 'Mail address of the account' : 'Mail address of the person'}
              error={errorOf('email') ?? errorOf('user')}
              value={form.person}
              onChange={set('person')}
            />
          )}
          <PasswordInput
            label={isWiki ? 'API token' : 'Client secret'}
            error={errorOf('token') ?? errorOf('client_secret')}
            value={form.secret}
            onChange={set('secret')}
          />
        </>
      )}
    </Dialog>
  );
};
