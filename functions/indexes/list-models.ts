import * as z from 'zod';
import { endpoint } from '../../shared/http/endpoint.ts';
import { EmbeddingModel } from '../../shared/indexes/index.ts';
import { embeddingModelsKnown } from '../../shared/platform/models/model-names.ts';
import { rerankModelsKnown } from '../../shared/platform/rerank/rerank-models.ts';

export const listModels = endpoint({
  id: 'list-models',
  method: 'GET',
  path: '/v1/models',
  tag: 'Indexes',
  summary: 'List models',
  description: 'The models that an index may choose, the default first. Behind them the rerankers of searches.',
  auth: { needs: 'read', servesBound: true },
  uses: { models: embeddingModelsKnown, rerankModels: rerankModelsKnown },
  status: 200,
  response: z.array(EmbeddingModel),
  handle: ({ deps }) =>
    Promise.resolve([
      ...deps.models.all.map(({ id, provider, dimensions, maxInputTokens, notes, hasInputTypes }, at) => ({
        kind: 'embedding' as const,
        id,
        provider,
        dimensions: dimensions[0] ?? null,
        supported_dimensions: [...dimensions],
        max_input_tokens: maxInputTokens,
        notes,
        has_input_types: hasInputTypes,
        is_default: at === 0,
      })),
      ...deps.rerankModels.all.map(({ id, provider, notes, candidates, blend }, at) => ({
        kind: 'rerank' as const,
        id,
        provider,
        dimensions: null,
        supported_dimensions: [],
        max_input_tokens: null,
        notes,
        has_input_types: true,
        is_default: at === 0,
        rerank: { candidates, blend },
      })),
    ]),
});
