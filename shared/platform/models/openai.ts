import * as z from 'zod';
import type { Clock } from '../../kernel/clock.ts';
import { retryAfterSeconds } from '../../kernel/retry-after.ts';
import { isUnknownHost, ModelFault, statusFault } from './call-model.ts';
import type { InputType } from './input-types.ts';
import type { TextUse } from './port.ts';
import type { RemoteModel } from './remote.ts';

/** Timeout for a number of texts. A model without a GPU takes about this long for each text. */
const timeoutMs = (texts: number): number => 8_000 + 500 * texts;

/** Name in errors for operators. */
const server = 'The embedding server (openai)';

const Answer = z.object({
  data: z.array(z.object({ index: z.number().int(), embedding: z.array(z.number()) })),
  usage: z.object({ total_tokens: z.number().int() }).optional(),
});

const post = async (
  url: string,
  key: string,
  body: { readonly input: readonly string[]; readonly [field: string]: unknown },
): Promise<Response> => {
  try {
    return await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify(body),
      // A redirect could leak the key.
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs(body.input.length)),
    });
  } catch (error) {
    // An error of fetch has the connection error as its cause.
    const isTransientFault = !(error instanceof Error && isUnknownHost(error.cause));
    throw new ModelFault(`${server} did not respond`, { isTransient: isTransientFault, cause: error });
  }
};

/**
 * Any service with OpenAI's `/embeddings`: https://platform.openai.com/docs/api-reference/embeddings
 * @param options `baseUrl` has no trailing slash. `readKey` is called for each request, so that a new key takes effect.
 *   `inputTypes`: how the model reads queries and documents; null if alike.
 */
export const openAiModel = (options: {
  readonly baseUrl: string;
  readonly model: string;
  readonly inputTypes?: Readonly<Record<TextUse, InputType>> | null;
  readonly readKey: () => Promise<string>;
  readonly clock: Clock;
}): RemoteModel => {
  const { baseUrl, model, inputTypes = null, readKey, clock } = options;
  return {
    model: `openai/${model}`,
    // Cohere takes 96 texts.
    limits: { texts: 96, tokens: 100_000, textBytes: 8_000, concurrency: 4 },
    request: async (texts, _, use) => {
      const { prefix = '', fields = {} } = inputTypes?.[use] ?? {};
      const input = texts.map((text) => `${prefix}${text}`);
      const body = { model, input, encoding_format: 'float', ...fields };
      const response = await post(`${baseUrl}/embeddings`, await readKey(), body);
      if (!response.ok) {
        await response.body?.cancel();
        const retryAfter = retryAfterSeconds(response.headers.get('retry-after'), clock.now());
        throw statusFault(server, response.status, retryAfter);
      }
      const answer = Answer.safeParse(await response.json().catch(() => null));
      if (!answer.success) throw new ModelFault(`${server} returned an unexpected response`, { isTransient: false });
      const { data, usage } = answer.data;
      const vectors = data.toSorted((a, b) => a.index - b.index).map(({ embedding }) => Float32Array.from(embedding));
      return { vectors, tokens: usage?.total_tokens ?? 0 };
    },
  };
};
