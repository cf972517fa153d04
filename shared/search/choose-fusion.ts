import type { IndexRecord } from '../indexes/index.ts';
import type { Fusion } from '../platform/engine/port.ts';
import { embeddedModel } from '../platform/models/model-names.ts';

/** Fusion as requested by the caller. */
export interface FusionChoice {
  readonly method: Fusion['method'];
  readonly k: number;
  readonly dense_weight?: number | undefined;
}

/** The embedded model is weaker than BM25: equal weights would make hybrid search worse. See ADR 28. */
const embeddedWeight = 0.3;
const equalWeight = 0.5;

/**
 * Returns the fusion of a hybrid search.
 * @param ownVector Whether the caller provides the vector, whose quality is unknown.
 */
export const chooseFusion = (
  { method, k, dense_weight: requested }: FusionChoice,
  index: Pick<IndexRecord, 'embeddingModel'>,
  ownVector: boolean,
): Fusion => {
  const usual = index.embeddingModel === embeddedModel && !ownVector ? embeddedWeight : equalWeight;
  return { method, k, denseWeight: requested ?? usual };
};
