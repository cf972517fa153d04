import type { MetadataFilter } from '#client';
import { type FilterTest, filterOf, readFilterTests } from './filter-tests.ts';

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
