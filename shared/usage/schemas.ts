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
    period_start: z.iso.datetime(),
    period_end: z.iso.datetime().meta({ description: 'Exclusive.' }),
    indexes: figure().describe(
      'Of the month that runs those that there are, of one that has ended those that held vectors at its end.',
    ),
    vectors_stored: stored(),
    dense_bytes: stored(),
    sparse_bytes: stored(),
    original_bytes: stored().describe(
      'Original files of completed and failed jobs, at the end of the month, or now while it runs. Each goes with its job.',
    ),
    vectors_written: figure(),
    vectors_deleted: figure(),
    searches: z.object({ dense: figure(), sparse: figure(), hybrid: figure() }),
    file_jobs: figure(),
    pages: figure(),
    ocr_credits: figure(),
    audio_credits: figure(),
    audio_seconds: figure(),
    crawl_pages: figure(),
    embedding_tokens: figure(),
    serverless_invocations: figure(),
    estimated_cost_usd: z
      .number()
      .min(0)
      .describe(
        'Each figure times its unit price. Storage counts by the day: a day that has ended at what was stored at its end, the part of today that has passed at what is stored now, each as its part of the month.',
      ),
  })
  .meta({ id: 'OrganizationUsage' });
