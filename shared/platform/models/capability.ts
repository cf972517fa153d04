import { capability } from '../../kernel/capability.ts';
import { createEmbeddedEmbedder } from './embedded.ts';
import type { Embedder } from './port.ts';

/** Turns text into vectors. */
export const embedderUse = capability<Embedder>(['models.embed'], ({ config }) =>
  createEmbeddedEmbedder({ assetsDirectory: config.assetsDirectory }),
);
