import * as z from 'zod';
import type { IndexRecord } from '../indexes/index.ts';
import { decodeVector } from '../kernel/base64.ts';
import { textUses } from '../platform/models/port.ts';
import { type Ranked, RankingPlan, type StagedHit } from '../ranking/index.ts';
import {
  engineNames,
  type FacetCounts,
  type Filter,
  FilterSchema,
  analyzers,
  textLanguages,
  type MetadataDescription,
  type ValuesPage,
  type DifferencePage,
  type FoundRow,
  type Highlight,
} from '#engine';

const Ref = z.object({
  engine: z.enum(engineNames),
  dimensions: z.number().int(),
  metric: z.enum(['cosine', 'euclidean']),
  nonFilterableKeys: z.array(z.string()).readonly(),
  textLanguage: z.enum(textLanguages),
  analyzer: z.enum(analyzers).optional(),
  layers: z
    .tuple([z.object({ table: z.string(), version: z.number() })])
    .rest(z.object({ table: z.string(), version: z.number() }))
    .readonly(),
  manifest: z.string().optional(),
  expiresFrom: z.number().optional(),
  isPinned: z.boolean().optional(),
});

/** Base64 of little-endian float32. */
const WireVector = z.string().transform(decodeVector);
const Fusion = z.object({ method: z.enum(['rrf', 'weighted']), k: z.number(), denseWeight: z.number() });

const Highlighting = z.object({ fragments: z.number().int(), max_chars: z.number().int() });

const ContextOptions = z.object({
  before: z.number().int(),
  after: z.number().int(),
  unit: z.enum(['chunk', 'heading', 'page', 'file']),
  max_chars: z.number().int(),
});
export type ContextOptions = z.infer<typeof ContextOptions>;

const SearchOperation = z.object({
  op: z.literal('search'),
  mode: z.enum(['dense', 'sparse', 'hybrid']),
  text: z.string().nullable(),
  /** Null: the text is embedded. */
  vector: WireVector.nullable(),
  top_k: z.number().int(),
  filter: FilterSchema.nullable(),
  exact: z.boolean(),
  include_vector: z.boolean(),
  include_text: z.boolean(),
  include_metadata: z.boolean(),
  fusion: Fusion,
  /** Null: the hits of the engine are the results. */
  ranking: RankingPlan.nullable().default(null),
  /** Marks what the queries match in the texts of the hits. */
  highlight: Highlighting.nullable().default(null),
  /** Adds the text around the hits. */
  context: ContextOptions.nullable().default(null),
});

const RecallOperation = z.object({
  op: z.literal('recall'),
  /** Query vectors; null: stored ones are sampled. */
  vectors: z.array(WireVector).nullable(),
  /** Number of vectors to sample. */
  queries: z.number().int(),
  seed: z.number().int(),
  top_k: z.number().int(),
  /** Null: a filter is chosen that about one row in a hundred matches. */
  filter: FilterSchema.nullable(),
});

const ValuesOperation = z.object({
  op: z.literal('values'),
  key: z.string(),
  filter: FilterSchema.nullable(),
  contains: z.string().nullable(),
  limit: z.number().int(),
  /** Last value of the previous page as JSON. */
  after: z.string().nullable(),
});

/**
 * Request to the reader of a region, parsed from its wire form. A region is deployed before the functions that invoke
 * it, so a new field needs a default.
 */
export const ReaderRequest = z.object({
  organization_id: z.string(),
  /** Embedding model of the index. */
  model: z.string(),
  ref: Ref,
  operation: z.discriminatedUnion('op', [
    SearchOperation,
    RecallOperation,
    z.object({
      op: z.literal('fetch'),
      ids: z.array(z.string()),
      filter: FilterSchema.nullable(),
      include_vector: z.boolean(),
    }),
    z.object({
      op: z.literal('list'),
      after: z.string().nullable(),
      limit: z.number().int(),
      filter: FilterSchema.nullable(),
      include_vector: z.boolean(),
      /** Null: by id. `after` is the id of the last row of the page before. */
      order: z
        .object({ key: z.string(), direction: z.enum(['asc', 'desc']) })
        .nullable()
        .default(null),
    }),
    /** Chunks of a file in its order, without vectors. */
    z.object({
      op: z.literal('chunks'),
      job_id: z.string(),
      /** Chunk with half of the page before it. Null: the page begins after `after`, or with the first. */
      around: z.string().nullable(),
      after: z.string().nullable(),
      limit: z.number().int(),
      filter: FilterSchema.nullable(),
    }),
    /** Some rows without vectors, from all over the index if its engine can pick them. */
    z.object({ op: z.literal('sample'), count: z.number().int() }),
    z.object({ op: z.literal('diff'), after: z.string().nullable(), limit: z.number().int() }),
    z.object({ op: z.literal('count'), filter: FilterSchema.nullable() }),
    /** Kept versions, newest first. */
    z.object({
      op: z.literal('versions'),
      keep_days: z.number(),
      /** Time, RFC 3339, at which the newest of them had been written; null: now. */
      until: z.string().nullable(),
      /** Version before which they are; null: all. */
      before: z.number().nullable(),
      limit: z.number().int(),
      /** Whether their rows are counted. */
      counts_rows: z.boolean(),
    }),
    ValuesOperation,
    z.object({
      op: z.literal('describe'),
      /** Null: the keys of the top level. */
      keys: z.array(z.string()).nullable(),
      filter: FilterSchema.nullable(),
    }),
    z.object({ op: z.literal('embed'), texts: z.array(z.string()), use: z.enum(textUses).optional() }),
  ]),
  /** Filter of the rows that the caller may see; null: all. */
  within: FilterSchema.nullable().default(null),
});
export type ReaderRequest = z.infer<typeof ReaderRequest>;
export type SearchOperation = z.infer<typeof SearchOperation>;
export type RecallOperation = z.infer<typeof RecallOperation>;
export type FetchOperation = Extract<ReaderRequest['operation'], { readonly op: 'fetch' }>;
export type ChunksOperation = Extract<ReaderRequest['operation'], { readonly op: 'chunks' }>;
export type ListOperation = Extract<ReaderRequest['operation'], { readonly op: 'list' }>;

/** Text of a file around one or more hits. */
export interface FoundContext {
  readonly jobId: string;
  readonly filename: string | null;
  /** Rows of the text, in the order of the file. */
  readonly ids: readonly string[];
  /** Hits among them, best first. */
  readonly hitIds: readonly string[];
  readonly text: string;
  readonly pageStart: number | null;
  readonly pageEnd: number | null;
}

type RowOf<Vector> = Omit<FoundRow, 'vector'> & { readonly vector: Vector | null };
type HitOf<Vector> = Omit<StagedHit, 'row'> & {
  readonly row: RowOf<Vector>;
  /** Absent: none were requested. */
  readonly highlights?: readonly Highlight[];
  /** Number of its context. Null: it is no chunk of a file. Absent: none were requested. */
  readonly context?: number | null;
};

/** Reports of the stages of a search, beside its hits. */
export type RankingReport = Omit<Ranked, 'hits'> & {
  readonly facets: readonly FacetCounts[];
  /** Searches that were run. */
  readonly searches: number;
};

/** Latencies of a number of searches, in milliseconds. */
export interface Latencies {
  readonly p50_ms: number;
  readonly p95_ms: number;
}

/** Comparison of the default search with the exact one, over the same queries. */
export interface Comparison {
  readonly queries: number;
  /** Mean share of the exact hits that the default search finds; null if there was nothing to find. */
  readonly recall: number | null;
  /** Lowest recall of a query. */
  readonly lowest: number | null;
  readonly default_search: Latencies;
  readonly exact_search: Latencies;
}

export interface FilteredComparison extends Comparison {
  readonly filter: Filter;
  /** Rows that match the filter. */
  readonly matches: number;
}

export interface RecallMeasurement {
  /** Visible rows of the index. */
  readonly vectors: number;
  readonly unfiltered: Comparison;
  /** Null if no filter was given and none can be derived from the metadata. */
  readonly filtered: FilteredComparison | null;
  /** Number of searches. */
  readonly searches: number;
}

/** Responses of the reader by operation. Vectors have another type on the wire. */
export interface ReaderResponses<Vector = Float32Array> {
  readonly search: {
    readonly hits: readonly HitOf<Vector>[];
    readonly tokens: number;
    /** Absent: none were requested. */
    readonly contexts?: readonly FoundContext[];
    /** Absent if the operation has no stages. */
    readonly ranking?: RankingReport;
  };
  readonly recall: RecallMeasurement;
  readonly fetch: { readonly rows: readonly RowOf<Vector>[] };
  readonly list: { readonly rows: readonly RowOf<Vector>[]; readonly next: string | null };
  readonly chunks: {
    readonly rows: readonly RowOf<Vector>[];
    readonly next: string | null;
    /** Chunks of the file. */
    readonly total: number;
    /** Whether the chunk around which they are is one of them. */
    readonly isFound: boolean;
  };
  readonly sample: { readonly rows: readonly RowOf<Vector>[] };
  readonly diff: DifferencePage;
  readonly count: { readonly rows: number };
  readonly versions: {
    readonly versions: readonly {
      readonly version: number;
      /** RFC 3339 UTC. */
      readonly written_at: string;
      /** Null: they were not counted. */
      readonly rows: number | null;
    }[];
    /** Version before which the next page begins; null: there is none. */
    readonly next: number | null;
  };
  readonly values: ValuesPage;
  readonly describe: MetadataDescription;
  readonly embed: { readonly vectors: readonly Vector[]; readonly tokens: number };
}

export type Operation = ReaderRequest['operation'];

/** Limits of a read. */
export interface ReadOptions {
  /** Version to read in place of the last one. If it is no longer kept, the read is 410. */
  readonly version?: number | undefined;
  /** Filter of the rows that the caller may see. Default: all. */
  readonly within?: Filter | null;
}

/** Reads an index at the version in its record, or a newer one. Throws `unavailable`. */
export interface Reader {
  /** Whether this process reads the index itself, which costs no invocation. */
  isLocal(index: IndexRecord): boolean;
  execute<Op extends Operation>(
    index: IndexRecord,
    operation: Op,
    options?: ReadOptions,
  ): Promise<ReaderResponses[Op['op']]>;
}
