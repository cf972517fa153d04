import * as z from 'zod';

/** Why a crawl left an address out. */
export const SkipReason = z
  .enum([
    'http_status',
    'no_answer',
    'too_many_redirects',
    'redirected',
    'canonical',
    'duplicate',
    'robots_txt',
    'noindex',
    'out_of_scope',
    'not_public',
    'unsupported_type',
    'too_large',
    'needs_javascript',
    'empty',
    'unreadable',
    'max_depth',
    'too_many_alike',
    'page_limit',
    'unread',
  ])
  .meta({ id: 'CrawlSkipReason', description: 'Why a crawl left an address out.' });
export type SkipReason = z.infer<typeof SkipReason>;

/** How many addresses were left out for each reason that there is. */
export type SkipCounts = Readonly<Partial<Record<SkipReason, number>>>;
