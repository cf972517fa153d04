import type { SearchField } from '../../index.ts';
import { toAsOf } from '../as-of.ts';
import { argument, type Command, countOption, jsonOption, textOption, UsageError } from '../command.ts';

export const search: Command = {
  usage:
    'search TEXT [--mode hybrid|dense|sparse] [--top-k N] [--rerank] [--group KEY] [--filter JSON] [--context N] [--as-of VERSION|TIME]',
  summary: 'searches an index',
  options: {
    mode: { type: 'string' },
    'top-k': { type: 'string' },
    rerank: { type: 'boolean' },
    group: { type: 'string' },
    filter: { type: 'string' },
    context: { type: 'string' },
    'as-of': { type: 'string' },
  },
  run: async (call) => {
    const mode = textOption(call, 'mode') ?? 'hybrid';
    if (mode !== 'hybrid' && mode !== 'dense' && mode !== 'sparse')
      throw new UsageError(`--mode is "${mode}". Give hybrid, dense or sparse.`);
    const group = textOption(call, 'group');
    const filter = jsonOption(call, 'filter', '{"topic":"tea"}');
    const asOf = textOption(call, 'as-of');
    const neighbours = countOption(call, 'context', 0);
    const body = {
      text: argument(call, 0, 'TEXT'),
      top_k: countOption(call, 'top-k', 10),
      ...(call.options['rerank'] === true ? { rerank: {} } : {}),
      ...(group === undefined ? {} : { group: { by: group } }),
      ...(filter === undefined ? {} : { filter }),
      ...(asOf === undefined ? {} : { as_of: toAsOf(asOf) }),
      ...(neighbours === 0 ? {} : { context: { before: neighbours, after: neighbours } }),
      include: ['text', 'metadata', 'scores', 'citation'] satisfies SearchField[],
    };
    const params = { path: { index_id: await call.indexId() } };
    const {
      results,
      contexts = [],
      rerank,
    } = await call.client().post(`/v1/indexes/{index_id}/search/${mode}`, { params, body });
    if (rerank?.status === 'skipped') call.note(`The results are not reranked: ${rerank.reason ?? 'no reason'}.`);
    const shown = new Set<number>();
    for (const result of results) {
      const page = result.file?.page_start ?? null;
      const headings = result.citation?.heading_path ?? [];
      const place = `${result.file?.filename ?? result.id}${page === null ? '' : ` p. ${page}`}`;
      const around = result.context == null ? undefined : contexts[result.context];
      const isShown = result.context != null && shown.has(result.context);
      if (result.context != null) shown.add(result.context);
      const text = isShown ? '(in the text above)' : (around?.text ?? result.text ?? '');
      call.print(
        around === undefined ? result : { ...result, context: around },
        `${result.score.toFixed(4)}  ${[place, ...headings].join(' › ')}\n${text}\n`,
      );
    }
  },
};
