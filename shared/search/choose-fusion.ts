import type { IndexRecord } from '../indexes/index.ts';
import type { Fusion } from '../platform/engine/port.ts';
import { embeddedModel } from '../platform/models/model-names.ts';

/** What a caller says of the fusion. */
export interface FusionChoice {
  readonly method: Fusion['method'];
  readonly k: number;
  readonly dense_weight?: number | undefined;
}

/** The embedded model is weaker than BM25, so that with equal weights it would drag a hybrid search down; see ADR 28. */
const embeddedWeight = 0.3;
const equalWeight = 0.5;

/**
 * The fusion of a hybrid search.
 * @param ownVector whether the caller gives the vector, of which nobody knows how good it is.
 */
export const chooseFusion = (
  { method, k, dense_weight: asked }: FusionChoice,
  index: Pick<IndexRecord, 'embeddingModel'>,
  ownVector: boolean,
): Fusion => {
  const usual = index.embeddingModel === embeddedModel && !ownVector ? embeddedWeight : equalWeight;
  return { method, k, denseWeight: asked ?? usual };
};
