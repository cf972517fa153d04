import * as z from 'zod';
import { decodeVector } from '../../kernel/base64.ts';
import type { Runtime } from '../../kernel/capability.ts';
import { AppError } from '../../kernel/errors.ts';
import { FunctionFault, invoke } from '../aws/invoke.ts';
import { embedderFunction, multilingualModel } from './assets.ts';
import { ModelFault, modelRefusal, sdkFault } from './call-model.ts';
import { textUses } from './port.ts';
import type { RemoteModel, RequestLimits } from './remote.ts';

/** Request to the embedder function. */
export const EmbedRequest = z.object({
  model: z.string(),
  use: z.enum(textUses),
  texts: z.array(z.string()),
});
export type EmbedRequest = z.infer<typeof EmbedRequest>;

const EmbedResponse = z.object({ vectors: z.array(z.string()), tokens: z.number().int() });
export type EmbedResponse = z.infer<typeof EmbedResponse>;

/**
 * A request takes up to 0.2 s. On one machine one process serves all functions, so the texts of a file are sent in small
 * batches, between which queries run.
 */
const embedderLimits: RequestLimits = { texts: 16, tokens: 4_000, textBytes: 8_000, concurrency: 2 };

/** Returns the limits of a request for a model of the embedder. The multilingual one has half the speed. */
export const limitsOf = (model: string): RequestLimits =>
  model === multilingualModel ? { ...embedderLimits, tokens: embedderLimits.tokens / 2 } : embedderLimits;

/** The model as other functions call it: by Invoke of the embedder in their region. */
export const invokedModel = (runtime: Runtime, model: string): RemoteModel => ({
  model,
  limits: limitsOf(model),
  request: async (texts, _, use) => {
    const { config, clock } = runtime;
    const request: EmbedRequest = { model, use, texts: [...texts] };
    const response = await invoke(runtime, config.region, embedderFunction, request).catch((error: unknown) => {
      if (error instanceof FunctionFault && !error.isOf(modelRefusal)) throw error;
      if (error instanceof FunctionFault) throw new ModelFault(error.message, { isTransient: false, cause: error });
      if (error instanceof AppError) throw new ModelFault(error.message, { isTransient: true, cause: error });
      throw sdkFault('The function of the embedded model', error, clock.now());
    });
    const { vectors, tokens } = EmbedResponse.parse(response);
    return { vectors: vectors.map(decodeVector), tokens };
  },
});
