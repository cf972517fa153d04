import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { MetadataFilter, SearchResponse, SearchResult } from '#client';
import { useSession } from '../session.tsx';
import { type FilterTest, filterOf, readFilterTests } from './filter-builder.tsx';

export const modes = ['hybrid', 'dense', 'sparse'] as const;
export type Mode = (typeof modes)[number];

export const fusions = ['default', 'rrf', 'weighted'] as const;

/** Search of the console. The address of a page contains what differs from the defaults. */
export interface SearchState {
  readonly q: string;
  readonly k: number;
  readonly filter: readonly FilterTest[];
  readonly exact: boolean;
  readonly rerank: boolean;
  readonly fusion: (typeof fusions)[number];
  readonly weight: number;
  readonly view: 'modes' | 'branches';
  /** Kind of search if two indexes are compared, and of the search that a passage was found by. */
  readonly mode: Mode;
  /** Index to compare with. */
  readonly other: string | null;
}

const defaults: SearchState = {
  q: '',
  k: 10,
  filter: [],
  exact: false,
  rerank: true,
  fusion: 'default',
  weight: 0.5,
  view: 'modes',
  mode: 'hybrid',
  other: null,
};

const numberIn = (value: unknown, min: number, max: number, otherwise: number): number =>
  typeof value === 'number' && value >= min && value <= max ? value : otherwise;

const oneOf = <const Value>(known: readonly Value[], value: unknown, otherwise: Value): Value =>
  known.find((each) => each === value) ?? otherwise;

/** Parameters of an address. Absent ones have their defaults. */
export type SearchParams = Partial<SearchState>;

/** Returns the parameters of a search, without those that have their defaults. */
export const paramsOf = (state: SearchState): SearchParams =>
  Object.fromEntries(
    Object.entries(state).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(defaults[name as keyof SearchState]),
    ),
  );

/** Reads the parameters of an address. Those that are not valid have their defaults. */
export const stateOf = (params: Readonly<Record<string, unknown>>): SearchState => {
  const { q, k, filter, exact, rerank, fusion, weight, view, mode, other } = params;
  return {
    // The router parses a text such as 42.
    q: typeof q === 'string' ? q : typeof q === 'number' || typeof q === 'boolean' ? String(q) : '',
    k: Math.floor(numberIn(k, 1, 100, defaults.k)),
    filter: readFilterTests(filter),
    exact: exact === true,
    rerank: rerank !== false,
    fusion: oneOf(fusions, fusion, 'default'),
    weight: numberIn(weight, 0, 1, defaults.weight),
    view: view === 'branches' ? view : 'modes',
    mode: oneOf(modes, mode, 'hybrid'),
    other: typeof other === 'string' ? other : null,
  };
};

/** Returns the parameters of an address that are those of a search. */
export const readSearchParams = (params: Readonly<Record<string, unknown>>): SearchParams => paramsOf(stateOf(params));

/** Whether a row is a chunk of a file, which has neighbours. Rows that a file supplies have ids of their own. */
export const isChunkOf = (jobId: string, row: string): boolean => row.startsWith(`${jobId}:`);

/** Parameters of the page of a file that shows a passage of it. */
export type PassageParams = SearchParams & {
  /** Id of the row. */
  readonly row?: string;
};

export const readPassageParams = (params: Readonly<Record<string, unknown>>): PassageParams => {
  const { row } = params;
  return { ...readSearchParams(params), ...(typeof row === 'string' && row !== '' ? { row } : {}) };
};

/** Returns the body of a search as a caller would send it. */
export const bodyOf = (mode: Mode, { q, k, filter, exact, rerank, fusion, weight }: SearchState) => {
  const conditions: MetadataFilter | undefined = filterOf(filter);
  return {
    text: q,
    top_k: k,
    include: ['text', 'metadata', 'explanation'] as const,
    ...(conditions === undefined ? {} : { filter: conditions }),
    ...(exact ? { exact } : {}),
    ...(mode === 'hybrid' ? { rerank: rerank ? {} : null } : {}),
    ...(mode === 'hybrid' && fusion !== 'default'
      ? { fusion: { method: fusion, ...(fusion === 'weighted' ? { dense_weight: weight } : {}) } }
      : {}),
  };
};

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
