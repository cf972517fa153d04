import type { IndexRecord } from '../indexes/index.ts';
import { certainLanguage, type Fusion, type TextLanguage } from '#engine';
import { englishModel, multilingualModel } from '../platform/models/assets.ts';

/** Fusion as requested by the caller. */
export interface FusionChoice {
  readonly method: Fusion['method'];
  readonly k: number;
  readonly dense_weight?: number | undefined;
}

type FusedIndex = Pick<IndexRecord, 'embeddingModel' | 'textLanguage'>;

const equalWeight = 0.5;

/**
 * Weights for the embedded model that understands English. `npm run bench:quality -- --cross-validate` chooses them, and
 * `docs/search.md` has the measurements.
 */
const embeddedWeights = { english: 0.5, other: 0.1 } as const;

const countOf = (text: string, letters: RegExp): number => text.match(letters)?.length ?? 0;

/** Returns the weight for a text that this model embeds. It knows few words in other scripts than Latin. */
const embeddedWeightOf = (text: string, language: TextLanguage): number => {
  const isLatin = 2 * countOf(text, /\p{Script=Latin}/gu) >= countOf(text, /\p{L}/gu);
  return embeddedWeights[isLatin && language === 'english' ? 'english' : 'other'];
};

/**
 * Weight of a query in another language than the texts of an index. Its words find rows by accident, and its meaning finds
 * them if the model reads both languages.
 */
const foreignWeight = 0.9;

const isForeign = (text: string, language: TextLanguage): boolean => {
  if (language === 'none' || language === 'auto') return false;
  const found = certainLanguage(text);
  return found !== null && found !== language;
};

/** Returns the weight of the dense side for a text that a model embeds. */
const weightOf = (text: string, { embeddingModel, textLanguage }: FusedIndex): number => {
  if (embeddingModel === englishModel) return embeddedWeightOf(text, textLanguage);
  return embeddingModel === multilingualModel && isForeign(text, textLanguage) ? foreignWeight : equalWeight;
};

/** Fusion of a search that names none. */
const defaultFusion: FusionChoice = { method: 'weighted', k: 10 };

/**
 * Returns the fusion of a hybrid search.
 * @param embeddedText Text that the model of the index embeds; null if the caller provides the vector.
 */
export const chooseFusion = (
  requested: FusionChoice | null | undefined,
  index: FusedIndex,
  embeddedText: string | null,
): Fusion => {
  const { method, k, dense_weight: weight } = requested ?? defaultFusion;
  return { method, k, denseWeight: weight ?? (embeddedText === null ? equalWeight : weightOf(embeddedText, index)) };
};
