import * as z from 'zod';
import { FileReplacement } from '../../../shared/files/index.ts';
import { boundedMap, integerText } from '../../../shared/http/schema-helpers.ts';
import { idPattern } from '../../../shared/kernel/ids.ts';
import { maxParts } from '../../../shared/openai-files/index.ts';

/** Entries of attributes and metadata. Source: OpenAI API reference. */
const maxEntries = 16;

const Name = z.string().min(1).max(64);

/** Attributes of a file in a store. The limits are those of the OpenAI API. */
export const Attributes = boundedMap(
  z.record(
    Name.refine((name) => !ownKeys.has(name), {
      error: 'file_id, chunk_size and chunk_overlap are names of the service',
    }),
    z.union([z.string().max(512), z.number(), z.boolean()]),
  ),
  maxEntries,
);

/** Metadata names that attached files have in an index besides their attributes. */
export const ownKeys: ReadonlySet<string> = new Set(['file_id', 'chunk_size', 'chunk_overlap']);

const StoreMetadata = boundedMap(z.record(Name, z.string().max(512)), maxEntries);

const ChunkingStrategy = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('auto') }),
  z.strictObject({
    type: z.literal('static'),
    static: z
      .strictObject({
        max_chunk_size_tokens: z.int().min(100).max(4096),
        chunk_overlap_tokens: z.int().min(0),
      })
      .refine((size) => size.chunk_overlap_tokens * 2 <= size.max_chunk_size_tokens, {
        error: 'the overlap may be half of the size at most',
      }),
  }),
]);
export type ChunkingStrategy = z.output<typeof ChunkingStrategy>;

/** Field of the OpenAI API that must be absent or null. */
const unsupported = (message: string) =>
  z
    .unknown()
    .refine((value) => value == null, { error: message })
    .optional();

const noExpiry = unsupported('files and vector stores do not expire');

const FileId = z.string().min(1).max(64);
/** Maximum files of a request. */
export const maxFiles = 100;

const attach = {
  attributes: Attributes.nullish(),
  chunking_strategy: ChunkingStrategy.nullish(),
};

export const StoreCreate = z.strictObject({
  name: z.string().min(1).max(255).nullish(),
  description: z.string().max(512).nullish(),
  file_ids: z.array(FileId).max(maxFiles).nullish(),
  metadata: StoreMetadata.nullish(),
  chunking_strategy: ChunkingStrategy.nullish(),
  expires_after: noExpiry,
});

export const StoreUpdate = z.strictObject({
  name: z.string().min(1).max(255).nullish(),
  metadata: StoreMetadata.nullish(),
  expires_after: noExpiry,
});

export const FileAttach = z.strictObject({ file_id: FileId, ...attach });
export const FileUpdate = z.strictObject({ attributes: Attributes.nullable() });

export const BatchCreate = z
  .strictObject({
    file_ids: z.array(FileId).min(1).max(maxFiles).nullish(),
    files: z.array(FileAttach).min(1).max(maxFiles).nullish(),
    ...attach,
  })
  .refine(({ file_ids: ids, files }) => (ids == null) !== (files == null), {
    error: 'give either file_ids or files',
  });

export const Search = z.strictObject({
  query: z.union([z.string().min(1), z.array(z.string().min(1)).min(1).max(16)], { error: 'give up to 16 queries' }),
  filters: z.unknown().optional(),
  max_num_results: z.int().min(1).max(50).nullish(),
  ranking_options: z
    .strictObject({
      ranker: z.string().nullish(),
      score_threshold: z.number().min(0).max(1).nullish(),
      hybrid_search: z
        .strictObject({ embedding_weight: z.number().min(0).max(1_000), text_weight: z.number().min(0).max(1_000) })
        .refine((weights) => weights.embedding_weight + weights.text_weight > 0, {
          error: 'one weight must be above 0',
        })
        .nullish(),
    })
    .nullish(),
  // Queries are never rewritten, so it has no effect.
  rewrite_query: z.boolean().nullish(),
});

/** Purposes that files can have. */
export const purposes = ['assistants', 'user_data'] as const;

const Purpose = z.enum(purposes, { error: `The purpose of a file is ${purposes.join(' or ')}` });

export const FileForm = z.strictObject({
  file: z.instanceof(File, { error: 'the field must be a file' }),
  purpose: Purpose,
  'expires_after[anchor]': noExpiry,
  'expires_after[seconds]': noExpiry,
});

export const PartForm = z.strictObject({ data: z.union([z.instanceof(File), z.string()]) });

export const UploadCreate = z.strictObject({
  filename: FileReplacement.shape.filename,
  mime_type: FileReplacement.shape.content_type,
  bytes: z.int().min(1),
  purpose: Purpose,
  expires_after: noExpiry,
});

export const UploadComplete = z.strictObject({
  part_ids: z
    .array(z.string().max(64).regex(idPattern('part')))
    .min(1)
    .max(maxParts),
  md5: z.string().max(64).nullish(),
});

/** Items of a page if a request gives no number. */
export const usualPage = 20;
/** Maximum stores on a page. */
export const maxStores = 100;

const oneDirection = {
  error: 'a page has either after or before',
  path: ['before'],
};

/** Query of a list, whose items have ids of a form. */
const pageFields = (maximum: number, id: RegExp) => {
  const Id = z.string().max(64).regex(id, { error: 'this is not the id of an item of this list' });
  return {
    limit: integerText(1, maximum).default(usualPage),
    order: z.enum(['asc', 'desc']).default('desc'),
    after: Id.optional(),
    before: Id.optional(),
  };
};

const hasOneDirection = ({ after, before }: { readonly after?: unknown; readonly before?: unknown }): boolean =>
  after === undefined || before === undefined;

const storeFileId = new RegExp(`${idPattern('file').source}|${idPattern('job').source}`);

/** Purposes of OpenAI. Only those that can be uploaded here have files. */
const knownPurposes = [
  ...purposes,
  'assistants_output',
  'batch',
  'batch_output',
  'evals',
  'fine-tune',
  'fine-tune-results',
  'vision',
] as const;

export const FileListQuery = z
  .strictObject({ ...pageFields(10_000, idPattern('file')), purpose: z.enum(knownPurposes).optional() })
  .refine(hasOneDirection, oneDirection);

export const StoreListQuery = z
  .strictObject(pageFields(maxStores, idPattern('idx')))
  .refine(hasOneDirection, oneDirection);

export const StoreFileListQuery = z
  .strictObject({
    ...pageFields(100, storeFileId),
    filter: z.enum(['in_progress', 'completed', 'failed', 'cancelled']).optional(),
  })
  .refine(hasOneDirection, oneDirection);

export type PageQuery = z.output<typeof StoreListQuery>;
