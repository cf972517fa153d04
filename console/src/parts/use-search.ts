import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { SearchResponse, SearchResult } from '#client';
import { useSession } from '../session.tsx';
import { bodyOf, type Mode, type SearchState } from './search-params.ts';

/** Runs a search once. Pages of the same search share its response, so that a way back shows the same results. */
export const useResults = (indexId: string, mode: Mode, state: SearchState, enabled = true) => {
  const { client, organization } = useSession();
  const body = bodyOf(mode, state);
  return useQuery({
    queryKey: [organization.organization_id, 'search', indexId, mode, body],
    enabled: enabled && state.q.trim() !== '',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 30 * 60_000,
    queryFn: ({ signal }): Promise<SearchResponse> => {
      const init = {
        params: { path: { index_id: indexId } },
        body: {
          ...body,
          include: [...body.include, 'scores' as const, 'citation' as const],
          highlight: { fragments: 10, max_chars: 2_000 },
          context: null,
        },
        signal,
      };
      if (mode === 'dense') return client.post('/v1/indexes/{index_id}/search/dense', init);
      if (mode === 'sparse') return client.post('/v1/indexes/{index_id}/search/sparse', init);
      return client.post('/v1/indexes/{index_id}/search/hybrid', init);
    },
  });
};

export type Results = ReturnType<typeof useResults>;

/** Returns the chunks of a file around one of them, with their places. */
export const useChunksAround = (indexId: string, jobId: string, row: string) => {
  const { client, organization } = useSession();
  return useQuery({
    queryKey: [organization.organization_id, 'chunks around', indexId, jobId, row],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      client.get('/v1/indexes/{index_id}/files/{job_id}/chunks', {
        params: {
          path: { index_id: indexId, job_id: jobId },
          query: { around: row, limit: 9, include_citations: true },
        },
        signal,
      }),
  });
};

/** Part of a text in code points: `[start, end)`. */
export type Mark = readonly [start: number, end: number];

/** Returns what the query matches in the text of a result. */
export const marksOf = ({ highlights }: Pick<SearchResult, 'highlights'>): readonly Mark[] =>
  (highlights ?? []).flatMap(({ marks }) => marks.map(([start = 0, end = 0]): Mark => [start, end]));
