import * as z from 'zod';
import { maxDimensions } from '../kernel/bounds.ts';
import { embeddingProviders } from '../kernel/config.ts';
import { ParsedObject } from '../kernel/json-schema.ts';
import { TtlSeconds } from '../http/expiry.ts';
import { integer, whenObject } from '../http/schema-helpers.ts';
import { exampleId, exampleTime } from '../http/examples.ts';
import { defaultEngine, engineFeatures, engineNames, defaultTextLanguage, textLanguages } from '#engine';
import { SearchDefaults } from '../ranking/index.ts';
import { defaultVersionDays } from './record.ts';
import { defaultDimensions } from './model-choice.ts';

const exampleModel = 'bedrock/amazon.titan-embed-text-v2:0';

const RerankDefaults = z
  .object({
    candidates: z.number().int().describe('Hits that it scores by default.'),
    blend: z.number().describe('Share of its scores by default.'),
  })
  .meta({ id: 'RerankDefaults', description: 'Defaults of a reranker.' });

export const EmbeddingModel = z
  .object({
    kind: z
      .enum(['embedding', 'rerank'])
      .meta({ id: 'ModelKind', description: 'Use of a model.' })
      .describe('`embedding`: a model of indexes. `rerank`: a model of `rerank` in searches.'),
    id: z.string().describe('Value of `embedding_model` of an index, or of `model` of a reranker.'),
    provider: z.enum([...embeddingProviders, 'http']).describe('Service or runtime that runs the model.'),
    dimensions: z.number().int().nullable().describe('Default dimensions of its indexes; null: unknown, thus 1536.'),
    supported_dimensions: z.array(z.number().int()).describe('Dimensions that its indexes may have; empty: any.'),
    max_input_tokens: z.number().int().nullable().describe('Longest text that it reads at once; null: unknown.'),
    notes: z.string().nullable().describe('Languages and other notes.'),
    has_input_types: z.boolean().describe('Whether it embeds queries and documents differently.'),
    is_default: z.boolean().describe('Whether indexes or searches that choose none have it.'),
    rerank: RerankDefaults.optional().describe('Defaults of a reranker.'),
  })
  .meta({
    id: 'EmbeddingModel',
    description: 'Model that turns text into vectors, or a reranker.',
    examples: [
      {
        kind: 'embedding',
        id: exampleModel,
        provider: 'bedrock',
        dimensions: 1024,
        supported_dimensions: [1024, 512, 256],
        max_input_tokens: 8192,
        notes: 'About 100 languages.',
        has_input_types: false,
        is_default: true,
      },
    ],
  });

const DistanceMetric = z
  .enum(['cosine', 'euclidean'])
  .meta({ id: 'DistanceMetric', description: 'Measure of the distance of two vectors.' });

export const EngineName = z.enum(engineNames).meta({
  id: 'EngineName',
  description:
    'Engine that stores and searches an index. `lance`: LanceDB, for up to some hundred thousand rows, with all features. `s3_vectors`: Amazon S3 Vectors, for up to two billion rows.',
});

export const TextLanguage = z
  .enum(textLanguages)
  .meta({ id: 'TextLanguage', description: 'Language of texts, for sparse search.' });

const IndexName = z.string().min(1).max(255);

const UsageKey = z
  .string()
  .max(255)
  .regex(/^[^$.][^.]*$/, 'a usage key is a key of the metadata, without dots and without a leading $')
  .nullable()
  .optional();

/** Days for which former versions are kept. */
const VersionDays = integer().min(0).max(30).optional();

export const IndexCreate = z
  .object({
    name: IndexName.describe('Name, for people.'),
    dimensions: integer().min(1).max(maxDimensions).optional().meta({
      description:
        'Numbers of each vector. They never change. With `embedding_model`, the default is that of the model.',
      default: defaultDimensions,
    }),
    embedding_model: z
      .string()
      .nullable()
      .optional()
      .describe(
        'Model that embeds texts: an `id` of `GET /v1/models`, or `default` for the default one with its own dimensions. A rebuild changes it. Null or absent: the default one with `dimensions`. If that is the embedded one, which is English, an index of another `text_language` gets `embedded-multilingual-e5-small`.',
      ),
    distance_metric: DistanceMetric.default('cosine').describe('Distance metric of the vectors. It never changes.'),
    cloud_region: z
      .string()
      .min(1)
      .nullable()
      .optional()
      .describe('Region that keeps the index: one of `GET /v1/regions`. Null or absent: that of the organization.'),
    non_filterable_metadata_keys: z
      .array(z.string().min(1).max(255))
      .max(100)
      .default([])
      .describe('Metadata keys that no filter may name.'),
    engine: EngineName.default(defaultEngine).describe(
      'Engine of the index. A rebuild changes it. Not every region has `s3_vectors`.',
    ),
    text_language: TextLanguage.default(defaultTextLanguage).meta({
      description:
        'Language of the texts, for stemming and stop words of sparse search. `auto` detects the language of each text, for indexes of several languages. `korean` splits words into pairs of syllables, `none` leaves words as they are. Words of other scripts, such as Chinese, Japanese and Thai, are found with every setting.',
    }),
    if_exists: z
      .enum(['create', 'return', 'conflict'])
      .default('create')
      .describe(
        'What happens if an index has this name. `return`: the response is a 200 with the oldest one, or a 409 if its dimensions, metric, region or engine are others than requested. `conflict`: the response is a 409 `name_taken`. Of concurrent requests of both kinds, one creates the index.',
      ),
    usage_key: UsageKey.describe(
      'Metadata key by whose values usage is counted, such as the customer: see `GET /v1/organization/usage/values`. Null or absent: none.',
    ),
    ttl_seconds: TtlSeconds.describe(
      'Seconds after which rows and files expire that say nothing else. Null or absent: they never do.',
    ),
    version_days: VersionDays.describe(
      `Days for which former versions are kept, to be read or restored. Absent: ${defaultVersionDays}. Removed rows leave the files of the index a day later.`,
    ),
  })
  .meta({
    id: 'IndexCreate',
    description: 'An index to create.',
    examples: [{ name: 'handbook', dimensions: 1536, distance_metric: 'cosine', cloud_region: 'us-east-1' }],
  });

export const IndexBranchCreate = z.object({ name: IndexName.describe('Name of the branch, for people.') }).meta({
  id: 'IndexBranchCreate',
  description: 'A branch to create.',
  examples: [{ name: 'handbook, second edition' }],
});

const fixedFields = [
  'id',
  'dimensions',
  'distance_metric',
  'cloud_region',
  'non_filterable_metadata_keys',
  'text_language',
  'embedding_model',
  'engine',
  'features',
  'parent_index_id',
  'branch_depth',
  'created_at',
];

const QueryLogSettings = z
  .strictObject({
    sample: z.number().positive().max(1).describe('Share of the searches that are logged. 1: all.'),
    keep_days: z.int().min(1).max(90).describe('Days for which entries are kept.'),
  })
  .meta({
    id: 'QueryLogSettings',
    description:
      'Log of the searches of an index: questions, modes, shapes of filters, hits, durations and credentials.',
    examples: [{ sample: 1, keep_days: 30 }],
  });

/** Body of an update. A field that cannot be changed has another error than an unknown field. */
export const IndexUpdate = z
  .object({
    name: IndexName.optional().describe('New name.'),
    search_defaults: SearchDefaults.nullish().describe(
      'What searches of the index use if they name nothing else. It replaces the former defaults; null removes them.',
    ),
    usage_key: UsageKey.describe('Metadata key by whose values usage is counted from now on; null ends that.'),
    ttl_seconds: TtlSeconds.describe(
      'Seconds after which rows and files expire that are written from now on and say nothing else; null: they never do.',
    ),
    version_days: VersionDays.describe('Days for which former versions are kept.'),
    query_log: QueryLogSettings.nullable()
      .optional()
      .describe(
        'Log of searches, for golden sets from real questions. Null: nothing is logged any more. Absent at first: nothing is.',
      ),
  })
  .loose()
  .superRefine(
    (body, context) => {
      const known = ['name', 'search_defaults', 'usage_key', 'ttl_seconds', 'version_days', 'query_log'];
      const unknown = Object.keys(body).filter((key) => !known.includes(key) && !fixedFields.includes(key));
      if (!known.some((key) => body[key] !== undefined))
        context.addIssue({ code: 'invalid_type', expected: 'string', path: ['name'], input: undefined });
      for (const key of fixedFields.filter((field) => Object.hasOwn(body, field)))
        context.addIssue({ code: 'custom', path: [key], message: 'this field cannot be changed', input: body[key] });
      if (unknown.length > 0) context.addIssue({ code: 'unrecognized_keys', keys: unknown, input: body });
    },
    { when: whenObject },
  )
  .meta({
    id: 'IndexUpdate',
    description: 'A change of an index.',
    additionalProperties: false,
    examples: [{ name: 'handbook, first edition' }],
  });

export const Chunking = z
  .object({
    size: z.int().describe('Maximum characters of a chunk.'),
    overlap: z.int().describe('Characters of the end of a chunk that the next one may repeat.'),
  })
  .meta({ id: 'Chunking', description: 'Size of the chunks of files.', examples: [{ size: 600, overlap: 75 }] });

const QueryLog = z
  .object({
    sample: z.number().describe('Share of the searches that are logged.'),
    keep_days: z.int().describe('Days for which entries are kept.'),
  })
  .meta({ id: 'QueryLog', description: 'Log of the searches of an index.' });

export const IndexResponse = z
  .object({
    id: z.string().describe('Id of the index.'),
    name: z.string().describe('Name, for people.'),
    dimensions: z.number().int().describe('Numbers of each vector.'),
    distance_metric: DistanceMetric.describe('Distance metric of the vectors.'),
    cloud_region: z.string().describe('Region that keeps the index.'),
    non_filterable_metadata_keys: z.array(z.string()).describe('Metadata keys that no filter may name.'),
    text_language: TextLanguage.describe('Language of the texts, for sparse search.'),
    embedding_model: z.string().describe('Model that embeds the texts of the index.'),
    chunking: Chunking.optional().describe(
      'Size of the chunks of its files, if a rebuild has set it. A file with sizes in its metadata is cut by those.',
    ),
    search_defaults: ParsedObject.optional().describe(
      'What searches use if they name nothing else, in the form of `SearchDefaults`, if it was set.',
    ),
    usage_key: z.string().optional().describe('Metadata key by whose values usage is counted, if there is one.'),
    ttl_seconds: z.int().optional().describe('Seconds after which its rows and files expire by default, if they do.'),
    version_days: z.int().optional().describe('Days for which former versions are kept, if its engine has versions.'),
    query_log: QueryLog.optional().describe('Log of its searches, if there is one.'),
    engine: EngineName.describe('Engine of the index.'),
    features: z
      .array(z.enum(engineFeatures).meta({ id: 'EngineFeature', description: 'A feature of some engines.' }))
      .describe('Features of its engine that not every engine has. Other requests are 409 `not_supported_by_engine`.'),
    created_at: z.iso.datetime().describe('When the index was created.'),
    parent_index_id: z.string().nullable().default(null).describe('Index that this one branched from; null: none.'),
    branch_depth: z.number().int().default(0).describe('Number of indexes above this one: 0 if it is no branch.'),
  })
  .meta({
    id: 'IndexResponse',
    description: 'An index.',
    examples: [
      {
        id: exampleId('idx'),
        name: 'handbook',
        dimensions: 1536,
        distance_metric: 'cosine',
        cloud_region: 'us-east-1',
        non_filterable_metadata_keys: [],
        text_language: 'english',
        embedding_model: exampleModel,
        engine: 'lance',
        features: [...engineFeatures],
        created_at: exampleTime,
        parent_index_id: null,
        branch_depth: 0,
      },
    ],
  });

/** Fields of a promotion besides what the branch must prove. */
export const promoteFields = {
  parent_changes: z
    .enum(['keep', 'discard'])
    .default('keep')
    .describe('Whether writes to the parent since the branch point are kept.'),
  embed: z
    .boolean()
    .default(false)
    .describe('Whether texts are embedded again if the branch has another embedding model. If not, that is a 409.'),
};

export const BranchDifference = z
  .object({
    id: z.string().describe('Id of the row.'),
    change: z
      .enum(['added', 'changed', 'deleted'])
      .meta({ id: 'BranchChange', description: 'Change of a row in a branch.' })
      .describe('Change of the row in the branch.'),
  })
  .meta({
    id: 'BranchDifference',
    description: 'A row that differs between a branch and its parent.',
    examples: [{ id: 'tea', change: 'changed' }],
  });
