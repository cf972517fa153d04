import { englishModel, multilingualModel } from './assets.ts';

/** Facts about a model that callers see. */
export interface ModelFacts {
  /** Sizes of the model's own vectors, the default first; empty if unknown. */
  readonly dimensions: readonly number[];
  /** Tokens of the longest text that the model reads at once; null if unknown. */
  readonly maxInputTokens: number | null;
  /** Languages or other notes, for people; null if unknown. */
  readonly notes: string | null;
}

const facts = (dimensions: readonly number[], maxInputTokens: number, notes: string): ModelFacts => ({
  dimensions,
  maxInputTokens,
  notes,
});

const multilingual = 'About 100 languages.';

/** Matches names with or without publisher and tag. Published by the providers, November 2026. */
const knownModels: readonly (readonly [name: RegExp, ModelFacts])[] = [
  [/^amazon\.titan-embed-text-v2:0$/, facts([1_024, 512, 256], 8_192, multilingual)],
  [/^cohere\.embed-v4:0$|^embed-v4\.0$/, facts([1_536, 1_024, 512, 256], 128_000, multilingual)],
  [/(^|\.)embed-english-v3(\.0)?$/, facts([1_024], 512, 'English.')],
  [/(^|\.)embed-multilingual-v3(\.0)?$/, facts([1_024], 512, multilingual)],
  [/(^|\/)text-embedding-3-small$/, facts([1_536], 8_191, 'Many languages.')],
  [/(^|\/)text-embedding-3-large$/, facts([3_072], 8_191, 'Many languages.')],
  [/(^|\/)nomic-embed-text(:|$|-v1)/i, facts([768], 8_192, 'English.')],
  [/(^|\/)multilingual-e5-small(:|$)/i, facts([384], 512, multilingual)],
  [/(^|\/)multilingual-e5-base(:|$)/i, facts([768], 512, multilingual)],
  [/(^|\/)multilingual-e5-large(:|$)/i, facts([1_024], 512, multilingual)],
];

/** Facts about the models that every deployment includes. */
export const embeddedModelFacts = {
  [englishModel]: facts([384], 256, 'English. Longer texts are read in windows.'),
  [multilingualModel]: facts(
    [384],
    512,
    'About 100 languages, also one against another. Longer texts are read in windows.',
  ),
} as const;

const unknownFacts: ModelFacts = { dimensions: [], maxInputTokens: null, notes: null };

/** Returns the facts about a model by its name at the provider. */
export const factsOf = (model: string): ModelFacts =>
  knownModels.find(([name]) => name.test(model))?.[1] ?? unknownFacts;
