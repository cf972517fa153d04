import * as z from 'zod';
import { exampleId, exampleTime } from '../http/examples.ts';
import { Moment } from '../http/moment.ts';

const Permission = z.enum(['read', 'write']);

const name = z.string().min(1).max(255);
const IndexIds = z.array(z.string()).min(1).max(100).nullable().optional();

export const ApiKeyCreate = z
  .object({
    name,
    permissions: z.array(Permission).min(1).max(100).default(['read', 'write']),
    index_ids: IndexIds,
    expires_at: Moment.nullable().optional(),
  })
  .meta({
    id: 'ApiKeyCreate',
    examples: [{ name: 'website', permissions: ['read'], index_ids: [exampleId('idx')], expires_at: null }],
  });

const shared = {
  id: z.string(),
  name: z.string(),
  permissions: z.array(z.string()),
  index_ids: z.array(z.string()).nullable(),
  created_at: z.iso.datetime(),
};

const creator = z
  .string()
  .nullable()
  .meta({ description: 'Id of the user, key or OAuth client that created it and ends it; null: not known.' });

const exampleKey = {
  id: exampleId('key'),
  name: 'website',
  permissions: ['read'],
  index_ids: [exampleId('idx')],
  expires_at: null,
  created_at: exampleTime,
};

export const ApiKeyCreated = z
  .object({ ...shared, token: z.string(), expires_at: z.iso.datetime().nullable() })
  .meta({ id: 'ApiKeyCreated', examples: [{ ...exampleKey, token: 'svc_live_exampleexampleexample' }] });

export const ApiKeyResponse = z
  .object({
    ...shared,
    prefix: z.string(),
    expires_at: z.iso.datetime().nullable(),
    revoked_at: z.iso.datetime().nullable(),
    created_by: creator,
  })
  .meta({
    id: 'ApiKeyResponse',
    examples: [{ ...exampleKey, prefix: 'svc_live_example', revoked_at: null, created_by: exampleId('usr') }],
  });

export const SessionResponse = z
  .object({
    id: z.string(),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
    current: z.boolean().meta({ description: 'Whether the request is made with it.' }),
    user_agent: z.string().nullable().meta({ description: 'What the client that opened it called itself.' }),
  })
  .meta({
    id: 'SessionResponse',
    examples: [
      {
        id: exampleId('sess'),
        created_at: exampleTime,
        expires_at: exampleTime,
        current: true,
        user_agent: 'Mozilla/5.0 (X11; Linux x86_64)',
      },
    ],
  });

export const OAuthClientCreate = z
  .object({ name, index_ids: IndexIds })
  .meta({ id: 'OAuthClientCreate', examples: [{ name: 'nightly import', index_ids: null }] });

const sharedByClients = {
  id: z.string(),
  name: z.string(),
  scopes: z.array(z.string()),
  index_ids: z.array(z.string()).nullable(),
  created_at: z.iso.datetime(),
};

const exampleClient = {
  id: exampleId('oc'),
  name: 'nightly import',
  scopes: ['read', 'write'],
  index_ids: null,
  created_at: exampleTime,
};

export const OAuthClientCreated = z
  .object({ ...sharedByClients, client_id: z.string(), client_secret: z.string() })
  .meta({
    id: 'OAuthClientCreated',
    examples: [{ ...exampleClient, client_id: exampleId('oc'), client_secret: 'example-client-secret' }],
  });

export const OAuthClientResponse = z
  .object({
    ...sharedByClients,
    prefix: z.string(),
    revoked_at: z.iso.datetime().nullable(),
    created_by: creator,
  })
  .meta({
    id: 'OAuthClientResponse',
    examples: [{ ...exampleClient, prefix: 'example-client-s', revoked_at: null, created_by: exampleId('usr') }],
  });

export const TokenRequest = z
  .object({
    grant_type: z.string().meta({ description: '`client_credentials`', examples: ['client_credentials'] }),
    scope: z
      .string()
      .optional()
      .meta({ description: 'Some of the client’s scopes, separated by spaces. Without it: all of them.' }),
    client_id: z.string().optional().meta({ description: 'Here or by HTTP Basic.' }),
    client_secret: z.string().optional().meta({ description: 'Here or by HTTP Basic, never both.' }),
  })
  .meta({ id: 'TokenRequest', examples: [{ grant_type: 'client_credentials', scope: 'read' }] });

export const TokenResponse = z
  .object({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.int().meta({ description: 'Seconds.' }),
    scope: z.string(),
  })
  .meta({
    id: 'TokenResponse',
    examples: [
      { access_token: 'svc_at_exampleexampleexample', token_type: 'Bearer', expires_in: 3_600, scope: 'read' },
    ],
  });
