import * as z from 'zod';
import { exampleId } from '../http/examples.ts';
import { invalid } from '../kernel/errors.ts';
import { monthOf } from './items.ts';
import { estimateSubjectUsd } from './estimate-cost.ts';
import type { SubjectFigures } from './subject-usage.ts';

const figure = () => z.number().int().min(0);

/** Query of the usage of an organization. */
export const UsageQuery = z.strictObject({
  month: z
    .string()
    .regex(/^\d{4}-(0[1-9]|1[0-2])$/)
    .optional()
    .describe('A month, `YYYY-MM` in UTC, that has begun. Default: the current month.'),
});

/** Returns the month of a query. Throws 422 for one that has not begun. */
export const usageMonth = ({ month }: z.output<typeof UsageQuery>, now: Date): string => {
  const running = monthOf(now.toISOString());
  if (month !== undefined && month > running) throw invalid(['query', 'month'], 'the month has not started');
  return month ?? running;
};

const changed = {
  vectors_written: figure().describe('Vectors that files and requests wrote. A replaced vector counts again.'),
  vectors_deleted: figure().describe('Vectors that were deleted.'),
};

const processed = {
  pages: figure().describe('Pages of files that were read.'),
  ocr_credits: figure().describe('Page images that OCR has read.'),
  audio_credits: figure().describe('Started minutes of audio that were transcribed.'),
  audio_seconds: figure().describe('Seconds of audio that were transcribed.'),
  crawl_pages: figure().describe('Web pages that crawls stored.'),
  embedding_tokens: figure().describe('Tokens of text that were turned into vectors.'),
  rerank_units: figure().describe(
    'Units of rerankers: texts that an embedded one has scored, or units of its provider.',
  ),
  serverless_invocations: figure().describe('Runs of the functions that process files, retries included.'),
};

const SearchCounts = z
  .object({
    dense: figure().describe('Dense searches.'),
    sparse: figure().describe('Sparse searches.'),
    hybrid: figure().describe('Hybrid searches.'),
  })
  .meta({ id: 'SearchCounts', description: 'Searches by their kind.' });

const stored = () => figure().describe('At the end of the month, or now for the current month.');

export const OrganizationUsage = z
  .object({
    period_start: z.iso.datetime().describe('Beginning of the month in UTC.'),
    period_end: z.iso.datetime().meta({ description: 'End of the month in UTC, exclusive.' }),
    indexes: figure().describe('Current month: number of indexes. Past month: indexes that held vectors at its end.'),
    vectors_stored: stored(),
    dense_bytes: stored(),
    sparse_bytes: stored(),
    original_bytes: stored().describe(
      'Bytes of the original files of completed and failed jobs and of files without an index, at the end of the month, or now for the current month. An original file is deleted with its job.',
    ),
    ...changed,
    searches: SearchCounts,
    file_jobs: figure().describe('File jobs that were created.'),
    ...processed,
    estimated_cost_usd: z
      .number()
      .min(0)
      .describe(
        'Each figure times its unit price. Storage counts by the day. A past day counts with the bytes at its end, the elapsed part of today with the bytes of now, each as its part of the month.',
      ),
  })
  .meta({ id: 'OrganizationUsage', description: 'What an organization used in one month.' });

export const DailyUsage = z
  .object({
    date: z.iso.date().describe('Day in UTC.'),
    index_id: z.string().describe('Id of the index, which may be deleted.'),
    vectors: figure().describe('Rows at the end of the day, or now.'),
    dense_bytes: figure().describe('Bytes of the vectors at the end of the day, or now.'),
    sparse_bytes: figure().describe('Bytes of the texts and their word index at the end of the day, or now.'),
    original_bytes: figure().describe('Bytes of the original files at the end of the day, or now.'),
    searches: figure().describe('Searches of all kinds.'),
    file_jobs: figure().describe('File jobs that were created.'),
    ...changed,
    ...processed,
  })
  .meta({
    id: 'DailyUsage',
    description: 'Usage of an index on one day.',
    examples: [
      {
        date: '2026-01-26',
        index_id: exampleId('idx'),
        vectors: 1_204,
        dense_bytes: 7_397_376,
        sparse_bytes: 902_144,
        original_bytes: 4_120_332,
        searches: 87,
        file_jobs: 3,
        vectors_written: 1_210,
        vectors_deleted: 6,
        pages: 41,
        ocr_credits: 2,
        audio_credits: 0,
        audio_seconds: 0,
        crawl_pages: 0,
        embedding_tokens: 30_512,
        rerank_units: 240,
        serverless_invocations: 12,
      },
    ],
  });

export const IndexUsage = z
  .object({
    index_id: z.string().describe('Id of the index.'),
    name: z.string().nullable().describe('Name of the index; null if it is deleted.'),
    vectors_stored: stored(),
    dense_bytes: stored(),
    sparse_bytes: stored(),
    original_bytes: stored(),
    ...changed,
    searches: SearchCounts,
    file_jobs: figure().describe('File jobs that were created.'),
    ...processed,
    estimated_cost_usd: z.number().min(0).describe('Each figure times its unit price, with storage.'),
  })
  .meta({
    id: 'IndexUsage',
    description: 'What an index used in one month.',
    examples: [
      {
        index_id: exampleId('idx'),
        name: 'handbook',
        vectors_stored: 1_204,
        dense_bytes: 7_397_376,
        sparse_bytes: 902_144,
        original_bytes: 4_120_332,
        vectors_written: 1_210,
        vectors_deleted: 6,
        searches: { dense: 12, sparse: 0, hybrid: 803 },
        file_jobs: 3,
        pages: 41,
        ocr_credits: 2,
        audio_credits: 0,
        audio_seconds: 0,
        crawl_pages: 0,
        embedding_tokens: 30_512,
        rerank_units: 240,
        serverless_invocations: 12,
        estimated_cost_usd: 0.13,
      },
    ],
  });

const { crawl_pages: _, ...bySubject } = processed;

export const CredentialUsage = z
  .object({
    credential_id: z.string().describe('Id of the API key, OAuth client or grant.'),
    name: z.string().nullable().describe('Name of the API key or OAuth client; null for others.'),
    ...changed,
    searches: SearchCounts,
    file_jobs: figure().describe('File jobs that its requests created.'),
    ...bySubject,
    estimated_cost_usd: z.number().min(0).describe('Each figure times its unit price, without storage.'),
  })
  .meta({
    id: 'CredentialUsage',
    description: 'What a credential used in one month.',
    examples: [
      {
        credential_id: exampleId('key'),
        name: 'customer acme',
        vectors_written: 1_210,
        vectors_deleted: 6,
        searches: { dense: 12, sparse: 0, hybrid: 803 },
        file_jobs: 3,
        pages: 41,
        ocr_credits: 2,
        audio_credits: 0,
        audio_seconds: 0,
        embedding_tokens: 30_512,
        rerank_units: 240,
        serverless_invocations: 12,
        estimated_cost_usd: 0.13,
      },
    ],
  });

export const ValueUsage = z
  .object({
    index_id: z.string().describe('Id of the index, which may be deleted.'),
    value: z
      .union([z.string(), z.number(), z.boolean()])
      .meta({ id: 'UsageValue', description: 'Value of a usage key.' })
      .nullable()
      .describe('Value of the usage key; null for the values that are counted together.'),
    ...changed,
    searches: SearchCounts,
    file_jobs: figure().describe('File jobs that ended.'),
    ...bySubject,
    estimated_cost_usd: z.number().min(0).describe('Each figure times its unit price, without storage.'),
  })
  .meta({
    id: 'ValueUsage',
    description: 'What was used in one month for a value of the usage key of an index.',
    examples: [
      {
        index_id: exampleId('idx'),
        value: 'acme',
        vectors_written: 1_210,
        vectors_deleted: 6,
        searches: { dense: 12, sparse: 0, hybrid: 803 },
        file_jobs: 3,
        pages: 41,
        ocr_credits: 2,
        audio_credits: 0,
        audio_seconds: 0,
        embedding_tokens: 30_512,
        rerank_units: 240,
        serverless_invocations: 12,
        estimated_cost_usd: 0.13,
      },
    ],
  });

/** Returns the figures of a credential or value as a response shows them. */
export const toUsageBody = (figures: SubjectFigures) => {
  const { searches_dense: dense, searches_sparse: sparse, searches_hybrid: hybrid, ...used } = figures;
  return { ...used, searches: { dense, sparse, hybrid }, estimated_cost_usd: estimateSubjectUsd(figures) };
};
