import * as z from 'zod';
import { exampleId, exampleTime } from '../http/examples.ts';
import { AsOf } from '../reader/index.ts';
import { exportedVectors, exportFormats, type ExportRecord, expiryOf, sizeOf } from './record.ts';

const ExportFormatName = z.enum(exportFormats).meta({ id: 'ExportFormat', description: 'File format of an export.' });
const ExportedVectors = z
  .enum(exportedVectors)
  .meta({ id: 'ExportedVectors', description: 'Whether the files of an export have the vectors.' });

export const ExportCreate = z
  .strictObject({
    format: ExportFormatName.default('jsonl').describe('JSON Lines, or Parquet, which is smaller.'),
    vectors: ExportedVectors.default('include').describe(
      '`omit`: the files have no vectors, and an import embeds the texts. Rows without a text cannot be imported then.',
    ),
    as_of: AsOf.optional(),
  })
  .meta({ id: 'ExportCreate', description: 'How to export an index.', examples: [{ format: 'parquet' }] });

const Response = z.object({
  id: z.string().describe('Id of the export.'),
  index_id: z.string().describe('Id of the index.'),
  format: ExportFormatName,
  vectors: ExportedVectors,
  embedding_model: z
    .string()
    .nullable()
    .describe('Embedding model of the index, and thus of the vectors; null if they are omitted.'),
  status: z
    .enum(['queued', 'running', 'completed', 'failed'])
    .meta({ id: 'ExportStatus', description: 'Status of an export.' }),
  rows: z.int().describe('Rows so far.'),
  size_bytes: z.int().describe('Bytes of the files so far.'),
  error: z.string().nullable().describe('Why the export failed; null if it did not.'),
  created_at: z.iso.datetime().describe('Creation time.'),
  started_at: z.iso.datetime().nullable().describe('Time of the first run; null before.'),
  completed_at: z.iso.datetime().nullable().describe('Time of the end; null before.'),
  expires_at: z.iso.datetime().nullable().describe('Time at which the files are deleted; null before the end.'),
});

const example = {
  id: exampleId('exp'),
  index_id: exampleId('idx'),
  format: 'jsonl',
  vectors: 'include',
  embedding_model: 'embedded-minilm-l6-v2',
  status: 'completed',
  rows: 42_000,
  size_bytes: 61_000_000,
  error: null,
  created_at: exampleTime,
  started_at: exampleTime,
  completed_at: exampleTime,
  expires_at: exampleTime,
};

export const ExportResponse = Response.meta({
  id: 'ExportResponse',
  description: 'An export of an index.',
  examples: [example],
});

export const ExportReport = Response.extend({
  parts: z
    .array(
      z
        .object({
          filename: z.string().describe('Name of the file.'),
          rows: z.int().describe('Rows in the file.'),
          size_bytes: z.int().describe('Bytes of the file.'),
          url: z.string().describe('URL to download it, valid for an hour.'),
        })
        .meta({ id: 'ExportPart', description: 'A file of an export.' }),
    )
    .describe('Files of a completed export, in order of their rows; empty before.'),
}).meta({
  id: 'ExportReport',
  description: 'An export of an index with its files.',
  examples: [
    {
      ...example,
      parts: [{ filename: 'part-00001.jsonl', rows: 42_000, size_bytes: 61_000_000, url: 'https://example.com/…' }],
    },
  ],
});

export const toExportResponse = (record: ExportRecord): z.input<typeof ExportResponse> => ({
  id: record.id,
  index_id: record.indexId,
  format: record.format,
  vectors: record.vectors,
  embedding_model: record.vectors === 'include' ? record.embeddingModel : null,
  // A deleted export is not found, so it is never presented.
  status: record.status === 'deleting' ? 'failed' : record.status,
  ...sizeOf(record.parts),
  error: record.error,
  created_at: record.createdAt,
  started_at: record.startedAt,
  completed_at: record.completedAt,
  expires_at: record.completedAt === null ? null : expiryOf(record.completedAt).toISOString(),
});
