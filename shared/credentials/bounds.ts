import * as z from 'zod';
import type { Permission } from '../http/principal.ts';
import { type IndexRecord, isHiddenKey } from '../indexes/index.ts';
import { type ValidationProblem, valueProblem } from '../kernel/errors.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { RowBounds } from '../kernel/row-bounds.ts';
import { equalitiesOf, type Filter, filterKeys, FilterSchema, matchesAll } from '#engine';

const maxPrefixLength = 128;

/** Fields that bind a new credential to rows. */
export const boundsFields = {
  filter: FilterSchema.nullable()
    .optional()
    .describe(
      'Binds the credential to rows: it sees and changes only those that match, in its indexes. At most 2 KiB as JSON. Such a credential is refused with 403 where a request concerns more than rows and files. Null or absent for all rows.',
    ),
  id_prefix: z
    .string()
    .min(1)
    .max(maxPrefixLength)
    .nullable()
    .optional()
    .describe(
      'Beginning of the ids that a credential with `filter` may write; required with `write`. Ids that begin with it belong to the credential. End it with a separator, such as `acme:`.',
    ),
};

/** Fields of a response that show the rows a credential is bound to. */
export const shownBoundsFields = {
  filter: FilterSchema.nullable().describe('Filter of the rows that the credential is bound to; null for all rows.'),
  id_prefix: z.string().nullable().describe('Beginning of the ids that it may write; null for any.'),
};

/** Rows of a new credential. */
export interface BoundsInput {
  readonly filter?: Filter | null | undefined;
  readonly id_prefix?: string | null | undefined;
}

/** Maximum bytes of the filter of a credential as JSON, which every request reads. */
const maxFilterBytes = 2 * 1024;

/** Returns the problems of the rows that a new credential is bound to, as messages by their fields. */
export const boundsProblems = (
  {
    filter,
    id_prefix: idPrefix,
    permissions = [],
  }: BoundsInput & { readonly permissions?: readonly Permission[] | undefined },
  indexes: readonly IndexRecord[],
): readonly ValidationProblem[] => {
  const problem = (field: string, message: string) => [valueProblem(['body', field], message)];
  if (filter == null) return idPrefix == null ? [] : problem('id_prefix', 'an id_prefix needs a filter');
  const hidden = filterKeys(filter).find((key) => indexes.some((index) => isHiddenKey(index, key)));
  const path = Object.keys(equalitiesOf(filter as JsonObject)).find((key) => key.includes('.'));
  return [
    ...(matchesAll(filter) ? problem('filter', 'every row matches this filter: a condition is needed') : []),
    ...(Buffer.byteLength(JSON.stringify(filter)) > maxFilterBytes
      ? problem('filter', `the filter of a credential may have at most ${maxFilterBytes} bytes as JSON`)
      : []),
    ...(hidden === undefined ? [] : problem('filter', `'${hidden}' is not filterable in one of the indexes`)),
    ...(idPrefix == null && permissions.includes('write')
      ? problem('id_prefix', 'a credential with a filter and the permission write needs an id_prefix')
      : []),
    ...(idPrefix != null && path !== undefined
      ? problem('filter', `with an id_prefix, '${path}' may not be a path: use a key of the metadata`)
      : []),
  ];
};

/** Returns the rows that a new credential is bound to; null for all. */
export const boundsOf = ({ filter, id_prefix: idPrefix }: BoundsInput): RowBounds | null =>
  // The schema has checked that a filter is JSON.
  filter == null ? null : { filter: filter as JsonObject, idPrefix: idPrefix ?? null };

/** Returns the fields of a response that show the rows a credential is bound to. */
export const toShownBounds = (bounds: RowBounds | null) => ({
  filter: (bounds?.filter ?? null) as Filter | null,
  id_prefix: bounds?.idPrefix ?? null,
});
