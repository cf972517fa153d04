import * as z from 'zod';
import { exampleId, exampleTime } from '../http/examples.ts';
import { estimateSearchUsd } from '../usage/index.ts';
import { unitPrices } from '../kernel/plans.ts';
import { Chunking, EngineName, TextLanguage } from '../indexes/index.ts';
import { chunkOptionBounds, maxOverlapOf, usualOverlapOf } from '#documents';
import type { ContentSettings, RebuildRecord } from './record.ts';

const windowHours = { default: 168, max: 168 } as const;

const ChunkingChoice = z
  .strictObject({
    size: z
      .int()
      .min(chunkOptionBounds.minSize)
      .max(chunkOptionBounds.maxSize)
      .describe('Maximum characters of a chunk.'),
    overlap: z
      .int()
      .min(0)
      .optional()
      .describe(
        'Characters of the end of a chunk that the next one may repeat: less than half of the size. Default: an eighth.',
      ),
  })
  .refine(({ size, overlap = 0 }) => overlap <= maxOverlapOf(size), {
    path: ['overlap'],
    message: 'must be less than half of the size',
  })
  .transform(({ size, overlap }): z.output<typeof Chunking> => ({ size, overlap: overlap ?? usualOverlapOf(size) }))
  .meta({ id: 'ChunkingChoice', description: 'Size of the chunks of files.', examples: [{ size: 600, overlap: 75 }] });

/** Fields of a rebuild besides what its successor must prove. */
export const rebuildFields = {
  embedding_model: z
    .string()
    .min(1)
    .optional()
    .describe('Model of the successor: an `id` of `GET /v1/models`, or `default`. Absent: the present one.'),
  text_language: TextLanguage.optional().describe('Language of the texts of the successor. Absent: the present one.'),
  engine: EngineName.optional().describe('Engine of the successor. Absent: the present one.'),
  chunking: ChunkingChoice.nullable()
    .optional()
    .describe(
      'Size of the chunks of files, which are cut again. Null: the size in the metadata of each file, or the default. Absent: the present one.',
    ),
  foreign_vectors: z
    .enum(['refuse', 'skip'])
    .default('refuse')
    .describe(
      'Treatment of rows without a text, whose vectors a new model cannot make. `refuse`: the rebuild fails. `skip`: they stay out.',
    ),
  window_hours: z
    .number()
    .int()
    .min(0)
    .max(windowHours.max)
    .default(windowHours.default)
    .describe('Hours after the takeover in which it can be undone.'),
  dry_run: z.boolean().default(false).describe('Whether only the estimate is returned, and nothing begins.'),
};

/** Whether a rebuild changes anything. */
export const changesContent = ({
  embedding_model: model,
  text_language: language,
  engine,
  chunking,
}: Readonly<Record<string, unknown>>): boolean =>
  [model, language, engine, chunking].some((changed) => changed !== undefined);

const Settings = z
  .object({
    engine: EngineName.describe('Engine of the content.'),
    embedding_model: z.string().describe('Model of its vectors.'),
    text_language: TextLanguage.describe('Language of its texts.'),
    chunking: Chunking.nullable().describe(
      'Size of the chunks of its files. Null: that in the metadata of each file, or the default.',
    ),
  })
  .meta({ id: 'RebuildSettings', description: 'How a content stores and finds rows.' });

const keptFields = {
  kept_files: z
    .int()
    .describe(
      'Files of which all or a part keeps its chunks although `chunking` changes: rows were edited or deleted by hand, or an earlier release has read the file.',
    ),
  kept_rows: z.int().describe('Rows of these.'),
};

const RebuildEstimate = z
  .object({
    vectors: z.int().describe('Rows of the index.'),
    vectors_after: z.int().describe('Rows that the successor would have.'),
    left_out: z.int().describe('Rows that would stay out, because they could not be embedded or stored.'),
    files: z.int().describe('Files that would be cut again or kept; 0 if `chunking` does not change.'),
    ...keptFields,
    embedding_tokens: z.int().describe('Tokens of the texts that would be embedded.'),
    estimated_cost_usd: z.number().describe('Estimated price of filling the successor.'),
    seconds: z.int().describe('Estimated duration.'),
  })
  .meta({
    id: 'RebuildEstimate',
    description: 'Estimate of a rebuild, from up to 200 rows of the index.',
    examples: [
      {
        vectors: 50_000,
        vectors_after: 50_000,
        left_out: 0,
        files: 900,
        kept_files: 0,
        kept_rows: 0,
        embedding_tokens: 6_100_000,
        estimated_cost_usd: 0.41,
        seconds: 480,
      },
    ],
  });
export type RebuildEstimate = z.infer<typeof RebuildEstimate>;

export const RebuildResponse = z
  .object({
    id: z.string().describe('Id of the rebuild.'),
    index_id: z.string().describe('Id of the index.'),
    status: z
      .enum(['queued', 'running', 'completed', 'rolling_back', 'rolled_back', 'cancelled', 'failed'])
      .meta({ id: 'RebuildStatus', description: 'Status of a rebuild.' })
      .describe('Status. `completed`: the successor serves.'),
    from: Settings.describe('Content before.'),
    to: Settings.describe('Content after.'),
    vectors: z.int().describe('Rows of the content that does not serve. It grows to those of the index.'),
    vectors_written: z.int().describe('Rows that were written so far, repeats included. They count in the usage.'),
    embedding_tokens: z.int().describe('Tokens of the texts that were embedded so far.'),
    estimated_cost_usd: z.number().describe('Estimated price so far.'),
    left_out: z.int().describe('Rows that stayed out of the successor when it took over.'),
    ...keptFields,
    evaluation_id: z
      .string()
      .nullable()
      .describe('Evaluation that the successor must pass, once it has begun; null without one.'),
    error: z.string().nullable().describe('Why it failed, or why it cannot be undone; null if neither.'),
    created_at: z.iso.datetime().describe('Creation time.'),
    completed_at: z.iso.datetime().nullable().describe('Time of the takeover or failure; null before.'),
    rollback_until: z.iso
      .datetime()
      .nullable()
      .describe('Time until which the takeover can be undone; null before it.'),
  })
  .meta({
    id: 'RebuildResponse',
    description: 'A rebuild of an index.',
    examples: [
      {
        id: exampleId('reb'),
        index_id: exampleId('idx'),
        status: 'completed',
        from: { engine: 'lance', embedding_model: 'embedded-minilm-l6-v2', text_language: 'english', chunking: null },
        to: {
          engine: 'lance',
          embedding_model: 'embedded-multilingual-e5-small',
          text_language: 'auto',
          chunking: null,
        },
        vectors: 50_000,
        vectors_written: 50_000,
        embedding_tokens: 6_100_000,
        estimated_cost_usd: 0.41,
        left_out: 0,
        kept_files: 0,
        kept_rows: 0,
        evaluation_id: null,
        error: null,
        created_at: exampleTime,
        completed_at: exampleTime,
        rollback_until: exampleTime,
      },
    ],
  });

export const RebuildStart = z
  .object({
    rebuild: RebuildResponse.nullable().describe('The rebuild; null for a dry run.'),
    estimate: RebuildEstimate.nullable().describe('The estimate of a dry run; null otherwise.'),
  })
  .meta({ id: 'RebuildStart', description: 'A rebuild that has begun, or the estimate of one.' });

/** Returns the estimated price of rows that are written and texts that are embedded, in USD. */
export const rebuildUsd = (rows: number, tokens: number): number =>
  Math.round(100 * ((rows / 1e6) * unitPrices.million_vectors_written.usd + estimateSearchUsd(0, tokens, 0))) / 100;

const toSettings = ({ engine, embeddingModel, textLanguage, chunking }: ContentSettings) => ({
  engine,
  embedding_model: embeddingModel,
  text_language: textLanguage,
  chunking: chunking === null ? null : { ...chunking },
});

const statusOf = ({ status }: RebuildRecord): z.input<typeof RebuildResponse>['status'] =>
  status === 'switching' ? 'running' : status === 'switching_back' ? 'rolling_back' : status;

export const toRebuildResponse = (found: RebuildRecord): z.input<typeof RebuildResponse> => {
  const { id, indexId, from, to, figures, other } = found;
  return {
    id,
    index_id: indexId,
    status: statusOf(found),
    from: toSettings(from),
    to: toSettings(to),
    vectors: other?.state.rows ?? 0,
    vectors_written: figures.rows,
    embedding_tokens: figures.tokens,
    estimated_cost_usd: rebuildUsd(figures.rows, figures.tokens),
    left_out: figures.leftOut,
    kept_files: figures.keptFiles,
    kept_rows: figures.keptRows,
    evaluation_id: found.evaluationId,
    error: found.error,
    created_at: found.createdAt,
    completed_at: found.completedAt,
    rollback_until: found.rollbackUntil,
  };
};
