import type { IndexRecord } from '../indexes/index.ts';
import type { Fusion } from '#engine';
import { embeddedModel } from '../platform/models/model-names.ts';

/** Fusion as requested by the caller. */
export interface FusionChoice {
  readonly method: Fusion['method'];
  readonly k: number;
  readonly dense_weight?: number | undefined;
}

const equalWeight = 0.5;

/** Weights for the embedded model, which understands English. `docs/search.md` has the measurements. */
const embeddedWeights = { latin: 0.4, other: 0.1 } as const;

const countOf = (text: string, letters: RegExp): number => text.match(letters)?.length ?? 0;

/** Returns the weight for a text that the embedded model embeds. It knows few words in other scripts than Latin. */
const embeddedWeightOf = (text: string): number => {
  const isLatin = 2 * countOf(text, /\p{Script=Latin}/gu) >= countOf(text, /\p{L}/gu);
  return isLatin ? embeddedWeights.latin : embeddedWeights.other;
};

/**
 * Returns the fusion of a hybrid search.
 * @param embeddedText Text that the model of the index embeds; null if the caller provides the vector.
 */
export const chooseFusion = (
  { method, k, dense_weight: requested }: FusionChoice,
  index: Pick<IndexRecord, 'embeddingModel'>,
  embeddedText: string | null,
): Fusion => {
  const isEmbedded = embeddedText !== null && index.embeddingModel === embeddedModel;
  return { method, k, denseWeight: requested ?? (isEmbedded ? embeddedWeightOf(embeddedText) : equalWeight) };
};
