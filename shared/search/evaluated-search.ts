import * as z from 'zod';
import { fusionField } from './ranking-fields.ts';
import { searchFields } from './schemas.ts';

const { filter, exact, depth, boost, rerank, min_score, group, diversity } = searchFields;

/** Characters of a search as JSON. It is stored with its evaluation. */
const maxCharacters = 16_384;

const fields = {
  name: z.string().min(1).max(64).describe('Name of the search in the results.'),
  filter,
  exact,
  depth,
  boost,
  rerank,
  min_score,
  group,
  diversity,
};

/** A search without its question, as far as it decides which rows are found and in which order. */
export const EvaluatedSearch = z
  .discriminatedUnion('mode', [
    z.strictObject({ mode: z.literal('dense').describe('Search by meaning.'), ...fields }).meta({
      id: 'EvaluatedDenseSearch',
      description: 'A search by meaning, whose text is that of each question.',
      examples: [{ name: 'meaning', mode: 'dense' }],
    }),
    z.strictObject({ mode: z.literal('sparse').describe('Search by words.'), ...fields }).meta({
      id: 'EvaluatedSparseSearch',
      description: 'A search by words, whose text is that of each question.',
      examples: [{ name: 'words', mode: 'sparse' }],
    }),
    z
      .strictObject({
        mode: z.literal('hybrid').describe('Search by meaning and words.'),
        ...fields,
        fusion: fusionField,
      })
      .meta({
        id: 'EvaluatedHybridSearch',
        description: 'A search by meaning and words, whose text is that of each question.',
        examples: [{ name: 'both', mode: 'hybrid' }],
      }),
  ])
  .refine((search) => JSON.stringify(search).length <= maxCharacters, {
    error: `a search has at most ${maxCharacters} characters`,
  })
  .meta({ id: 'EvaluatedSearch', description: 'A search that is run for each question of a golden set.' });

export type EvaluatedSearch = z.output<typeof EvaluatedSearch>;
