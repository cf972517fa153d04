import * as z from 'zod';
import { exampleId, exampleTime } from '../http/examples.ts';
import { Moment } from '../http/moment.ts';

const Permission = z
  .enum(['read', 'write'])
  .meta({ id: 'Permission', description: '`read`: every GET and search. `write`: every change of data.' });

const name = z.string().min(1).max(255).describe('Name, for people.');
const IndexIds = z
  .array(z.string())
  .min(1)
  .max(100)
  .nullable()
  .optional()
  .describe('Ids of the only indexes that it may use; null or absent: all.');
const UsableIndexIds = z.array(z.string()).nullable().describe('Ids of the only indexes that it may use; null: all.');

export const ApiKeyCreate = z
  .object({
    name,
    permissions: z.array(Permission).min(1).max(100).default(['read', 'write']).describe('What the key may do.'),
    index_ids: IndexIds,
    expires_at: Moment.nullable().optional().describe('When the key ends; null or absent: never.'),
  })
  .meta({
    id: 'ApiKeyCreate',
    description: 'A key to create.',
    examples: [{ name: 'website', permissions: ['read'], index_ids: [exampleId('idx')], expires_at: null }],
  });

const shared = {
  id: z.string().describe('Id of the key.'),
  name: z.string().describe('Name, for people.'),
  permissions: z.array(z.string()).describe('What the key may do: `read`, `write`.'),
  index_ids: UsableIndexIds,
  created_at: z.iso.datetime().describe('When the key was created.'),
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

const ExpiresAt = z.iso.datetime().nullable().describe('When the key ends; null: never.');

export const ApiKeyCreated = z
  .object({
    ...shared,
    token: z.string().describe('Value of the key, shown this once.'),
    expires_at: ExpiresAt,
  })
  .meta({
    id: 'ApiKeyCreated',
    description: 'A created key with its value.',
    examples: [{ ...exampleKey, token: 'svc_live_exampleexampleexample' }],
  });

export const ApiKeyResponse = z
  .object({
    ...shared,
    prefix: z.string().describe('First 16 characters of the value, to tell keys apart.'),
    expires_at: ExpiresAt,
    revoked_at: z.iso.datetime().nullable().describe('When the key was revoked; null: it was not.'),
    created_by: creator,
  })
  .meta({
    id: 'ApiKeyResponse',
    description: 'A key without its value.',
    examples: [{ ...exampleKey, prefix: 'svc_live_example', revoked_at: null, created_by: exampleId('usr') }],
  });

export const SessionResponse = z
  .object({
    id: z.string().describe('Id of the session.'),
    created_at: z.iso.datetime().describe('When the session was opened.'),
    expires_at: z.iso.datetime().describe('When the session ends.'),
    current: z.boolean().meta({ description: 'Whether the request is made with it.' }),
    user_agent: z.string().nullable().meta({ description: 'What the client that opened it called itself.' }),
  })
  .meta({
    id: 'SessionResponse',
    description: 'An open session.',
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

export const OAuthClientCreate = z.object({ name, index_ids: IndexIds }).meta({
  id: 'OAuthClientCreate',
  description: 'A client to create.',
  examples: [{ name: 'nightly import', index_ids: null }],
});

const sharedByClients = {
  id: z.string().describe('Id of the client.'),
  name: z.string().describe('Name, for people.'),
  scopes: z.array(z.string()).describe('What access tokens of the client may do: `read`, `write`.'),
  index_ids: UsableIndexIds,
  created_at: z.iso.datetime().describe('When the client was created.'),
};

const exampleClient = {
  id: exampleId('oc'),
  name: 'nightly import',
  scopes: ['read', 'write'],
  index_ids: null,
  created_at: exampleTime,
};

export const OAuthClientCreated = z
  .object({
    ...sharedByClients,
    client_id: z.string().describe('Id of the client, as token requests name it.'),
    client_secret: z.string().describe('Secret of the client, shown this once.'),
  })
  .meta({
    id: 'OAuthClientCreated',
    description: 'A created client with its secret.',
    examples: [{ ...exampleClient, client_id: exampleId('oc'), client_secret: 'example-client-secret' }],
  });

export const OAuthClientResponse = z
  .object({
    ...sharedByClients,
    prefix: z.string().describe('First characters of the secret, to tell clients apart.'),
    revoked_at: z.iso.datetime().nullable().describe('When the client was revoked; null: it was not.'),
    created_by: creator,
  })
  .meta({
    id: 'OAuthClientResponse',
    description: 'A client without its secret.',
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
  .meta({
    id: 'TokenRequest',
    description: 'Request for an access token. Source: RFC 6749, 4.4.2.',
    examples: [{ grant_type: 'client_credentials', scope: 'read' }],
  });

export const TokenResponse = z
  .object({
    access_token: z.string().describe('Bearer value of the requests of the client.'),
    token_type: z.literal('Bearer').describe('Always `Bearer`.'),
    expires_in: z.int().meta({ description: 'Seconds.' }),
    scope: z.string().describe('Scopes of the token, separated by spaces.'),
  })
  .meta({
    id: 'TokenResponse',
    description: 'An access token. Source: RFC 6749, 5.1.',
    examples: [
      { access_token: 'svc_at_exampleexampleexample', token_type: 'Bearer', expires_in: 3_600, scope: 'read' },
    ],
  });
