import type * as z from 'zod';
import { service } from '../../../shared/pipeline/worker.ts';
import { rerankerFunction } from '../../../shared/platform/rerank/names.ts';
import { RerankRequest, type RerankResponse } from '../../../shared/platform/rerank/reranker-client.ts';
import { scorersUse } from '../../../shared/platform/rerank/scorers.ts';

/** Milliseconds after which a request is given up: no caller waits longer. */
const maxRunMs = 10_000;

export const reranker = service({
  id: rerankerFunction,
  summary: 'Scores texts by their relevance to a query, for the searches of a region',
  scope: 'region',
  request: RerankRequest,
  uses: { scorers: scorersUse },
  assets: ['onnx', 'embedding-model', 'reranker-model'],
  // Nearly two processors: the cross-encoder runs on two threads.
  memoryMb: 3008,
  timeoutSeconds: 20,
  handle: ({ request: { model, query, texts }, deps }): Promise<z.infer<typeof RerankResponse>> => {
    const endMs = performance.now() + maxRunMs;
    return deps.scorers(model)(query, texts, () => performance.now() > endMs) as Promise<
      z.infer<typeof RerankResponse>
    >;
  },
});
