import * as z from 'zod';
import { endpoint } from '../../shared/http/endpoint.ts';
import {
  SourceCredentialsResponse,
  storedCredentialsRead,
  toSourceCredentialsResponse,
} from '../../shared/source-credentials/index.ts';

export const listSourceCredentials = endpoint({
  id: 'list-source-credentials',
  method: 'GET',
  path: '/v1/source-credentials',
  tag: 'Connectors',
  summary: 'List stored credentials of storages',
  description: 'Returns names and providers of all stored credentials, in order of name, without their values.',
  auth: { needs: 'read', unrestricted: true },
  uses: { stored: storedCredentialsRead },
  status: 200,
  response: z.array(SourceCredentialsResponse),
  handle: async ({ caller, deps }) => (await deps.stored.list(caller.organizationId)).map(toSourceCredentialsResponse),
});
