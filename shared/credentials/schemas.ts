import * as z from 'zod';
import { exampleId, exampleTime } from '../http/examples.ts';
import { Timestamp } from '../http/timestamp.ts';
import { boundsFields, shownBoundsFields } from './bounds.ts';
import { limitsFields, shownLimitsFields } from './limits.ts';

export const Permission = z
  .enum(['read', 'write'])
  .meta({ id: 'Permission', description: '`read`: every GET and search. `write`: every change of data.' });

const name = z.string().min(1).max(255).describe('Display name.');
export const IndexIds = z
  .array(z.string())
  .min(1)
  .max(100)
  .nullable()
  .optional()
  .describe('Ids of the indexes that the credential is restricted to; null or absent for all indexes.');
const UsableIndexIds = z
  .array(z.string())
  .nullable()
  .describe('Ids of the indexes that the credential is restricted to; null for all indexes.');

export const ApiKeyCreate = z
  .strictObject({
    name,
    permissions: z.array(Permission).min(1).max(100).default(['read', 'write']).describe('Permissions of the key.'),
    index_ids: IndexIds,
    ...boundsFields,
    ...limitsFields,
    expires_at: Timestamp.nullable().optional().describe('When the key expires; null or absent for never.'),
  })
  .meta({
    id: 'ApiKeyCreate',
    description: 'An API key to create.',
    examples: [
      { name: 'website', permissions: ['read'], index_ids: [exampleId('idx')], expires_at: null },
      {
        name: 'customer acme',
        permissions: ['read', 'write'],
        index_ids: [exampleId('idx')],
        filter: { tenant: 'acme' },
        id_prefix: 'acme:',
        rate_limits: { searches: 300 },
        in_flight: 8,
        monthly_limits: { cost_usd: 20 },
      },
    ],
  });

const shared = {
  id: z.string().describe('Id of the key.'),
  name: z.string().describe('Display name.'),
  permissions: z.array(z.string()).describe('Permissions of the key: `read`, `write`.'),
  index_ids: UsableIndexIds,
  ...shownBoundsFields,
  ...shownLimitsFields,
  created_at: z.iso.datetime().describe('When the key was created.'),
};

const creator = z.string().nullable().meta({
  description: 'Id of the user, API key or OAuth client that created it. It ends with its creator. Null if unknown.',
});

const exampleKey = {
  id: exampleId('key'),
  name: 'website',
  permissions: ['read'],
  index_ids: [exampleId('idx')],
  filter: null,
  id_prefix: null,
  rate_limits: null,
  in_flight: null,
  monthly_limits: null,
  expires_at: null,
  created_at: exampleTime,
};

const ExpiresAt = z.iso.datetime().nullable().describe('When the key expires; null for never.');

export const ApiKeyCreated = z
  .object({
    ...shared,
    token: z.string().describe('Value of the key, returned only once.'),
    expires_at: ExpiresAt,
  })
  .meta({
    id: 'ApiKeyCreated',
    description: 'A created API key with its value.',
    examples: [{ ...exampleKey, token: 'svc_live_exampleexampleexample' }],
  });

export const ApiKeyResponse = z
  .object({
    ...shared,
    prefix: z.string().describe('First 16 characters of the value, to recognize the key.'),
    expires_at: ExpiresAt,
    revoked_at: z.iso.datetime().nullable().describe('When the key was revoked; null if it was not.'),
    last_used_at: z.iso
      .datetime()
      .nullable()
      .describe(
        'When the key was last used, up to an hour too early: the first use of the last hour (UTC) with a use. Null if no use is known.',
      ),
    created_by: creator,
  })
  .meta({
    id: 'ApiKeyResponse',
    description: 'An API key without its value.',
    examples: [
      {
        ...exampleKey,
        prefix: 'svc_live_example',
        revoked_at: null,
        last_used_at: exampleTime,
        created_by: exampleId('usr'),
      },
    ],
  });

export const SessionResponse = z
  .object({
    id: z.string().describe('Id of the session.'),
    created_at: z.iso.datetime().describe('When the session was opened.'),
    expires_at: z.iso.datetime().describe('When the session expires.'),
    current: z.boolean().meta({ description: 'Whether this is the session of the request.' }),
    user_agent: z
      .string()
      .nullable()
      .meta({ description: '`user-agent` header of the client that opened the session.' }),
    application: z
      .string()
      .nullable()
      .meta({ description: 'Name of the application that was connected with the session; null if there is none.' }),
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
        application: null,
      },
    ],
  });

export const OAuthClientCreate = z.strictObject({ name, index_ids: IndexIds, ...boundsFields, ...limitsFields }).meta({
  id: 'OAuthClientCreate',
  description: 'An OAuth client to create.',
  examples: [{ name: 'nightly import', index_ids: null }],
});

const sharedByClients = {
  id: z.string().describe('Id of the client.'),
  name: z.string().describe('Display name.'),
  scopes: z.array(z.string()).describe('Scopes of access tokens of the client: `read`, `write`.'),
  index_ids: UsableIndexIds,
  ...shownBoundsFields,
  ...shownLimitsFields,
  created_at: z.iso.datetime().describe('When the client was created.'),
};

const exampleClient = {
  id: exampleId('oc'),
  name: 'nightly import',
  scopes: ['read', 'write'],
  index_ids: null,
  filter: null,
  id_prefix: null,
  rate_limits: null,
  in_flight: null,
  monthly_limits: null,
  created_at: exampleTime,
};

export const OAuthClientCreated = z
  .object({
    ...sharedByClients,
    client_id: z.string().describe('Id of the client, for token requests.'),
    client_secret: z.string().describe('Secret of the client, returned only once.'),
  })
  .meta({
    id: 'OAuthClientCreated',
    description: 'A created OAuth client with its secret.',
    examples: [{ ...exampleClient, client_id: exampleId('oc'), client_secret: 'example-client-secret' }],
  });

export const OAuthClientResponse = z
  .object({
    ...sharedByClients,
    prefix: z.string().describe('First 16 characters of the secret, to recognize the client.'),
    revoked_at: z.iso.datetime().nullable().describe('When the client was revoked; null if it was not.'),
    created_by: creator,
  })
  .meta({
    id: 'OAuthClientResponse',
    description: 'An OAuth client without its secret.',
    examples: [{ ...exampleClient, prefix: 'example-client-s', revoked_at: null, created_by: exampleId('usr') }],
  });

export const TokenRequest = z
  .object({
    grant_type: z.string().meta({
      description: '`client_credentials`, `authorization_code` or `refresh_token`',
      examples: ['client_credentials'],
    }),
    scope: z
      .string()
      .optional()
      .meta({ description: 'Requested scopes of the client, separated by spaces. If absent: all of them.' }),
    client_id: z.string().optional().meta({
      description: 'Id of the client, here or by HTTP Basic. For a connected application: the URL of its metadata.',
    }),
    client_secret: z
      .string()
      .optional()
      .meta({ description: 'Secret of the client, here or by HTTP Basic, not both.' }),
    code: z.string().optional().meta({ description: 'Authorization code, for `authorization_code`.' }),
    redirect_uri: z.string().optional().meta({ description: 'As in the authorization request.' }),
    code_verifier: z.string().optional().meta({ description: 'Secret whose SHA-256 is the `code_challenge`.' }),
    refresh_token: z.string().optional().meta({ description: 'Last refresh token, for `refresh_token`.' }),
    resource: z.string().optional().meta({ description: 'If present, as in the authorization request.' }),
  })
  .meta({
    id: 'TokenRequest',
    description: 'Access token request. Sources: RFC 6749, 4.1.3, 4.4.2 and 6, and RFC 8707, 2.2.',
    examples: [{ grant_type: 'client_credentials', scope: 'read' }],
  });

export const TokenResponse = z
  .object({
    access_token: z.string().describe('Bearer value for requests of the client.'),
    token_type: z.literal('Bearer').describe('Always `Bearer`.'),
    expires_in: z.int().meta({ description: 'Lifetime of the token in seconds.' }),
    scope: z.string().describe('Scopes of the token, separated by spaces.'),
    refresh_token: z.string().optional().meta({
      description:
        'Value for the next access token, used once, and again within a minute for the same response; only for an application that a person connected.',
    }),
  })
  .meta({
    id: 'TokenResponse',
    description: 'An access token. Source: RFC 6749, 5.1.',
    examples: [
      { access_token: 'svc_at_exampleexampleexample', token_type: 'Bearer', expires_in: 3_600, scope: 'read' },
    ],
  });
