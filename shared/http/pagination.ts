import { isUtf8 } from 'node:buffer';
import * as z from 'zod';
import { ValidationFailure, valueProblem } from '../kernel/errors.ts';
import type { IdPrefix } from '../kernel/ids.ts';
import { integerText } from './schema-helpers.ts';

/** Limit of the key in a cursor. The longest key is the id of a vector, of up to 512 characters. */
const maxKeyBytes = 2048;

/** Decodes a cursor; null for a text that `nextCursorHeader` did not create. */
export const readCursor = (cursor: string): string | null => {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length === 0 || bytes.length > maxKeyBytes || !isUtf8(bytes)) return null;
  return bytes.toString('base64url') === cursor ? bytes.toString('utf8') : null;
};

const Limit = integerText(1, 1000).meta({ description: 'Maximum number of items on the page.' });

/** Problem of a cursor that a list has not returned. */
export const invalidCursor = 'this is not a cursor of an earlier response';

/** Schema of a cursor whose key has a form. It refuses cursors of other lists. */
export const cursorOf = (form: RegExp) =>
  z
    .string()
    .max(3000)
    .refine((cursor) => form.test(readCursor(cursor) ?? ''), { error: invalidCursor })
    .optional()
    .meta({ description: 'Value of the header `x-next-cursor` of the previous page.' });

/** Query of a paginated list: `limit` items after `cursor`, which is the `x-next-cursor` header of the previous page. */
export const PageQuery = z.strictObject({ limit: Limit.default(100), cursor: cursorOf(/./su) });

const keyForm = (prefix: IdPrefix, order: 'by id' | 'by time'): RegExp =>
  new RegExp(`^${order === 'by time' ? '\\S+ ' : ''}${prefix}_[0-9a-z]{26}$`);

/** Query of a paginated list of resources with an id prefix, in order of their ids or of a time. */
export const pageQueryOf = (prefix: IdPrefix, order: 'by id' | 'by time' = 'by id') =>
  PageQuery.extend({ cursor: cursorOf(keyForm(prefix, order)) });

/** Throws 422 for a cursor of another list. For lists whose storage is chosen after the validation of the query. */
export const requireCursorOf = (prefix: IdPrefix, after: string | null): void => {
  if (after !== null && !keyForm(prefix, 'by id').test(after))
    throw new ValidationFailure([valueProblem(['query', 'cursor'], invalidCursor)]);
};

/** Query of a short list by position, which is returned as a whole if there is no `limit`. */
export const OptionalPageQuery = PageQuery.extend({
  limit: Limit.optional().meta({ description: 'Maximum number of items on the page. If absent: all items.' }),
  cursor: cursorOf(/^\d+$/),
});

/** Converts a query to a page request. */
export const toPageRequest = ({
  limit,
  cursor,
}: z.output<typeof PageQuery>): { readonly limit: number; readonly after: string | null } => ({
  limit,
  after: cursor === undefined ? null : readCursor(cursor),
});

/** Returns the header `x-next-cursor`; none on the last page. */
export const nextCursorHeader = (next: string | null): Readonly<Record<string, string>> =>
  next === null ? {} : { 'x-next-cursor': Buffer.from(next, 'utf8').toString('base64url') };

/**
 * Returns one page of a list in memory, which is sorted by `keyOf`.
 * @param page Result of `toPageRequest`; `after` is the key of the last item of the previous page.
 */
export const paginate = <Item>(
  list: readonly Item[],
  keyOf: (item: Item) => string,
  { limit, after }: { readonly limit: number; readonly after: string | null },
  order: 'ascending' | 'descending' = 'ascending',
): { readonly items: readonly Item[]; readonly next: string | null } => {
  const rest =
    after === null ? list : list.filter((item) => (order === 'ascending' ? keyOf(item) > after : keyOf(item) < after));
  const items = rest.slice(0, limit);
  const last = items.at(-1);
  return { items, next: last === undefined || rest.length <= limit ? null : keyOf(last) };
};
