import * as z from 'zod';
import type { IndexRecord, WireFoundRow } from '../indexes/index.ts';
import { type Filter, FilterSchema } from '../platform/engine/filter.ts';
import { defaultTextLanguage, textLanguages } from '../platform/engine/text-language.ts';
import type { DifferencePage, Hit } from '../platform/engine/port.ts';

const Ref = z.object({
  dimensions: z.number().int(),
  metric: z.enum(['cosine', 'euclidean']),
  nonFilterableKeys: z.array(z.string()).readonly(),
  textLanguage: z.enum(textLanguages).default(defaultTextLanguage),
  layers: z
    .tuple([z.object({ table: z.string(), version: z.number() })])
    .rest(z.object({ table: z.string(), version: z.number() }))
    .readonly(),
  unchanged: z.object({ from: z.number(), to: z.number() }).optional(),
});

const Base64Vector = z.string();
const Fusion = z.object({ method: z.enum(['rrf', 'weighted']), k: z.number(), denseWeight: z.number() });

const SearchOperation = z.object({
  op: z.literal('search'),
  mode: z.enum(['dense', 'sparse', 'hybrid']),
  text: z.string().nullable(),
  /** Null: the text is embedded. */
  vector: Base64Vector.nullable(),
  top_k: z.number().int(),
  filter: FilterSchema.nullable(),
  exact: z.boolean(),
  include_vector: z.boolean(),
  include_text: z.boolean().default(true),
  include_metadata: z.boolean().default(true),
  fusion: Fusion,
});

const RecallOperation = z.object({
  op: z.literal('recall'),
  /** Vectors to ask with; null: stored ones are drawn. */
  vectors: z.array(Base64Vector).nullable(),
  /** Vectors to draw. */
  queries: z.number().int(),
  seed: z.number().int(),
  top_k: z.number().int(),
  /** Null: one is made that about one row in a hundred matches. */
  filter: FilterSchema.nullable(),
});

/**
 * What the reader of a region is asked. A region is deployed before the functions that ask it, so what is added needs a
 * default.
 */
export const ReaderRequest = z.object({
  organization_id: z.string(),
  /** What embeds the index's text. */
  model: z.string(),
  ref: Ref,
  operation: z.discriminatedUnion('op', [
    SearchOperation,
    RecallOperation,
    z.object({ op: z.literal('fetch'), ids: z.array(z.string()), include_vector: z.boolean() }),
    z.object({
      op: z.literal('list'),
      after: z.string().nullable(),
      limit: z.number().int(),
      include_vector: z.boolean().default(false),
    }),
    z.object({ op: z.literal('diff'), after: z.string().nullable(), limit: z.number().int() }),
    z.object({ op: z.literal('count'), filter: FilterSchema.nullable() }),
    z.object({ op: z.literal('embed'), texts: z.array(z.string()) }),
  ]),
});
export type ReaderRequest = z.infer<typeof ReaderRequest>;
export type SearchOperation = z.infer<typeof SearchOperation>;
export type RecallOperation = z.infer<typeof RecallOperation>;
export type ListOperation = Extract<ReaderRequest['operation'], { readonly op: 'list' }>;

/** A hit as it travels. */
export type WireHit = Omit<Hit, 'row'> & { readonly row: WireFoundRow };

/** Half and nearly all of a number of searches took at most this long. */
export interface Latencies {
  readonly p50_ms: number;
  readonly p95_ms: number;
}

/** The default search beside the exact one, over the same queries. */
export interface Comparison {
  readonly queries: number;
  /** Mean share of the exact hits that the default search finds; null where there was nothing to find. */
  readonly recall: number | null;
  /** The lowest recall of one query. */
  readonly lowest: number | null;
  readonly default_search: Latencies;
  readonly exact_search: Latencies;
}

export interface FilteredComparison extends Comparison {
  readonly filter: Filter;
  /** Rows that match the filter. */
  readonly matches: number;
}

export interface RecallMeasured {
  /** Rows that the index shows. */
  readonly vectors: number;
  readonly unfiltered: Comparison;
  /** Null where no filter was given and the metadata gives none. */
  readonly filtered: FilteredComparison | null;
  /** Searches that were made. */
  readonly searches: number;
}

/** Answers of the reader by operation. */
export interface ReaderAnswers {
  readonly search: { readonly hits: readonly WireHit[]; readonly tokens: number };
  readonly recall: RecallMeasured;
  readonly fetch: { readonly rows: readonly WireFoundRow[] };
  readonly list: { readonly rows: readonly WireFoundRow[]; readonly next: string | null };
  readonly diff: DifferencePage;
  readonly count: { readonly rows: number };
  readonly embed: { readonly vectors: readonly string[]; readonly tokens: number };
}

export type Operation = ReaderRequest['operation'];

/** Reads an index as of the version that its record names, or a newer one. Throws `unavailable`. */
export interface Reader {
  /** Whether this process reads the index itself, so that asking for it costs no invocation. */
  isNear(index: IndexRecord): boolean;
  ask<Op extends Operation>(index: IndexRecord, operation: Op): Promise<ReaderAnswers[Op['op']]>;
}
