import { randomBytes } from 'node:crypto';
import { endpoint } from '../../shared/http/endpoint.ts';
import { capability } from '../../shared/kernel/capability.ts';
import { valueProblem } from '../../shared/kernel/errors.ts';
import { localAccountId } from '../../shared/kernel/names.ts';
import {
  localRoleProblem,
  SourceCredentialsPut,
  SourceCredentialsResponse,
  storedCredentialsWrite,
  toSourceCredentialsResponse,
} from '../../shared/source-credentials/index.ts';

export const putSourceCredentials = endpoint({
  id: 'put-source-credentials',
  method: 'PUT',
  path: '/v1/source-credentials/{source_credentials}',
  tag: 'Connectors',
  summary: 'Store or replace credentials of a storage',
  description:
    'Imports and connectors of buckets use them by `stored_credentials`, from the next request after a replacement. They are stored encrypted and never returned. Another provider than before is a 409, and so are more than 100.',
  auth: { needs: 'write', unrestricted: true },
  audit: {
    action: 'source_credentials.set',
    before: ({ path }) => ({ id: path.source_credentials, name: path.source_credentials }),
    details: ['provider'],
  },
  errorCodes: ['conflict'],
  feature: 'connectors',
  uses: {
    stored: storedCredentialsWrite,
    isLocal: capability<boolean>([], ({ config }) => config.accountId === localAccountId),
  },
  body: SourceCredentialsPut,
  status: 200,
  response: SourceCredentialsResponse,
  problems: ({ body, deps }) =>
    deps.isLocal && body.provider === 'aws_s3' && body.credentials?.role_arn !== undefined
      ? [valueProblem(['body', 'credentials', 'role_arn'], localRoleProblem)]
      : [],
  handle: async ({ body: { provider, credentials }, caller, deps, path }) => {
    const secret = randomBytes(32);
    const { organizationId } = caller;
    return toSourceCredentialsResponse(
      await deps.stored.put(organizationId, path.source_credentials, { provider, value: credentials, secret }),
    );
  },
});
