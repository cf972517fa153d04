import * as z from 'zod';
import type { ScoreTexts } from './cross-encoder.ts';

/** Milliseconds of one request. */
const requestTimeoutMs = 8_000;

const Scored = z
  .object({ index: z.number().int(), relevance_score: z.number().optional(), score: z.number().optional() })
  .transform(({ index, relevance_score: relevance, score }) => ({ index, score: relevance ?? score ?? Number.NaN }));

/** Responses of Cohere, Jina and vLLM (`results`), Voyage (`data`), and Text Embeddings Inference (a list). */
const Response = z
  .union([
    z.object({
      results: z.array(Scored),
      meta: z.object({ billed_units: z.object({ search_units: z.number() }).optional() }).optional(),
      usage: z.object({ total_tokens: z.number() }).optional(),
    }),
    z.object({ data: z.array(Scored), usage: z.object({ total_tokens: z.number() }).optional() }),
    z.array(Scored),
  ])
  .transform((response) => {
    if (Array.isArray(response)) return { scored: response, units: null };
    const tokens = response.usage?.total_tokens ?? null;
    if ('data' in response) return { scored: response.data, units: tokens };
    return { scored: response.results, units: response.meta?.billed_units?.search_units ?? tokens };
  });

/**
 * Scores texts by a service with `POST /rerank`.
 * @param options `baseUrl` has no trailing slash. `field`: name of the texts in a request, `texts` for Text Embeddings
 *   Inference. `readKey`: null for a service without a key.
 */
export const httpReranker =
  (options: {
    readonly baseUrl: string;
    readonly model: string;
    readonly field: 'documents' | 'texts';
    readonly readKey: (() => Promise<string>) | null;
  }): ScoreTexts =>
  async (query, texts) => {
    const { baseUrl, model, field, readKey } = options;
    const response = await fetch(`${baseUrl}/rerank`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(readKey === null ? {} : { authorization: `Bearer ${await readKey()}` }),
      },
      body: JSON.stringify(field === 'texts' ? { query, texts, truncate: true } : { model, query, documents: texts }),
      // A redirect could leak the key.
      redirect: 'error',
      signal: AbortSignal.timeout(requestTimeoutMs),
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new Error(`The reranker responded with status ${response.status}`);
    }
    const { scored, units } = Response.parse(await response.json());
    const scores = new Map(scored.map(({ index, score }) => [index, score]));
    return { scores: texts.map((_, at) => scores.get(at) ?? Number.NaN), units: Math.ceil(units ?? texts.length) };
  };
