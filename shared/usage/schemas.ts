import * as z from 'zod';

const figure = () => z.number().int().min(0);

export const OrganizationUsage = z
  .object({
    period_start: z.iso.datetime(),
    period_end: z.iso.datetime().meta({ description: 'Exclusive.' }),
    indexes: figure(),
    vectors_stored: figure(),
    dense_bytes: figure(),
    sparse_bytes: figure(),
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
