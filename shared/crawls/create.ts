import type { Deps } from '../kernel/capability.ts';
import { AppError } from '../kernel/errors.ts';
import { type LimitKey, plans } from '../kernel/plans.ts';
import type { IdempotencyContext } from '../http/idempotency.ts';
import type { Principal } from '../http/principal.ts';
import { indexesRead, requireGrowableIndex, requireModel } from '../indexes/index.ts';
import { embeddingModelsKnown } from '../platform/models/model-names.ts';
import { crawlKey, type CrawlRecord } from './record.ts';
import { lowerNames } from './header-schemas.ts';
import { crawlHeadersSeal } from './headers.ts';
import { crawlSend } from './messages.ts';
import { crawlsWrite, type NewCrawl } from './repository.ts';
import type { CrawlJobCreate } from './schemas.ts';

/** Capabilities that creating a crawl needs. */
export const createCrawlUses = {
  indexes: indexesRead,
  crawls: crawlsWrite,
  headers: crawlHeadersSeal,
  queue: crawlSend,
  models: embeddingModelsKnown,
};

/** Throws 402 if a crawl exceeds the plan. */
export const requireCrawlWithin = (caller: Principal, body: Pick<CrawlJobCreate, 'page_limit' | 'max_depth'>): void => {
  requireWithin(caller, 'crawl_pages_per_job', body.page_limit, 'a page limit');
  requireWithin(caller, 'crawl_max_depth', body.max_depth, 'a depth');
};

const requireWithin = (caller: Principal, key: LimitKey, asked: number, what: string): void => {
  const limit = plans[caller.plan].limits[key];
  if (asked <= limit) return;
  throw new AppError('plan_limit_reached', `The plan allows ${what} of at most ${limit}`, {
    fields: { limit, current: asked },
  });
};

/** Stores a crawl and sends its first message. Throws 402, 404 and 409. */
export const createCrawl = async (
  {
    deps,
    caller,
    idempotency,
  }: {
    readonly deps: Deps<typeof createCrawlUses>;
    readonly caller: Principal;
    readonly idempotency: IdempotencyContext;
  },
  indexId: string,
  body: CrawlJobCreate,
): Promise<CrawlRecord> => {
  const index = await requireGrowableIndex(deps.indexes, caller.organizationId, indexId);
  requireModel(deps.models, index);
  requireCrawlWithin(caller, body);
  const headers = lowerNames(body.headers);
  const crawl: NewCrawl = {
    id: idempotency.id('crawl'),
    organizationId: caller.organizationId,
    indexId,
    region: index.region,
    url: body.url,
    pageLimit: body.page_limit,
    maxDepth: body.max_depth,
    paths: { include: body.include_paths, exclude: body.exclude_paths },
    headerNames: Object.keys(headers),
    metadata: body.metadata,
    scheduleId: null,
    status: 'queued',
    createdAt: idempotency.at.toISOString(),
  };
  const key = crawlKey({ ...crawl, crawlId: crawl.id });
  const isSealed = crawl.headerNames.length > 0;
  const sealed = isSealed ? await deps.headers.seal(key, headers, idempotency.secret(), idempotency.at) : undefined;
  await deps.crawls.add(crawl, sealed);
  await deps.queue.send(index.region, { ...crawl, crawlId: crawl.id });
  return { ...crawl, providerJobId: null, pagesFound: 0, skipped: {}, error: null, startedAt: null, completedAt: null };
};
