import type { BedrockAgentRuntimeClientConfig, RerankCommandInput } from '@aws-sdk/client-bedrock-agent-runtime';
import { lazy } from '../../kernel/memoize.ts';
import type { ScoreTexts } from './cross-encoder.ts';

/** Milliseconds of one request. */
const requestTimeoutMs = 8_000;

/** Texts and characters of a text that one unit contains. Source: AWS, "Amazon Bedrock pricing", 500 tokens a text. */
const [unitTexts, unitCharacters] = [100, 2_000];

/** Returns the billed units of texts. A long text counts several times. */
const unitsOf = (texts: readonly string[]): number => {
  const parts = texts.reduce((sum, text) => sum + Math.max(1, Math.ceil(text.length / unitCharacters)), 0);
  return Math.ceil(parts / unitTexts);
};

/** Scores texts by a reranker of Bedrock. */
export const bedrockReranker = (options: {
  readonly region: string;
  readonly modelId: string;
  /** Default: the settings of the SDK. */
  readonly requestHandler?: NonNullable<BedrockAgentRuntimeClientConfig['requestHandler']>;
}): ScoreTexts => {
  const { modelId, ...connection } = options;
  const connect = lazy(async () => {
    const { BedrockAgentRuntimeClient } = await import('@aws-sdk/client-bedrock-agent-runtime');
    // A search does not wait for repeats.
    return new BedrockAgentRuntimeClient({ ...connection, maxAttempts: 1 });
  });
  return async (query, texts) => {
    const { RerankCommand } = await import('@aws-sdk/client-bedrock-agent-runtime');
    const client = await connect();
    const scores = new Map<number, number>();
    const input: RerankCommandInput = {
      queries: [{ type: 'TEXT', textQuery: { text: query } }],
      sources: texts.map((text) => ({
        type: 'INLINE',
        // A document needs a character.
        inlineDocumentSource: { type: 'TEXT', textDocument: { text: text.trim() === '' ? '-' : text } },
      })),
      rerankingConfiguration: {
        type: 'BEDROCK_RERANKING_MODEL',
        bedrockRerankingConfiguration: {
          numberOfResults: texts.length,
          modelConfiguration: { modelArn: `arn:aws:bedrock:${options.region}::foundation-model/${modelId}` },
        },
      },
    };
    const abortSignal = AbortSignal.timeout(requestTimeoutMs);
    let nextToken: string | undefined;
    do {
      const page = await client.send(new RerankCommand({ ...input, nextToken }), { abortSignal });
      for (const { index, relevanceScore } of page.results ?? [])
        if (index !== undefined && relevanceScore !== undefined) scores.set(index, relevanceScore);
      nextToken = page.nextToken;
    } while (nextToken !== undefined);
    return { scores: texts.map((_, at) => scores.get(at) ?? Number.NaN), units: unitsOf(texts) };
  };
};
