import * as z from 'zod';
import { integer, defaulted, optional, whenObject } from '../http/schema-helpers.ts';
import {
  BoostInput,
  ContextInput,
  FacetInput,
  FusionInput,
  GroupInput,
  HighlightInput,
  MinScoreInput,
  RerankInput,
} from '../ranking/index.ts';
import { AsOf } from '../reader/index.ts';
import { VectorInput } from '../vectors/index.ts';

const share = () => z.number().min(0).max(1);

const QueryInput = z
  .strictObject({
    text: optional(z.string().min(1).max(32_768)).describe('Text to search for.'),
    vector: optional(VectorInput),
    weight: defaulted(z.number().min(0).max(100), 1).meta({ description: 'Weight of the query.' }),
  })
  .refine(({ text, vector }) => text !== undefined || vector !== undefined, {
    error: 'give a text or a vector',
    when: whenObject,
  })
  .meta({ id: 'SearchQuery', description: 'One of several queries.' });

/** Field of a request that null switches off, if the index has a default for it. */
const switched = <Schema extends z.ZodType>(schema: Schema, description: string) =>
  schema.nullish().meta({ description: `${description} Null: not even by the defaults of the index.` });

export const fusionField = switched(FusionInput, 'Fusion of the dense and the sparse side.');

/** Fields of the stages behind the sides of a search. */
export const rankingFields = {
  depth: optional(integer().min(1).max(1_000)).meta({
    description:
      'Candidates of each side, on which the further stages work. Default 100, for every `top_k` and `offset`.',
  }),
  queries: optional(z.array(QueryInput).min(1).max(16)).meta({
    description: 'Several queries in place of `text` and `vector`, whose hits are joined into one list.',
  }),
  fuse: defaulted(
    z.enum(['rrf', 'max']).meta({ id: 'QueryFusion', description: 'How hits of several queries are joined.' }),
    'rrf',
  ).meta({ description: 'How hits of `queries` are joined: by reciprocal ranks, or by the highest score.' }),
  boost: switched(BoostInput, 'Boost by metadata.'),
  rerank: switched(RerankInput, 'Reranker of the best candidates.'),
  highlight: optional(HighlightInput),
  context: switched(ContextInput, 'Text around the results.'),
  min_score: optional(MinScoreInput).meta({
    description:
      'Lowest score. A number is for the reranker if there is one, else for the only side. A hybrid search without a reranker needs an object, because fused scores depend on the other hits.',
  }),
  group: switched(GroupInput, 'Groups of hits.'),
  diversity: optional(share()).meta({
    description: 'Share of diversity in the order of hits, by maximal marginal relevance. 0: none.',
  }),
  offset: optional(integer().min(0).max(1_000)).meta({
    description: 'Results before the first returned one, within the candidates.',
  }),
  cursor: optional(z.string().min(1).max(2_000)).meta({
    description:
      '`next_cursor` of the previous page, sent with the request of the first page. Its version, candidates and time of `now` are those of the first page.',
  }),
  rebuild: optional(z.string().min(1).max(100)).meta({
    description: 'Rebuild whose successor is searched in place of the index, before or after it takes over.',
  }),
  as_of: optional(AsOf),
  facets: optional(z.array(FacetInput).max(10)).meta({
    description: 'Keys whose values are counted over all rows that match `filter`.',
  }),
};

/** Ranking as a caller requests it. Null: the stage is switched off. */
export type RankingInput = {
  readonly [Name in keyof typeof rankingFields]?: z.output<(typeof rankingFields)[Name]> | undefined;
};
