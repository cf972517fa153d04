import * as z from 'zod';
import type { Runtime } from '../../kernel/capability.ts';
import { invoke } from '../aws/invoke.ts';
import { rerankerFunction } from './names.ts';
import { type Reranker, RerankFault } from './port.ts';
import type { RerankModel } from './rerank-models.ts';

/** Request to the reranker function. */
export const RerankRequest = z.object({
  model: z.string(),
  query: z.string(),
  texts: z.array(z.string()),
});

export const RerankResponse = z.object({ scores: z.array(z.number()), units: z.number().int() });

/** Characters of a text that are sent: at least as many as a model reads. */
const maxTextCharacters = 4_000;
/** Texts of one request to a model that runs in the function, which cannot be interrupted. A provider gets all at once. */
const textsPerRequest = 8;

/** A reranker as other functions call it: by Invoke of the function in their region, a few texts at a time. */
export const invokedReranker = (runtime: Runtime, model: string, runs: RerankModel['runs']): Reranker => ({
  score: async (query, texts, signal) => {
    const scores: number[] = [];
    let units = 0;
    const size = runs === 'remote' ? texts.length : textsPerRequest;
    for (let at = 0; at < texts.length; at += size) {
      if (signal.aborted) throw new RerankFault('timeout', 'The search has not waited for its reranker');
      const batch = texts.slice(at, at + size).map((text) => text.slice(0, maxTextCharacters).toWellFormed());
      const request: z.infer<typeof RerankRequest> = { model, query: query.slice(0, maxTextCharacters), texts: batch };
      const response = await invoke(runtime, runtime.config.region, rerankerFunction, request).catch(
        (error: unknown) => {
          throw new RerankFault('unavailable', 'The function of the reranker failed', error);
        },
      );
      const parsed = RerankResponse.safeParse(response);
      if (!parsed.success) throw new RerankFault('invalid_response', 'The reranker responded otherwise', parsed.error);
      scores.push(...parsed.data.scores);
      units += parsed.data.units;
    }
    return { scores, units };
  },
});
