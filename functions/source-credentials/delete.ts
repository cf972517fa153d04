import { connectorsRead, deleteStoredCredentials } from '../../shared/connectors/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { storedCredentialsWrite } from '../../shared/source-credentials/index.ts';

export const deleteSourceCredentials = endpoint({
  id: 'delete-source-credentials',
  method: 'DELETE',
  path: '/v1/source-credentials/{source_credentials}',
  tag: 'Connectors',
  summary: 'Delete stored credentials of a storage',
  description:
    'A 409 names a connector that uses them: give it other credentials, or delete it. An import that still waits for its copy fails.',
  auth: { needs: 'write', unrestricted: true },
  audit: {
    action: 'source_credentials.deleted',
    before: ({ path }) => ({ id: path.source_credentials, name: path.source_credentials }),
  },
  errorCodes: ['conflict'],
  uses: { stored: storedCredentialsWrite, connectors: connectorsRead },
  status: 204,
  handle: async ({ caller, deps, path }) => {
    await deleteStoredCredentials(deps, caller.organizationId, path.source_credentials);
    return undefined;
  },
});
