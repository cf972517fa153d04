import { capability } from '../../kernel/capability.ts';
import { crossEncoder, tokenSimilarity } from './names.ts';

/** Reranker of a deployment, with the defaults of its requests. */
export interface RerankModel {
  readonly id: string;
  readonly provider: 'embedded';
  /** Hits that it scores by default. */
  readonly candidates: number;
  /** Share of its scores by default. */
  readonly blend: number;
  readonly notes: string;
}

/** Rerankers that every deployment has. `docs/search.md` has the measurements behind the defaults. */
const embeddedRerankers: readonly [RerankModel, ...RerankModel[]] = [
  {
    id: crossEncoder,
    provider: 'embedded',
    candidates: 20,
    blend: 0.25,
    notes: 'Cross-encoder for English questions and passages.',
  },
  {
    id: tokenSimilarity,
    provider: 'embedded',
    candidates: 20,
    blend: 0.5,
    notes: 'Late interaction over the token vectors of the embedded model. English.',
  },
];

/** The rerankers of a deployment, the default first. */
export interface RerankModels {
  readonly all: readonly RerankModel[];
}

export const rerankModelsKnown = capability<RerankModels>([], () => ({ all: embeddedRerankers }));
