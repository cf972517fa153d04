import { argument, type Command, countOption, textOption, UsageError } from '../command.ts';

export const search: Command = {
  usage: 'search TEXT [--mode hybrid|dense|sparse] [--top-k N]',
  summary: 'searches an index',
  options: { mode: { type: 'string' }, 'top-k': { type: 'string' } },
  run: async (call) => {
    const mode = textOption(call, 'mode') ?? 'hybrid';
    if (mode !== 'hybrid' && mode !== 'dense' && mode !== 'sparse')
      throw new UsageError(`--mode is "${mode}". Give hybrid, dense or sparse.`);
    const body = { text: argument(call, 0, 'TEXT'), top_k: countOption(call, 'top-k', 10) };
    const params = { path: { index_id: await call.indexId() } };
    const { results } = await call.client().post(`/v1/indexes/{index_id}/search/${mode}`, { params, body });
    for (const result of results) {
      const page = result.file?.page_start ?? null;
      const place = `${result.file?.filename ?? result.id}${page === null ? '' : ` p. ${page}`}`;
      call.print(result, `${result.score.toFixed(4)}  ${place}\n${result.text ?? ''}\n`);
    }
  },
};
