import { encodeVector } from '../../../shared/kernel/base64.ts';
import { service } from '../../../shared/pipeline/worker.ts';
import { embedderFunction } from '../../../shared/platform/models/assets.ts';
import { encodersUse } from '../../../shared/platform/models/embedded.ts';
import { EmbedRequest, type EmbedResponse } from '../../../shared/platform/models/embedder-client.ts';

export const embedder = service({
  id: embedderFunction,
  summary: 'Runs the embedded models for the functions of a region',
  scope: 'region',
  request: EmbedRequest,
  uses: { encoders: encodersUse },
  assets: ['onnx', 'embedding-model', 'multilingual-model'],
  // One processor: the models run on one thread.
  memoryMb: 1769,
  // Shorter than the timeout of the callers.
  timeoutSeconds: 25,
  handle: async ({ request: { model, use, texts }, deps }): Promise<EmbedResponse> => {
    const { vectors, tokens } = await deps.encoders(model).encode(texts, use);
    return { vectors: vectors.map(encodeVector), tokens };
  },
});
