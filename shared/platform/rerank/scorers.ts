import { join } from 'node:path';
import { capability, type Runtime } from '../../kernel/capability.ts';
import { memoizePerKey } from '../../kernel/memoize.ts';
import { openSecretReader } from '../aws/secret-parameter.ts';
import { embeddedModelFolders, englishModel } from '../models/assets.ts';
import { lazyOnnxEncoder } from '../models/onnx-encoder.ts';
import { bedrockReranker } from './bedrock-reranker.ts';
import { lazyCrossEncoder, type ScoreTexts } from './cross-encoder.ts';
import { httpReranker } from './http-reranker.ts';
import { crossEncoder, embeddedRerankerFolder, tokenSimilarity } from './names.ts';
import { idOfChoice } from './rerank-models.ts';
import { tokenSimilarityOf } from './token-similarity.ts';

/** Returns the reranker of a name that runs in this process, or that this process calls. */
export type Scorers = (model: string) => ScoreTexts;

/** Returns the embedded rerankers. @param assetsDirectory Directory with the folders of the models. */
export const scorersOf = (assetsDirectory: string): Scorers =>
  memoizePerKey((model: string): ScoreTexts => {
    if (model === crossEncoder) return lazyCrossEncoder(join(assetsDirectory, embeddedRerankerFolder));
    if (model === tokenSimilarity)
      return tokenSimilarityOf(lazyOnnxEncoder(join(assetsDirectory, embeddedModelFolders[englishModel])));
    throw new Error(`there is no reranker ${model}`);
  });

/** Opens the reranker that the deployment has chosen. Null: it has none besides the embedded ones. */
const openChosen = (runtime: Runtime): ScoreTexts | null => {
  const { reranker, region } = runtime.config;
  switch (reranker?.provider) {
    case 'bedrock':
      return bedrockReranker({ region, modelId: reranker.model });
    case 'http': {
      const { model, base_url: baseUrl, field, api_key: key } = reranker;
      return httpReranker({
        baseUrl,
        model,
        field,
        readKey: key === null ? null : openSecretReader(runtime, key, region),
      });
    }
    case 'model-folder':
      return lazyCrossEncoder(reranker.directory);
    case 'embedded':
    case 'off':
    case undefined:
      return null;
  }
};

/** Runs the embedded rerankers, and calls the one that the deployment has chosen. */
export const scorersUse = capability<Scorers>(['models.rerank'], (runtime) => {
  const { assetsDirectory, reranker } = runtime.config;
  const embedded = scorersOf(assetsDirectory);
  const chosen = openChosen(runtime);
  return (model) =>
    chosen !== null && reranker !== undefined && model === idOfChoice(reranker) ? chosen : embedded(model);
});
