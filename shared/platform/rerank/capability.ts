import { capability } from '../../kernel/capability.ts';
import { memoizePerKey } from '../../kernel/memoize.ts';
import type { Rerankers } from './port.ts';
import { rerankModelsOf } from './rerank-models.ts';
import { invokedReranker } from './reranker-client.ts';

/** Scores texts by their relevance to a query. */
export const rerankersUse = capability<Rerankers>(['reranker.invoke'], (runtime) =>
  memoizePerKey((model: string) => {
    const known = rerankModelsOf(runtime.config.reranker ?? { provider: 'embedded' }).find(({ id }) => id === model);
    return invokedReranker(runtime, model, known?.runs ?? 'here');
  }),
);
