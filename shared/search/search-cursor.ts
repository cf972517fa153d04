import { createHash } from 'node:crypto';
import { serviceSealer } from '../db/service-key.ts';
import type { Principal } from '../http/principal.ts';
import { type IndexRecord, requireFeature } from '../indexes/index.ts';
import { capability } from '../kernel/capability.ts';
import { AppError, invalid } from '../kernel/errors.ts';
import { lazy } from '../kernel/memoize.ts';
import { hasFeature } from '#engine';
import type { Found, SearchInput } from './execute-search.ts';
import type { StageSettings } from './resolve-ranking.ts';
import { SearchPage } from './search-page.ts';

export interface SearchCursors {
  /** Encrypts a page, so that only a request with the same context can read it. */
  seal(page: SearchPage, context: string): Promise<string>;
  /** Returns null for a text that is no cursor of this context. */
  open(cursor: string, context: string): Promise<SearchPage | null>;
}

export const searchCursors = capability<SearchCursors>(['keys.use'], (runtime) => {
  const sealer = lazy(() => serviceSealer(runtime, 'search-cursor'));
  return {
    seal: async (page, context) => (await sealer()).seal(JSON.stringify(page), context),
    open: async (cursor, context) => {
      const opened = await sealer();
      try {
        return SearchPage.parse(JSON.parse(opened.open(cursor, context)));
      } catch {
        return null;
      }
    },
  };
});

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
  cursors: SearchCursors,
  caller: Principal,
  index: IndexRecord,
  input: SearchInput,
): Promise<SearchPage | null> => {
  if (input.cursor === undefined) return null;
  requireFeature(index, 'search_cursors');
  const page = await cursors.open(input.cursor, contextOf(caller, index));
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
  cursors: SearchCursors,
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
  return cursors.seal(next, contextOf(caller, index));
};
