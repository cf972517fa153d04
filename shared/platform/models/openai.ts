import * as z from 'zod';
import type { Clock } from '../../kernel/clock.ts';
import { retryAfterSeconds } from '../../kernel/retry-after.ts';
import { isUnknownHost, ModelFault, statusFault } from './call-model.ts';
import type { RemoteModel } from './remote.ts';

/** A model on a machine without a graphics card takes about as long for each text of a request. */
const timeoutMs = (texts: number): number => 8_000 + 500 * texts;

/** As errors name it to operators. */
const server = 'the embedding server (openai)';

const Answer = z.object({
  data: z.array(z.object({ index: z.number().int(), embedding: z.array(z.number()) })),
  usage: z.object({ total_tokens: z.number().int() }).optional(),
});

const post = async (url: string, key: string, body: { readonly input: readonly string[] }): Promise<Response> => {
  try {
    return await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify(body),
      // An address that moves could take the key along.
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs(body.input.length)),
    });
  } catch (error) {
    // What fetch throws has the fault of the connection as its cause.
    const isTransientFault = !(error instanceof Error && isUnknownHost(error.cause));
    throw new ModelFault(`${server} gave no answer`, { isTransient: isTransientFault, cause: error });
  }
};

/**
 * Any service with OpenAI's `/embeddings`: https://platform.openai.com/docs/api-reference/embeddings
 * @param options `baseUrl` without a slash at the end; `readKey` is asked for each request, so that a new key is taken up.
 */
export const openAiModel = (options: {
  readonly baseUrl: string;
  readonly model: string;
  readonly readKey: () => Promise<string>;
  readonly clock: Clock;
}): RemoteModel => {
  const { baseUrl, model, readKey, clock } = options;
  return {
    model: `openai/${model}`,
    limits: { texts: 128, tokens: 100_000, textBytes: 8_000, concurrency: 4 },
    request: async (texts) => {
      const body = { model, input: texts, encoding_format: 'float' };
      const response = await post(`${baseUrl}/embeddings`, await readKey(), body);
      if (!response.ok) {
        await response.body?.cancel();
        const retryAfter = retryAfterSeconds(response.headers.get('retry-after'), clock.now());
        throw statusFault(server, response.status, retryAfter);
      }
      const answer = Answer.safeParse(await response.json().catch(() => null));
      if (!answer.success) throw new ModelFault(`${server} gave another answer than expected`, { isTransient: false });
      const { data, usage } = answer.data;
      const vectors = data.toSorted((a, b) => a.index - b.index).map(({ embedding }) => Float32Array.from(embedding));
      return { vectors, tokens: usage?.total_tokens ?? 0 };
    },
  };
};
