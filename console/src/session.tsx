import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { createClient, type StrataClient } from '#client';
import type { BootstrapResponse, OrganizationWorkspace } from '#client';
import { forgetQueries } from './parts/search-history.ts';
import { baseUrl } from './settings.ts';
import { signOutAtProvider } from './sign-in.ts';

/** Signed-in person with the selected organization. The token is in memory only. */
export interface Session {
  readonly user: BootstrapResponse['user'];
  readonly organizations: readonly OrganizationWorkspace[];
  readonly organization: OrganizationWorkspace;
  readonly invitations: BootstrapResponse['pending_invitations'];
  readonly isOwner: boolean;
  /** Client of the selected organization. */
  readonly client: StrataClient;
  readonly selectOrganization: (id: string) => void;
  /** Loads the organizations again, after an invitation was accepted. */
  readonly reloadOrganizations: () => Promise<void>;
  /** Ends the session at the service and at the identity provider. */
  readonly signOut: () => Promise<void>;
}

const SessionContext = createContext<Session | null>(null);

/** Opens a session for an ID token. Throws StrataError. */
export const openSession = (idToken: string): Promise<BootstrapResponse> =>
  createClient({ baseUrl, token: idToken }).post('/v1/auth/bootstrap');

const selectedKey = 'strata.organization';

export const SessionProvider = ({
  opened,
  children,
}: {
  readonly opened: BootstrapResponse;
  readonly children: ReactNode;
}) => {
  const queries = useQueryClient();
  const [organizations, setOrganizations] = useState<readonly OrganizationWorkspace[]>(opened.organizations);
  const [selected, setSelected] = useState(() => localStorage.getItem(selectedKey));
  const organization = organizations.find(({ organization_id: id }) => id === selected) ?? organizations[0];
  const session = useMemo(() => {
    if (organization === undefined) return null;
    const client = createClient({
      baseUrl,
      token: opened.session_token,
      organizationId: organization.organization_id,
      retries: 2,
    });
    return {
      user: opened.user,
      organizations,
      organization,
      invitations: opened.pending_invitations,
      isOwner: organization.role === 'owner',
      client,
      selectOrganization: (id: string): void => {
        localStorage.setItem(selectedKey, id);
        setSelected(id);
        queries.clear();
      },
      reloadOrganizations: async (): Promise<void> => setOrganizations(await client.get('/v1/organizations')),
      signOut: async (): Promise<void> => {
        await client.delete('/v1/auth/session').catch(() => {});
        queries.clear();
        forgetQueries();
        signOutAtProvider();
      },
    } satisfies Session;
  }, [opened, organizations, organization, queries]);
  return <SessionContext value={session}>{session === null ? null : children}</SessionContext>;
};

export const useSession = (): Session => {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('the page is outside of a session');
  return session;
};
