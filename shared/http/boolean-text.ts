import * as z from 'zod';

/** A boolean as it stands in a query. */
export const booleanText = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .meta({ jsonSchema: { type: 'boolean' } });
