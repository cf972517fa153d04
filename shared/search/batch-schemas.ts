import * as z from 'zod';
import { DenseSearch, HybridSearch, searchExample, SearchResponse, SparseSearch } from './schemas.ts';

const searchOf = z
  .discriminatedUnion('mode', [
    DenseSearch.safeExtend({ mode: z.literal('dense').describe('Search by meaning.') }).meta({
      id: 'BatchDenseSearch',
      description: 'A search by meaning in a batch.',
      examples: [{ mode: 'dense', text: 'How hot should water for tea be?' }],
    }),
    SparseSearch.safeExtend({ mode: z.literal('sparse').describe('Search by words.') }).meta({
      id: 'BatchSparseSearch',
      description: 'A search by words in a batch.',
      examples: [{ mode: 'sparse', text: 'green tea' }],
    }),
    HybridSearch.safeExtend({ mode: z.literal('hybrid').describe('Search by meaning and words.') }).meta({
      id: 'BatchHybridSearch',
      description: 'A search by meaning and words in a batch.',
      examples: [{ mode: 'hybrid', text: 'How hot should water for tea be?' }],
    }),
  ])
  .meta({ id: 'BatchSearchRequest', description: 'A search of a batch.' });

export const BatchSearch = z
  .strictObject({ searches: z.array(searchOf).min(1).max(16).describe('The searches.') })
  .meta({
    id: 'BatchSearch',
    description: 'Several searches of one version of an index.',
    examples: [{ searches: [{ mode: 'hybrid', text: 'How hot should water for tea be?' }] }],
  });

const BatchItem = z
  .object({
    status: z.number().int().describe('Status of the search alone: 200, or that of its error.'),
    response: SearchResponse.optional().describe('Its response, with status 200.'),
    error: z
      .object({
        code: z.string().describe('Code of the error.'),
        detail: z.string().describe('What went wrong.'),
      })
      .meta({ id: 'BatchSearchError', description: 'Error of one search.' })
      .optional()
      .describe('Its error, with another status.'),
  })
  .meta({ id: 'BatchSearchItem', description: 'Result of one search of a batch.' });

export const BatchSearchResponse = z
  .object({ responses: z.array(BatchItem).describe('One for each search, in their order.') })
  .meta({
    id: 'BatchSearchResponse',
    description: 'Results of several searches.',
    examples: [{ responses: [{ status: 200, response: searchExample }] }],
  });
