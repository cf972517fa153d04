import * as z from 'zod';
import type { RerankerChoice } from '../../kernel/config.ts';
import { type RerankSecretName, secretNames } from '../../kernel/names.ts';
import { ModelAddress, ModelName } from '../models/model-list.ts';

/** Rerankers of Bedrock. */
const bedrockRerankers = ['amazon.rerank-v1:0', 'cohere.rerank-v3-5:0'] as const;

/** Value of the context `reranker`. */
const Choice = z.discriminatedUnion('provider', [
  z.strictObject({ provider: z.enum(['embedded', 'off']) }),
  z.strictObject({ provider: z.literal('bedrock'), model: z.enum(bedrockRerankers) }),
  z.strictObject({
    provider: z.literal('http'),
    model: ModelName,
    base_url: ModelAddress,
    api_key: z
      .custom<RerankSecretName>(
        (name) => typeof name === 'string' && /^rerank-api-key(-[a-z0-9-]{1,40})?$/.test(name),
        `must be ${secretNames.rerank}, or begin with ${secretNames.rerank}-`,
      )
      .nullable()
      .default(secretNames.rerank),
    field: z.enum(['documents', 'texts']).default('documents'),
  }),
  z.strictObject({ provider: z.literal('model-folder'), model: ModelName, directory: z.string().min(1) }),
]);

/**
 * Checks the choice of a reranker: an object, or its JSON.
 * @throws Error that states what to change.
 */
export const readReranker = (value: unknown): RerankerChoice => {
  if (value === undefined || value === '') return { provider: 'embedded' };
  const fault = (reason: string): Error => new Error(`reranker: ${reason}`);
  let content: unknown = value;
  try {
    if (typeof value === 'string') content = JSON.parse(value);
  } catch {
    throw fault('the value is neither an object nor JSON');
  }
  const { data, error } = Choice.safeParse(content);
  if (data === undefined) throw fault(z.prettifyError(error));
  return data;
};
