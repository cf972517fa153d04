import type { BedrockRuntimeClientConfig } from '@aws-sdk/client-bedrock-runtime';
import * as z from 'zod';
import type { Clock } from '../../kernel/clock.ts';
import { lazy } from '../../kernel/memoize.ts';
import { ModelFault, sdkFault } from './call-model.ts';
import { inputTypesOf } from './input-types.ts';
import { factsOf } from './known-models.ts';
import type { Embedding, TextUse } from './port.ts';
import type { RemoteModel, RequestLimits } from './remote.ts';

/** Embedding models of Bedrock whose requests are known. */
export const bedrockModels = [
  'amazon.titan-embed-text-v2:0',
  'cohere.embed-v4:0',
  'cohere.embed-multilingual-v3',
  'cohere.embed-english-v3',
] as const;

const requestTimeoutMs = 8_000;

/** Request and response of a family of models. */
interface Family {
  readonly limits: RequestLimits;
  /** `size`: one of the model's own. */
  readonly body: (texts: readonly string[], size: number, use: TextUse) => object;
  /** Parses a response; `headerTokens` is the count of tokens in its header. Throws if it has another form. */
  readonly parse: (response: unknown, headerTokens: number) => Embedding;
}

const TitanResponse = z.object({ embedding: z.array(z.number()), inputTextTokenCount: z.number().int() });

/** https://docs.aws.amazon.com/bedrock/latest/userguide/titan-embedding-models.html: one text for each request. */
const titan: Family = {
  limits: { texts: 1, tokens: Number.POSITIVE_INFINITY, textBytes: 8_000, concurrency: 8 },
  body: ([inputText], dimensions) => ({ inputText, dimensions, normalize: true }),
  parse: (response) => {
    const { embedding, inputTextTokenCount: tokens } = TitanResponse.parse(response);
    return { vectors: [Float32Array.from(embedding)], tokens };
  },
};

const CohereResponse = z.object({ embeddings: z.object({ float: z.array(z.array(z.number())) }) });

/**
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-embed.html: the third version takes 2,048
 * characters of a text and has one size. Only the fourth has `output_dimension`.
 */
const cohere = (modelId: string): Family => {
  const hasSizes = modelId.includes('embed-v4');
  const inputTypes = inputTypesOf(modelId);
  return {
    limits: { texts: 96, tokens: 100_000, textBytes: hasSizes ? 8_000 : 2_000, concurrency: 4 },
    body: (texts, size, use) => ({
      texts,
      embedding_types: ['float'],
      ...inputTypes?.[use].fields,
      ...(hasSizes ? { output_dimension: size } : { truncate: 'END' }),
    }),
    parse: (response, tokens) => {
      const { embeddings } = CohereResponse.parse(response);
      return { vectors: embeddings.float.map((vector) => Float32Array.from(vector)), tokens };
    },
  };
};

/** Returns the smallest size of a model that is at least that of the index, else its largest. */
const sizeFor = (modelId: string, dimensions: number): number => {
  const sizes = factsOf(modelId).dimensions.toSorted((a, b) => a - b);
  return sizes.find((size) => size >= dimensions) ?? sizes.at(-1) ?? dimensions;
};

const isHttpResponse = (response: unknown): response is { readonly headers: Readonly<Record<string, string>> } =>
  typeof response === 'object' && response !== null && 'headers' in response;

/** An embedding model in Bedrock. */
export const bedrockModel = (options: {
  readonly region: string;
  readonly modelId: string;
  readonly clock: Clock;
  /** Default: the settings of the SDK. */
  readonly requestHandler?: NonNullable<BedrockRuntimeClientConfig['requestHandler']>;
}): RemoteModel => {
  const { modelId, clock, ...connection } = options;
  const { limits, body, parse } = modelId.startsWith('cohere.') ? cohere(modelId) : titan;
  const connect = lazy(async () => {
    const { BedrockRuntimeClient } = await import('@aws-sdk/client-bedrock-runtime');
    // The caller retries, since it knows the circuit breaker.
    return new BedrockRuntimeClient({ ...connection, maxAttempts: 1 });
  });
  return {
    model: `bedrock/${modelId}`,
    limits,
    request: async (texts, dimensions, use) => {
      const { InvokeModelCommand } = await import('@aws-sdk/client-bedrock-runtime');
      const client = await connect();
      const command = new InvokeModelCommand({
        modelId,
        contentType: 'application/json',
        accept: 'application/json',
        body: JSON.stringify(body(texts, sizeFor(modelId, dimensions), use)),
      });
      // The output of the command lacks the header.
      let headerTokens = 0;
      command.middlewareStack.add(
        (next) => async (args) => {
          const result = await next(args);
          if (isHttpResponse(result.response))
            headerTokens = Number(result.response.headers['x-amzn-bedrock-input-token-count'] ?? 0);
          return result;
        },
        { step: 'deserialize' },
      );
      const abortSignal = AbortSignal.timeout(requestTimeoutMs);
      const { body: response } = await client.send(command, { abortSignal }).catch((error: unknown) => {
        throw sdkFault('Bedrock', error, clock.now());
      });
      try {
        return parse(JSON.parse(response.transformToString()), headerTokens);
      } catch (error) {
        throw new ModelFault('Bedrock returned an unexpected response', { isTransient: false, cause: error });
      }
    },
  };
};
