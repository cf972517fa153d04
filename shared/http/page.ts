import * as z from 'zod';
import { integerText } from './integer.ts';

/** Paging of a list: `limit` items after `cursor`, which is the `x-next-cursor` header of the page before. */
export const PageQuery = z.object({
  limit: integerText(1, 1000).optional(),
  cursor: z.string().max(2000).optional().meta({ description: 'The `x-next-cursor` header of the previous answer.' }),
});

const defaultLimit = 100;

/** The page that a query asks for. A cursor that this service did not give out starts anew. */
export const toPage = (
  query: z.output<typeof PageQuery>,
): { readonly limit: number; readonly after: string | null } => ({
  limit: query.limit ?? defaultLimit,
  after: query.cursor === undefined ? null : Buffer.from(query.cursor, 'base64url').toString('utf8'),
});

/** Headers of an answer that has a next page. */
export const nextCursor = (next: string | null): Readonly<Record<string, string>> =>
  next === null ? {} : { 'x-next-cursor': Buffer.from(next, 'utf8').toString('base64url') };
