import * as z from 'zod';
import type { Clock } from '../../kernel/clock.ts';
import { lazy } from '../../kernel/memoize.ts';
import { ModelFault, sdkFault } from './call-model.ts';
import type { RemoteModel } from './remote.ts';

/** https://docs.aws.amazon.com/bedrock/latest/userguide/titan-embedding-models.html */
const sizes = [256, 512, 1_024] as const;
const requestTimeoutMs = 8_000;

const Answer = z.object({ embedding: z.array(z.number()), inputTextTokenCount: z.number().int() });

const nearestSize = (dimensions: number): number => sizes.find((size) => size >= dimensions) ?? 1_024;

/** Amazon Titan Text Embeddings V2 in Bedrock: 8,192 tokens, over 100 languages, one text for each request. */
export const bedrockModel = (options: {
  readonly region: string;
  readonly modelId: string;
  readonly clock: Clock;
}): RemoteModel => {
  const { region, modelId, clock } = options;
  const connect = lazy(async () => {
    const { BedrockRuntimeClient } = await import('@aws-sdk/client-bedrock-runtime');
    // The caller retries, since it knows the circuit breaker.
    return new BedrockRuntimeClient({ region, maxAttempts: 1 });
  });
  return {
    model: `bedrock/${modelId}`,
    limits: { texts: 1, tokens: Number.POSITIVE_INFINITY, textBytes: 8_000, concurrency: 8 },
    request: async ([inputText], dimensions) => {
      const { InvokeModelCommand } = await import('@aws-sdk/client-bedrock-runtime');
      const client = await connect();
      const command = new InvokeModelCommand({
        modelId,
        contentType: 'application/json',
        accept: 'application/json',
        body: JSON.stringify({ inputText, dimensions: nearestSize(dimensions), normalize: true }),
      });
      const abortSignal = AbortSignal.timeout(requestTimeoutMs);
      const { body } = await client.send(command, { abortSignal }).catch((error: unknown) => {
        throw sdkFault('Bedrock', error, clock.now());
      });
      const answer = Answer.safeParse(JSON.parse(body.transformToString()));
      if (!answer.success) throw new ModelFault('Bedrock returned an unexpected response', { isTransient: false });
      const { embedding, inputTextTokenCount } = answer.data;
      return { vectors: [Float32Array.from(embedding)], tokens: inputTextTokenCount };
    },
  };
};
