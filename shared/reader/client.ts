import * as z from 'zod';
import { capability, type Runtime } from '../kernel/capability.ts';
import { type IndexRecord, toIndexRef, type WireFoundRow } from '../indexes/index.ts';
import { FilterSchema } from '../platform/engine/filter.ts';
import { invoke } from '../platform/aws/invoke.ts';

const Ref = z.object({
  dimensions: z.number().int(),
  metric: z.enum(['cosine', 'euclidean']),
  nonFilterableKeys: z.array(z.string()),
  layers: z
    .tuple([z.object({ table: z.string(), version: z.number() })])
    .rest(z.object({ table: z.string(), version: z.number() })),
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
  fusion: Fusion,
});

/** What the reader of a region is asked. */
export const ReaderRequest = z.object({
  organization_id: z.string(),
  /** What embeds the index's text. */
  model: z.string(),
  ref: Ref,
  operation: z.discriminatedUnion('op', [
    SearchOperation,
    z.object({ op: z.literal('fetch'), ids: z.array(z.string()), include_vector: z.boolean() }),
    z.object({ op: z.literal('list'), after: z.string().nullable(), limit: z.number().int() }),
    z.object({ op: z.literal('count'), filter: FilterSchema.nullable() }),
    z.object({ op: z.literal('embed'), texts: z.array(z.string()) }),
  ]),
});
export type ReaderRequest = z.infer<typeof ReaderRequest>;
export type SearchOperation = z.infer<typeof SearchOperation>;

export interface WireHit {
  readonly row: WireFoundRow;
  readonly score: number;
  readonly ranks: { readonly dense: number | null; readonly sparse: number | null };
  readonly scores: { readonly dense: number | null; readonly sparse: number | null };
}

/** Answers of the reader by operation. */
export interface ReaderAnswers {
  readonly search: { readonly hits: readonly WireHit[]; readonly tokens: number };
  readonly fetch: { readonly rows: readonly WireFoundRow[] };
  readonly list: { readonly rows: readonly WireFoundRow[]; readonly next: string | null };
  readonly count: { readonly rows: number };
  readonly embed: { readonly vectors: readonly string[]; readonly tokens: number };
}

type Operation = ReaderRequest['operation'];

/** Asks the reader in the region of an index; reads at least the version that the record names. */
export interface Reader {
  ask<Op extends Operation>(index: IndexRecord, operation: Op): Promise<ReaderAnswers[Op['op']]>;
}

const openReaderClient = (runtime: Runtime): Reader => ({
  ask: async <Op extends Operation>(index: IndexRecord, operation: Op) => {
    const { dimensions, metric, nonFilterableKeys, layers } = toIndexRef(index);
    const request = {
      organization_id: index.organizationId,
      model: index.embeddingModel,
      ref: { dimensions, metric, nonFilterableKeys, layers },
      operation,
    };
    // The reader's own schema has made this answer.
    return (await invoke(runtime, index.region, 'index-reader', request)) as ReaderAnswers[Op['op']];
  },
});

export const readerInvoke = capability<Reader>(['reader.invoke'], openReaderClient);
