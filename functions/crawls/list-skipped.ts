import * as z from 'zod';
import { crawlsRead, requireCrawl, SkippedPageResponse } from '../../shared/crawls/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { cursorOf, nextCursorHeader, PageQuery, toPageRequest } from '../../shared/http/pagination.ts';
import { indexesRead } from '../../shared/indexes/index.ts';

export const listSkippedPages = endpoint({
  id: 'list-skipped-pages',
  method: 'GET',
  path: '/v1/indexes/{index_id}/crawl-jobs/{crawl_id}/skipped-pages',
  tag: 'Crawl jobs',
  summary: 'List the addresses that a crawl skipped',
  description:
    'Returns each address with its reason, in no particular order. Addresses are stored for 14 days after the crawl found them.',
  auth: { needs: 'read' },
  uses: { indexes: indexesRead, crawls: crawlsRead },
  query: PageQuery.extend({ cursor: cursorOf(/^PAGE#[0-9a-f]{32}$/) }),
  status: 200,
  response: z.array(SkippedPageResponse),
  handle: async ({ caller, deps, path, query }) => {
    const { organizationId } = caller;
    const crawl = await requireCrawl(deps, { organizationId, indexId: path.index_id, crawlId: path.crawl_id });
    const { pages, next } = await deps.crawls.skipped(crawl, toPageRequest(query));
    return { body: [...pages], headers: nextCursorHeader(next) };
  },
});
