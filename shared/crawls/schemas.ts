import * as z from 'zod';
import { maxUrlCharacters } from '../kernel/bounds.ts';
import { exampleId, exampleTime } from '../http/examples.ts';
import { SourceMetadata } from '../files/index.ts';
import { integer } from '../http/schema-helpers.ts';
import { Timestamp } from '../http/timestamp.ts';
import { ParsedObject } from '../kernel/json-schema.ts';
import { publicUrlProblem } from '../platform/delivery/public-address.ts';
import { CrawlHeaders } from './header-schemas.ts';
import { SkipReason } from './skip-reason.ts';

const CrawlUrl = z
  .string()
  .min(1, { abort: true })
  .max(maxUrlCharacters, { abort: true })
  // URLs copied from a browser may have a fragment. A fragment alone is no address.
  .overwrite((url) => url.replace(/(?!^)#.*$/s, ''))
  .superRefine((url, context) => {
    const problem = publicUrlProblem(url, ['http:', 'https:']);
    if (problem !== null) context.addIssue({ code: 'custom', message: problem, input: url });
  })
  .describe('Where the crawl begins: an http or https address on the public internet; a fragment is left out.');

const Paths = z
  .array(
    z
      .string()
      .min(1)
      .max(1024)
      .regex(/^[/*?]/, 'a path pattern begins with a slash or a star'),
  )
  .max(100)
  .default([]);

/** Settings of a crawl, which a schedule repeats. */
const crawlFields = {
  url: CrawlUrl,
  include_paths: Paths.describe(
    'Paths to read, such as `/docs/*`: `*` is any number of characters, slashes included, and `?` is one. The first page is read for its links in any case. Empty: all paths.',
  ),
  exclude_paths: Paths.describe('Paths to leave out, in the same form.'),
  metadata: SourceMetadata.default({}).describe(
    'Metadata that every chunk of the pages has, at most 8 KiB. `url`, `title` and `canonical_url` are set by the crawl.',
  ),
  headers: CrawlHeaders.default({}),
  page_limit: integer().min(1).default(10).describe('Maximum number of pages to store. The plan limits it.'),
  max_depth: integer()
    .min(0)
    .default(1)
    .describe('Maximum number of links from the first page; 0 fetches that page alone.'),
};

export const CrawlJobCreate = z.strictObject(crawlFields).meta({
  id: 'CrawlJobCreate',
  description: 'A crawl to start.',
  examples: [{ url: 'https://docs.example.com/guide', page_limit: 10, max_depth: 1 }],
});
export type CrawlJobCreate = z.output<typeof CrawlJobCreate>;

export const CrawlScheduleCreate = z
  .strictObject({
    ...crawlFields,
    interval_hours: integer().min(1).max(8_760).default(24).describe('Hours between the starts of two crawls.'),
    starts_at: Timestamp.nullable().default(null).describe('When the first crawl starts; null: at once.'),
  })
  .meta({
    id: 'CrawlScheduleCreate',
    description: 'A crawl to repeat.',
    examples: [{ url: 'https://docs.example.com/', page_limit: 200, max_depth: 3, interval_hours: 24 }],
  });
export type CrawlScheduleCreate = z.output<typeof CrawlScheduleCreate>;

export const CrawlScheduleUpdate = z
  .strictObject({
    paused: z.boolean().optional().describe('Whether no crawl starts.'),
    interval_hours: integer().min(1).max(8_760).optional().describe('Hours between the starts of two crawls.'),
    starts_at: Timestamp.optional().describe(
      'When the next crawl starts; a past time: at once. Later ones count from it.',
    ),
    headers: CrawlHeaders.optional(),
  })
  .meta({
    id: 'CrawlScheduleUpdate',
    description: 'Changes of a schedule; absent fields stay.',
    examples: [{ paused: true }],
  });
export type CrawlScheduleUpdate = z.output<typeof CrawlScheduleUpdate>;

/** `queued → running → completed | failed | cancelled`. A queued crawl can be cancelled too. */
const CrawlStatus = z
  .enum(['queued', 'running', 'completed', 'failed', 'cancelled'])
  .meta({ id: 'CrawlJobStatus', description: '`queued`, then `running`, then `completed`, `failed` or `cancelled`.' });
export type CrawlStatus = z.infer<typeof CrawlStatus>;

const crawlExample = {
  id: exampleId('crawl'),
  url: 'https://docs.example.com/guide',
  page_limit: 10,
  max_depth: 1,
  include_paths: [],
  exclude_paths: [],
  header_names: [],
  metadata: {},
  schedule_id: null,
  status: 'queued',
  created_at: exampleTime,
  provider_job_id: null,
  pages_found: 0,
  error: null,
  started_at: null,
  completed_at: null,
} as const;

export const CrawlJobResponse = z
  .object({
    id: z.string().describe('Id of the crawl job.'),
    url: z.string().describe('Where the crawl begins.'),
    page_limit: z.number().int().describe('Maximum number of pages.'),
    max_depth: z.number().int().describe('Maximum number of links from the first page.'),
    include_paths: z.array(z.string()).default([]).describe('Patterns of the paths to read; empty: all.'),
    exclude_paths: z.array(z.string()).default([]).describe('Patterns of the paths to leave out.'),
    header_names: z.array(z.string()).default([]).describe('Names of its headers, whose values are not returned.'),
    metadata: ParsedObject.describe('Metadata that every chunk of the pages has.'),
    schedule_id: z.string().nullable().default(null).describe('Schedule that started the crawl; null: none.'),
    status: CrawlStatus.describe('Status of the crawl.'),
    created_at: z.iso.datetime().describe('When the crawl was created.'),
    provider_job_id: z
      .string()
      .nullable()
      .default(null)
      .describe('Id of the job at the external crawler; null if this deployment crawls.'),
    pages_found: z.number().int().min(0).default(0).describe('Pages stored so far.'),
    error: z.string().nullable().default(null).describe('Why the crawl failed; null if it did not.'),
    started_at: z.iso.datetime().nullable().default(null).describe('When the crawl began; null before.'),
    completed_at: z.iso.datetime().nullable().default(null).describe('When the crawl ended; null before.'),
  })
  .meta({
    id: 'CrawlJobResponse',
    description: 'A crawl of a public site.',
    examples: [crawlExample],
  });

export const CrawlScheduleResponse = z
  .object({
    id: z.string().describe('Id of the schedule.'),
    url: z.string().describe('Where each crawl begins.'),
    page_limit: z.number().int().describe('Maximum number of pages of each crawl.'),
    max_depth: z.number().int().describe('Maximum number of links from the first page.'),
    include_paths: z.array(z.string()).describe('Patterns of the paths to read; empty: all.'),
    exclude_paths: z.array(z.string()).describe('Patterns of the paths to leave out.'),
    header_names: z.array(z.string()).describe('Names of its headers, whose values are not returned.'),
    metadata: ParsedObject.describe('Metadata that every chunk of the pages has.'),
    interval_hours: z.number().int().describe('Hours between the starts of two crawls.'),
    paused: z.boolean().describe('Whether no crawl starts.'),
    next_run_at: z.iso.datetime().nullable().describe('When the next crawl starts; null: paused.'),
    last_crawl_id: z.string().nullable().describe('The crawl that it started last; null: none yet.'),
    error: z.string().nullable().describe('Why the last crawl did not start; null if it did.'),
    created_at: z.iso.datetime().describe('When the schedule was created.'),
  })
  .meta({
    id: 'CrawlScheduleResponse',
    description: 'A crawl that is repeated.',
    examples: [
      {
        id: exampleId('sched'),
        url: 'https://docs.example.com/',
        page_limit: 200,
        max_depth: 3,
        include_paths: [],
        exclude_paths: [],
        header_names: [],
        metadata: {},
        interval_hours: 24,
        paused: false,
        next_run_at: exampleTime,
        last_crawl_id: exampleId('crawl'),
        error: null,
        created_at: exampleTime,
      },
    ],
  });

/** A crawl job with its skip counts. */
export const CrawlJobReport = CrawlJobResponse.extend({
  pages_skipped: z
    .number()
    .int()
    .min(0)
    .default(0)
    .describe('Number of addresses that were found and skipped; `…/skipped-pages` lists them.'),
  skipped_reasons: z
    .record(z.string(), z.number().int().min(1))
    .default({})
    .describe('Number of skipped addresses by reason. For a running crawl, as of its last batch.'),
}).meta({
  id: 'CrawlJobReport',
  description: 'A crawl of a public site, with the addresses that it skipped.',
  examples: [
    {
      ...crawlExample,
      status: 'completed',
      pages_found: 10,
      pages_skipped: 3,
      skipped_reasons: { http_status: 1, page_limit: 2 },
      started_at: exampleTime,
      completed_at: exampleTime,
    },
  ],
});

export const SkippedPageResponse = z
  .object({
    url: z.string().describe('The address.'),
    reason: SkipReason.describe('Why the crawl skipped it.'),
    detail: z
      .string()
      .nullable()
      .default(null)
      .describe('A status, a content type, or the address that has the content; at most 500 characters.'),
  })
  .meta({
    id: 'SkippedPageResponse',
    description: 'An address that a crawl skipped.',
    examples: [{ url: 'https://docs.example.com/old', reason: 'http_status', detail: '404' }],
  });
