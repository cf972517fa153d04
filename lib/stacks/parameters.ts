import { CfnParameter, type Stack } from 'aws-cdk-lib';
import { audioProviders, bedrockEmbeddingModel, embeddingProviders, ocrProviders } from '../../shared/kernel/config.ts';

/** Value of the stack's parameter `AllowLocalWebhooks`: `true` or `false`. */
export const localWebhooksParameter = (stack: Stack): string =>
  new CfnParameter(stack, 'AllowLocalWebhooks', {
    default: 'false',
    allowedValues: ['true', 'false'],
    description: 'Whether webhook addresses may be http://localhost; true makes sense on one machine alone',
  }).valueAsString;

/** Variables of functions that make indexes and check which of them can be asked by text. */
export const embeddingParameters = (stack: Stack) => ({
  STRATA_EMBEDDING_PROVIDER: new CfnParameter(stack, 'EmbeddingProvider', {
    default: 'bedrock',
    allowedValues: [...embeddingProviders],
    description: 'What turns text into vectors in new indexes; the same in every stack',
  }).valueAsString,
  STRATA_EMBEDDING_MODEL: new CfnParameter(stack, 'EmbeddingModel', {
    default: bedrockEmbeddingModel,
    description: 'Name of the model at its provider; the same in every stack',
  }).valueAsString,
});

/** Variables of functions that call models. */
export const modelParameters = (stack: Stack) => ({
  ...embeddingParameters(stack),
  STRATA_EMBEDDING_BASE_URL: new CfnParameter(stack, 'EmbeddingBaseUrl', {
    default: 'https://api.openai.com/v1',
    allowedPattern: '^https://[^\\s?#]+$',
    description: 'Where an OpenAI-compatible provider has /embeddings; used by EmbeddingProvider=openai alone',
  }).valueAsString,
  STRATA_OCR_PROVIDER: new CfnParameter(stack, 'OcrProvider', {
    default: 'textract',
    allowedValues: [...ocrProviders],
    description: 'What reads the text of scanned pages and pictures',
  }).valueAsString,
  STRATA_AUDIO_PROVIDER: new CfnParameter(stack, 'AudioProvider', {
    default: 'transcribe',
    allowedValues: [...audioProviders],
    description: 'What writes down recordings',
  }).valueAsString,
});
