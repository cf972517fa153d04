import * as z from 'zod';
import { maxDimensions } from '../../kernel/bounds.ts';
import type { ListedModel } from '../../kernel/config.ts';
import { type EmbeddingSecretName, secretNames } from '../../kernel/names.ts';
import { bedrockModels } from './bedrock.ts';

/** Bytes of the list as JSON. A function has 4 KB for its whole environment. */
const maxListBytes = 2_000;

const ownAddress = /^http:\/\/(localhost|127\.0\.0\.1)(:\d+)?(\/|$)/;

/** Details of a model. Known models have theirs in code. */
const details = {
  dimensions: z.array(z.number().int().min(1).max(maxDimensions)).min(1).max(10).optional(),
  max_input_tokens: z.number().int().min(1).optional(),
  notes: z.string().max(200).optional(),
};

export const ModelName = z.string().regex(/^[\w./:@-]{1,100}$/);

/** Address of a provider, without a trailing slash. */
export const ModelAddress = z
  .url()
  .refine((url) => url.startsWith('https://') || ownAddress.test(url), 'must be https')
  .transform((url) => url.replace(/\/+$/, ''));

/** Value of the context `embeddingModels`. */
const EmbeddingModelList = z.array(
  z.discriminatedUnion('provider', [
    z.strictObject({ provider: z.literal('bedrock'), model: z.enum(bedrockModels), ...details }),
    z.strictObject({
      provider: z.literal('openai'),
      model: ModelName,
      base_url: ModelAddress.optional(),
      api_key: z
        .custom<EmbeddingSecretName>(
          (name) => typeof name === 'string' && /^embedding-api-key(-[a-z0-9-]{1,40})?$/.test(name),
          `must be ${secretNames.embedding}, or begin with ${secretNames.embedding}-`,
        )
        .default(secretNames.embedding),
      ...details,
    }),
    z.strictObject({ provider: z.literal('model-folder'), model: ModelName, directory: z.string().min(1), ...details }),
  ]),
);

/**
 * Checks a list of embedding models: an array, or its JSON.
 * @throws Error that states what to change.
 */
export const readModelList = (value: unknown): readonly ListedModel[] => {
  if (value === undefined || value === '') return [];
  const fault = (reason: string): Error => new Error(`embeddingModels: ${reason}`);
  let content: unknown = value;
  try {
    if (typeof value === 'string') content = JSON.parse(value);
  } catch {
    throw fault('the value is neither a list nor JSON');
  }
  const { data, error } = EmbeddingModelList.safeParse(content);
  if (data === undefined) throw fault(z.prettifyError(error));
  const names = data.map(({ provider, model }) => `${provider}/${model}`);
  const repeated = names.find((name, at) => names.indexOf(name) < at);
  if (repeated !== undefined) throw fault(`${repeated} is listed twice`);
  const bytes = Buffer.byteLength(JSON.stringify(data));
  if (bytes > maxListBytes) throw fault(`the list has ${bytes} bytes as JSON, ${maxListBytes} are possible`);
  return data;
};
