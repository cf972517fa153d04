import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { maxDimensions } from '../../kernel/bounds.ts';
import { ModelFault } from './call-model.ts';

/** Configuration of a sentence encoder: `embedding.json` in its folder, beside `model.onnx` and `tokenizer.json`. */
export const EmbeddingConfig = z.strictObject({
  /** Second part of the model name that indexes store. */
  name: z.string().regex(/^[\w.-]{1,100}$/),
  /** Numbers of the model's own vectors. */
  dimensions: z.number().int().min(1).max(maxDimensions),
  /** Maximum tokens of one run, with special tokens and prefix. A longer text is read in windows. */
  max_tokens: z.number().int().min(8).max(8_192),
  pooling: z.enum(['mean', 'cls']).default('mean'),
  query_prefix: z.string().max(500).default(''),
  document_prefix: z.string().max(500).default(''),
});
export type EmbeddingConfig = z.output<typeof EmbeddingConfig>;

const embeddingConfigFile = 'embedding.json';

/** A model folder that cannot be used. A retry does not help. */
export class FolderFault extends ModelFault {
  constructor(reason: string) {
    super(`The folder of the embedding model cannot be used: ${reason}`, { isTransient: false });
  }
}

/** Reads the configuration of a model folder. Throws `FolderFault`. */
export const readEmbeddingConfig = async (folder: string): Promise<EmbeddingConfig> => {
  const text = await readFile(join(folder, embeddingConfigFile), 'utf8').catch(() => {
    throw new FolderFault(`there is no ${embeddingConfigFile} in ${folder}`);
  });
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw new FolderFault(`${embeddingConfigFile} is not JSON`);
  }
  const { data, error } = EmbeddingConfig.safeParse(content);
  if (data !== undefined) return data;
  throw new FolderFault(`${embeddingConfigFile}: ${z.prettifyError(error)}`);
};
