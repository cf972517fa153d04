import { createHash } from 'node:crypto';
import { type SealedCursors, sealedCursors } from '../db/sealed-cursors.ts';
import type { Principal } from '../http/principal.ts';
import { type IndexRecord, requireFeature } from '../indexes/index.ts';
import { AppError, invalid } from '../kernel/errors.ts';
import { hasFeature } from '#engine';
import type { Found, SearchInput } from './execute-search.ts';
import type { StageSettings } from './resolve-ranking.ts';
import { SearchPage } from './search-page.ts';

export const searchCursors = sealedCursors('search-cursor');

const readPage = (position: string | null): SearchPage | null => {
  try {
    return position === null ? null : SearchPage.parse(JSON.parse(position));
  } catch {
    return null;
  }
};

const hashOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('base64url');

const contextOf = ({ organizationId, kind, subjectId }: Principal, { id }: IndexRecord): string =>
  JSON.stringify([organizationId, kind, subjectId, id]);

/** Identifies what all pages of a search have in common. */
const searchOf = (input: SearchInput, { id, searchDefaults, layers: [{ table }] }: IndexRecord) => ({
  request: hashOf({ ...input, cursor: null }),
  // A rebuild gives the index another table, which has versions of its own.
  defaults: hashOf(table === id ? searchDefaults : [searchDefaults, table]),
});

/** Returns the page of a search with a cursor. Null: it has none. Throws 409, 410 and 422. */
export const openPage = async (
  cursors: SealedCursors,
  caller: Principal,
  index: IndexRecord,
  input: SearchInput,
): Promise<SearchPage | null> => {
  if (input.cursor === undefined) return null;
  requireFeature(index, 'search_cursors');
  const page = readPage(await cursors.open(input.cursor, contextOf(caller, index)));
  if (page === null)
    throw invalid(['body', 'cursor'], 'this is no `next_cursor` that this credential has received for this index');
  const { request, defaults } = searchOf(input, index);
  if (page.request !== request)
    throw invalid(
      ['body', 'cursor'],
      'this cursor belongs to another search: send it with the request of the first page',
    );
  if (page.defaults !== defaults)
    throw new AppError(
      'cursor_expired',
      'The search defaults or the content of the index have changed since the first page. Begin with the first page',
    );
  return page;
};

/** Returns the cursor of the page after a found one. Null: there is none. */
export const nextCursor = async (
  cursors: SealedCursors,
  caller: Principal,
  index: IndexRecord,
  input: SearchInput,
  ranking: NonNullable<Found['ranking']>,
  { page, nowMs, models }: StageSettings,
): Promise<string | null> => {
  const { hasMore, depth, rerank } = ranking;
  const isRemote = models.some(({ id, runs }) => id === rerank?.model && runs === 'remote');
  if (!hasMore || isRemote || !hasFeature(index.engine, 'search_cursors')) return null;
  const next: SearchPage = {
    version: page?.version ?? index.layers[0].version,
    offset: (page?.offset ?? input.offset ?? 0) + input.top_k,
    depth,
    nowMs,
    rerank: rerank === null ? null : (rerank.reason ?? 'done'),
    ...searchOf(input, index),
  };
  return cursors.seal(JSON.stringify(next), contextOf(caller, index));
};
