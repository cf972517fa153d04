import * as z from 'zod';
import { endpoint } from '../../shared/http/endpoint.ts';
import { EmbeddingModel } from '../../shared/indexes/index.ts';
import { embeddingModelsKnown } from '../../shared/platform/models/model-names.ts';

export const listModels = endpoint({
  id: 'list-models',
  method: 'GET',
  path: '/v1/models',
  tag: 'Indexes',
  summary: 'List embedding models',
  description: 'The models that an index may choose, the default first.',
  auth: { needs: 'read' },
  uses: { models: embeddingModelsKnown },
  status: 200,
  response: z.array(EmbeddingModel),
  handle: ({ deps }) =>
    Promise.resolve(
      deps.models.all.map(({ id, provider, dimensions, maxInputTokens, notes, hasInputTypes }, at) => ({
        id,
        provider,
        dimensions: dimensions[0] ?? null,
        supported_dimensions: [...dimensions],
        max_input_tokens: maxInputTokens,
        notes,
        has_input_types: hasInputTypes,
        is_default: at === 0,
      })),
    ),
});
