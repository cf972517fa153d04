import * as z from 'zod';

const Permission = z.enum(['read', 'write']);

export const ApiKeyCreate = z
  .object({
    name: z.string().min(1).max(255),
    permissions: z.array(Permission).min(1).default(['read', 'write']),
    index_ids: z.array(z.string()).min(1).max(100).nullable().optional(),
    expires_at: z.iso.datetime({ offset: true }).nullable().optional(),
  })
  .meta({ id: 'ApiKeyCreate' });

const shared = {
  id: z.string(),
  name: z.string(),
  permissions: z.array(z.string()),
  index_ids: z.array(z.string()).nullable(),
  created_at: z.iso.datetime(),
};

export const ApiKeyCreated = z
  .object({ ...shared, token: z.string(), expires_at: z.iso.datetime().nullable() })
  .meta({ id: 'ApiKeyCreated' });

export const ApiKeyResponse = z
  .object({
    ...shared,
    prefix: z.string(),
    expires_at: z.iso.datetime().nullable(),
    revoked_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'ApiKeyResponse' });
