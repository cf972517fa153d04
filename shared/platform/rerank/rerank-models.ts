import { capability } from '../../kernel/capability.ts';
import type { RerankerChoice, rerankProviders } from '../../kernel/config.ts';
import { crossEncoder, tokenSimilarity } from './names.ts';

/** Reranker of a deployment, with the defaults of its requests. */
export interface RerankModel {
  readonly id: string;
  readonly provider: Exclude<(typeof rerankProviders)[number], 'off'>;
  /** `remote`: each page of a search would be sent to a provider again. */
  readonly runs: 'here' | 'remote';
  /** Hits that it scores by default. */
  readonly candidates: number;
  /** Share of its scores by default. */
  readonly blend: number;
  readonly notes: string | null;
}

/** Rerankers that every deployment has, unless they are off. `docs/search.md` has the measurements behind the defaults. */
const embeddedRerankers: readonly RerankModel[] = [
  {
    id: crossEncoder,
    provider: 'embedded',
    runs: 'here',
    candidates: 20,
    blend: 0.25,
    notes: 'Cross-encoder for English questions and passages.',
  },
  {
    id: tokenSimilarity,
    provider: 'embedded',
    runs: 'here',
    candidates: 20,
    blend: 0.5,
    notes: 'Late interaction over the token vectors of the embedded model. English.',
  },
];

/** Returns the id of a chosen reranker. Null: it is no further one. */
export const idOfChoice = (choice: RerankerChoice): string | null =>
  'model' in choice ? `${choice.provider}/${choice.model}` : null;

/** Returns the rerankers of a choice, the default first. A strong one replaces the scores of the first stage. */
export const rerankModelsOf = (choice: RerankerChoice): readonly RerankModel[] => {
  if (choice.provider === 'off') return [];
  const id = idOfChoice(choice);
  if (id === null) return embeddedRerankers;
  const isFolder = choice.provider === 'model-folder';
  const chosen: RerankModel = {
    id,
    provider: choice.provider,
    runs: isFolder ? 'here' : 'remote',
    candidates: isFolder ? 20 : 50,
    blend: 1,
    notes: null,
  };
  return [chosen, ...embeddedRerankers];
};

/** The rerankers of a deployment, the default first. */
export interface RerankModels {
  readonly all: readonly RerankModel[];
}

export const rerankModelsKnown = capability<RerankModels>([], ({ config: { reranker } }) => ({
  all: rerankModelsOf(reranker ?? { provider: 'embedded' }),
}));
