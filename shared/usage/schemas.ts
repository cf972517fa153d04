import * as z from 'zod';

const figure = () => z.number().int().min(0);

/** Query of the usage of an organization. */
export const UsageQuery = z.object({
  month: z
    .string()
    .regex(/^\d{4}-(0[1-9]|1[0-2])$/)
    .optional()
    .describe('A month, `YYYY-MM` in UTC, that has begun; default the one that runs.'),
});

const stored = () => figure().describe('At the end of the month, or now while it runs.');

export const OrganizationUsage = z
  .object({
    period_start: z.iso.datetime().describe('Beginning of the month in UTC.'),
    period_end: z.iso.datetime().meta({ description: 'End of the month in UTC, exclusive.' }),
    indexes: figure().describe(
      'Of the month that runs those that there are, of one that has ended those that held vectors at its end.',
    ),
    vectors_stored: stored(),
    dense_bytes: stored(),
    sparse_bytes: stored(),
    original_bytes: stored().describe(
      'Original files of completed and failed jobs, at the end of the month, or now while it runs. Each goes with its job.',
    ),
    vectors_written: figure().describe(
      'Vectors that files and requests wrote; a vector that was replaced counts again.',
    ),
    vectors_deleted: figure().describe('Vectors that were deleted.'),
    searches: z
      .object({
        dense: figure().describe('Dense searches.'),
        sparse: figure().describe('Sparse searches.'),
        hybrid: figure().describe('Hybrid searches.'),
      })
      .meta({ id: 'SearchCounts', description: 'Searches by their kind.' }),
    file_jobs: figure().describe('File jobs that were created.'),
    pages: figure().describe('Pages of files that were read.'),
    ocr_credits: figure().describe('Page images whose text was recognized.'),
    audio_credits: figure().describe('Started minutes of audio that were transcribed.'),
    audio_seconds: figure().describe('Seconds of audio that were transcribed.'),
    crawl_pages: figure().describe('Pages of the internet that crawls kept.'),
    embedding_tokens: figure().describe('Tokens of text that were turned into vectors.'),
    serverless_invocations: figure().describe('Runs of the functions that process files, retries included.'),
    estimated_cost_usd: z
      .number()
      .min(0)
      .describe(
        'Each figure times its unit price. Storage counts by the day: a day that has ended at what was stored at its end, the part of today that has passed at what is stored now, each as its part of the month.',
      ),
  })
  .meta({ id: 'OrganizationUsage', description: 'What an organization used in one month.' });
