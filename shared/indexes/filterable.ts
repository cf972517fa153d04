import { AppError } from '../kernel/errors.ts';
import type { RowBounds } from '../kernel/row-bounds.ts';
import { filterKeys } from '#engine';
import type { IndexRecord } from './record.ts';

/** Whether an index hides a key of the metadata, or a path to a member, from filters. */
export const isHiddenKey = (
  { nonFilterableKeys = [] }: Partial<Pick<IndexRecord, 'nonFilterableKeys'>>,
  key: string,
): boolean => nonFilterableKeys.some((hidden) => key === hidden || key.startsWith(`${hidden}.`));

/** Throws 403 if an index hides keys by which credentials are bound to rows: no row can be compared with them. */
export const requireFilterable = (
  index: Partial<Pick<IndexRecord, 'nonFilterableKeys'>>,
  { filter }: RowBounds,
): void => {
  const hidden = filterKeys(filter).find((key) => isHiddenKey(index, key));
  if (hidden !== undefined)
    throw new AppError(
      'index_not_allowed',
      `These credentials are bound by '${hidden}', which this index does not filter`,
    );
};

/** Returns why a row with this id may not be written within bounds; null if it may. */
export const prefixProblem = (id: string, { idPrefix }: RowBounds): string | null => {
  if (idPrefix !== null && id.startsWith(idPrefix)) return null;
  return idPrefix === null
    ? 'these credentials have no id_prefix, so they write no rows'
    : `the id must begin with '${idPrefix}', the id_prefix of these credentials`;
};
