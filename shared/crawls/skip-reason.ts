import * as z from 'zod';

/** Reason for which a crawl skipped an address. */
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
    'excluded',
    'not_public',
    'unsupported_type',
    'too_large',
    'needs_javascript',
    'soft_404',
    'login_required',
    'empty',
    'unreadable',
    'max_depth',
    'too_many_alike',
    'page_limit',
    'unread',
  ])
  .meta({ id: 'CrawlSkipReason', description: 'Why a crawl skipped an address.' });
export type SkipReason = z.infer<typeof SkipReason>;

/** Number of skipped addresses by reason; absent for 0. */
export type SkipCounts = Readonly<Partial<Record<SkipReason, number>>>;
