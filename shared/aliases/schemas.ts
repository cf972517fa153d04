import * as z from 'zod';
import { exampleId, exampleTime } from '../http/examples.ts';
import { aliasPattern } from '../kernel/ids.ts';
import type { Alias } from './repository.ts';

/** Name of an alias. It never has the form of an id. */
export const AliasName = z.string().regex(aliasPattern, {
  error:
    'a name has 1 to 63 small letters, digits, hyphens and underscores, begins with a letter or digit, and is not like an id',
});

export const AliasPut = z.strictObject({ index_id: z.string().describe('Id of the index.') }).meta({
  id: 'AliasPut',
  description: 'The index of an alias.',
  examples: [{ index_id: exampleId('idx') }],
});

export const AliasResponse = z
  .object({
    name: z.string().describe('The name, which paths accept in place of an index id.'),
    index_id: z.string().describe('Id of its index.'),
    created_at: z.iso.datetime().describe('Creation time.'),
    updated_at: z.iso.datetime().describe('Time of the last change of its index.'),
  })
  .meta({
    id: 'AliasResponse',
    description: 'A name of an index.',
    examples: [{ name: 'handbook', index_id: exampleId('idx'), created_at: exampleTime, updated_at: exampleTime }],
  });

export const toAliasResponse = (alias: Alias): z.input<typeof AliasResponse> => ({
  name: alias.name,
  index_id: alias.indexId,
  created_at: alias.createdAt,
  updated_at: alias.updatedAt,
});
