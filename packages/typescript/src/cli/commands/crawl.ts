import { pause } from '../../pause.ts';
import type { CrawlJobResponse } from '../../schema.ts';
import {
  argument,
  type Call,
  chooseAction,
  type Command,
  countOption,
  exitCodes,
  manyRetries,
  textOption,
  textOptions,
  UsageError,
} from '../command.ts';

const pollMs = 2_000;

const rowOf = ({ id, status, pages_found: pages, url, error }: CrawlJobResponse): string =>
  `${id}  ${status.padEnd(9)}  ${String(pages ?? 0).padStart(6)}  ${url}${error == null ? '' : `  ${error}`}`;

/** Returns headers of the form `NAME: VALUE`. Throws UsageError for another form. */
const headersOf = (call: Call): Record<string, string> =>
  Object.fromEntries(
    textOptions(call, 'header').map((line) => {
      const [, name = '', value = ''] = /^([^:\s]+):\s*(.+)$/.exec(line) ?? [];
      // The value may be a secret.
      if (name === '') throw new UsageError('A --header has another form than "NAME: VALUE".');
      return [name, value];
    }),
  );

const show = async (call: Call, id: string) =>
  call.client().get('/v1/indexes/{index_id}/crawl-jobs/{crawl_id}', {
    params: { path: { index_id: await call.indexId(), crawl_id: id } },
  });

const start = async (call: Call): Promise<number> => {
  const body = {
    url: argument(call, 1, 'URL'),
    ...(textOption(call, 'pages') !== undefined && { page_limit: countOption(call, 'pages', 1) }),
    ...(textOption(call, 'depth') !== undefined && { max_depth: countOption(call, 'depth', 1) }),
    include_paths: [...textOptions(call, 'include')],
    exclude_paths: [...textOptions(call, 'exclude')],
    ...(textOptions(call, 'header').length > 0 && { headers: headersOf(call) }),
  };
  const params = { path: { index_id: await call.indexId() } };
  let crawl: CrawlJobResponse = await call.client().post('/v1/indexes/{index_id}/crawl-jobs', { params, body });
  while (call.options['wait'] === true && (crawl.status === 'queued' || crawl.status === 'running')) {
    call.note(`${crawl.pages_found ?? 0} pages`, true);
    await pause(pollMs);
    crawl = await show(call, crawl.id);
  }
  call.print(crawl, rowOf(crawl));
  return crawl.status === 'failed' ? exitCodes.failed : 0;
};

export const crawl: Command = {
  usage:
    'crawl start URL [--pages N] [--depth N] [--include PATH] [--exclude PATH] [--header LINE] [--wait] | list | show ID | cancel ID',
  summary: 'crawls a site into the index of --index; --wait ends with 1 if the crawl failed',
  options: {
    pages: { type: 'string' },
    depth: { type: 'string' },
    include: { type: 'string', multiple: true },
    exclude: { type: 'string', multiple: true },
    header: { type: 'string', multiple: true },
    wait: { type: 'boolean' },
  },
  retries: manyRetries,
  ...chooseAction({
    start,
    list: async (call) => {
      const params = { path: { index_id: await call.indexId() } };
      for await (const found of call.client().pages('/v1/indexes/{index_id}/crawl-jobs', { params }))
        call.print(found, rowOf(found));
    },
    show: async (call) => {
      const found = await show(call, argument(call, 1, 'ID'));
      call.print(found, JSON.stringify(found, null, 2));
    },
    cancel: async (call) => {
      const path = { index_id: await call.indexId(), crawl_id: argument(call, 1, 'ID') };
      const params = { path };
      const cancelled = await call.client().post('/v1/indexes/{index_id}/crawl-jobs/{crawl_id}/cancel', { params });
      call.print(cancelled, rowOf(cancelled));
    },
  }),
};
