import * as z from 'zod';

/** Attributes of a file in a store. The limits are those of the OpenAI API. */
export const Attributes = z
  .record(z.string().min(1).max(64), z.union([z.string().max(512), z.number(), z.boolean()]))
  .refine((attributes) => Object.keys(attributes).length <= 16, { error: 'at most 16 attributes' })
  .refine((attributes) => !Object.keys(attributes).some((name) => ownKeys.has(name)), {
    error: 'file_id, chunk_size and chunk_overlap are names of the service',
  });

/** Metadata names that attached files have in an index besides their attributes. */
export const ownKeys: ReadonlySet<string> = new Set(['file_id', 'chunk_size', 'chunk_overlap']);

const StoreMetadata = z
  .record(z.string().min(1).max(64), z.string().max(512))
  .refine((metadata) => Object.keys(metadata).length <= 16, { error: 'at most 16 keys' });

const ChunkingStrategy = z.discriminatedUnion('type', [
  z.object({ type: z.literal('auto') }),
  z.object({
    type: z.literal('static'),
    static: z
      .object({
        max_chunk_size_tokens: z.int().min(100).max(4096),
        chunk_overlap_tokens: z.int().min(0),
      })
      .refine((size) => size.chunk_overlap_tokens * 2 <= size.max_chunk_size_tokens, {
        error: 'the overlap may be half of the size at most',
      }),
  }),
]);
export type ChunkingStrategy = z.output<typeof ChunkingStrategy>;

const FileId = z.string().min(1).max(64);
const unsupportedField = z.null().optional();

const attach = {
  attributes: Attributes.nullish(),
  chunking_strategy: ChunkingStrategy.nullish(),
};

/** Bodies of requests. A field that the service does not support must be absent or null. */
export const StoreCreate = z.object({
  name: z.string().min(1).max(255).nullish(),
  description: z.string().nullish(),
  file_ids: z.array(FileId).max(100).nullish(),
  metadata: StoreMetadata.nullish(),
  chunking_strategy: ChunkingStrategy.nullish(),
  expires_after: unsupportedField,
});

export const StoreUpdate = z.object({
  name: z.string().min(1).max(255).nullish(),
  metadata: StoreMetadata.nullish(),
  expires_after: unsupportedField,
});

export const FileAttach = z.object({ file_id: FileId, ...attach });
export const FileUpdate = z.object({ attributes: Attributes.nullable() });

export const BatchCreate = z
  .object({
    file_ids: z.array(FileId).min(1).max(100).nullish(),
    files: z.array(FileAttach).min(1).max(100).nullish(),
  })
  .extend(attach)
  .refine(({ file_ids: ids, files }) => (ids == null) !== (files == null), {
    error: 'give either file_ids or files',
  });

export const Search = z.object({
  query: z.union([z.string().min(1), z.array(z.string().min(1)).length(1)]),
  filters: z.unknown().optional(),
  max_num_results: z.int().min(1).max(50).nullish(),
  ranking_options: z
    .object({ ranker: z.string().optional(), score_threshold: z.number().min(0).max(1).optional() })
    .nullish(),
  rewrite_query: z.literal(false).nullish(),
});
