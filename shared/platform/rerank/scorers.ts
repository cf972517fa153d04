import { join } from 'node:path';
import { capability } from '../../kernel/capability.ts';
import { memoizePerKey } from '../../kernel/memoize.ts';
import { embeddedModelFolder } from '../models/assets.ts';
import { lazyOnnxEncoder } from '../models/onnx-encoder.ts';
import { lazyCrossEncoder, type ScoreTexts } from './cross-encoder.ts';
import { crossEncoder, embeddedRerankerFolder, tokenSimilarity } from './names.ts';
import { tokenSimilarityOf } from './token-similarity.ts';

/** Returns the reranker of a name that runs in this process. */
export type Scorers = (model: string) => ScoreTexts;

/** Returns the embedded rerankers. @param assetsDirectory Directory with the folders of the models. */
export const scorersOf = (assetsDirectory: string): Scorers =>
  memoizePerKey((model: string): ScoreTexts => {
    if (model === crossEncoder) return lazyCrossEncoder(join(assetsDirectory, embeddedRerankerFolder));
    if (model === tokenSimilarity)
      return tokenSimilarityOf(lazyOnnxEncoder(join(assetsDirectory, embeddedModelFolder)));
    throw new Error(`there is no reranker ${model}`);
  });

/** Runs the embedded rerankers. */
export const scorersUse = capability<Scorers>([], ({ config: { assetsDirectory } }) => scorersOf(assetsDirectory));
