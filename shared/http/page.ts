import { isUtf8 } from 'node:buffer';
import * as z from 'zod';
import { ValidationFailure, valueProblem } from '../kernel/errors.ts';
import type { IdPrefix } from '../kernel/ids.ts';
import { integerText } from './integer.ts';

/** Longest that a page can end with: the id of a vector, of up to 512 characters. */
const longestKeyBytes = 2048;

/** What a cursor stands for; null for text that was never made by `nextCursor`. */
const readCursor = (cursor: string): string | null => {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length === 0 || bytes.length > longestKeyBytes || !isUtf8(bytes)) return null;
  return bytes.toString('base64url') === cursor ? bytes.toString('utf8') : null;
};

const Limit = integerText(1, 1000).meta({ description: 'Items of the page.' });

const wrongCursor = 'this is no cursor of an earlier answer';

/** A cursor that stands for a key of this form: one of another list begins nowhere in this one. */
export const cursorTo = (form: RegExp) =>
  z
    .string()
    .max(3000)
    .refine((cursor) => form.test(readCursor(cursor) ?? ''), { error: wrongCursor })
    .optional()
    .meta({ description: 'The `x-next-cursor` header of the previous page.' });

/** Paging of a list: `limit` items after `cursor`, which is the `x-next-cursor` header of the page before. */
export const PageQuery = z.object({ limit: Limit.default(100), cursor: cursorTo(/./su) });

const keyForm = (prefix: IdPrefix, order: 'by id' | 'by time'): RegExp =>
  new RegExp(`^${order === 'by time' ? '\\S+ ' : ''}${prefix}_[0-9a-z]{26}$`);

/** Paging of a list of things with such ids, in order of these or of a time. */
export const pagesOf = (prefix: IdPrefix, order: 'by id' | 'by time' = 'by id') =>
  PageQuery.extend({ cursor: cursorTo(keyForm(prefix, order)) });

/** Refuses the end of a page that is none of a list of things with such ids, where the list is chosen late. Throws 422. */
export const requirePageEnd = (prefix: IdPrefix, after: string | null): void => {
  if (after !== null && !keyForm(prefix, 'by id').test(after))
    throw new ValidationFailure([valueProblem(['query', 'cursor'], wrongCursor)]);
};

/** Paging of a list by numbers that is short enough to be given as a whole where nobody asks for less. */
export const WholeQuery = PageQuery.extend({
  limit: Limit.optional().meta({ description: 'All items, if absent.' }),
  cursor: cursorTo(/^\d+$/),
});

/** The page that a query asks for. */
export const toPage = ({
  limit,
  cursor,
}: z.output<typeof PageQuery>): { readonly limit: number; readonly after: string | null } => ({
  limit,
  after: cursor === undefined ? null : readCursor(cursor),
});

/** Headers of an answer that has a next page. */
export const nextCursor = (next: string | null): Readonly<Record<string, string>> =>
  next === null ? {} : { 'x-next-cursor': Buffer.from(next, 'utf8').toString('base64url') };

/**
 * One page of a list that is at hand as a whole and sorted by `keyOf`, ascending or descending.
 * @param page as `toPage` gives it; `after` is the key of the last item of the page before.
 */
export const pageOf = <Thing>(
  things: readonly Thing[],
  keyOf: (thing: Thing) => string,
  { limit, after }: { readonly limit: number; readonly after: string | null },
  order: 'ascending' | 'descending' = 'ascending',
): { readonly items: readonly Thing[]; readonly next: string | null } => {
  const rest =
    after === null
      ? things
      : things.filter((thing) => (order === 'ascending' ? keyOf(thing) > after : keyOf(thing) < after));
  const items = rest.slice(0, limit);
  const last = items.at(-1);
  return { items, next: last === undefined || rest.length <= limit ? null : keyOf(last) };
};
