import type * as z from 'zod';
import type { IndexRecord } from '../indexes/index.ts';
import type { Json } from '../kernel/json.ts';
import { headingPathOf } from '../kernel/row-metadata.ts';
import type { Hit } from '#engine';
import type { SearchResponse } from './schemas.ts';

type SearchResult = z.input<typeof SearchResponse>['results'][number];
type Explanation = NonNullable<SearchResult['explanation']>;

const wholeNumber = (value: Json | undefined): number | null => (Number.isInteger(value) ? (value as number) : null);

// Callers can write these metadata keys too, so the values are checked.
const chunkOf = ({ jobId, metadata }: Hit['row']): Explanation['chunk'] => {
  if (jobId === null) return null;
  return {
    position: wholeNumber(metadata['chunk']),
    start: wholeNumber(metadata['start']),
    end: wholeNumber(metadata['end']),
    heading_path: [...headingPathOf(metadata)],
  };
};

/** Returns the source of a hit and the parts of its score. */
export const explain = (
  { row, ranks, scores, shares, layer }: Hit,
  index: Pick<IndexRecord, 'id' | 'metric' | 'layers'>,
): Explanation => ({
  dense:
    ranks.dense === null || scores.dense === null
      ? null
      : {
          rank: ranks.dense,
          distance: (index.metric === 'cosine' ? 1 : 0) - scores.dense,
          share: shares.dense ?? 0,
        },
  sparse:
    ranks.sparse === null || scores.sparse === null
      ? null
      : { rank: ranks.sparse, score: scores.sparse, share: shares.sparse ?? 0 },
  index_id: index.layers[layer]?.table ?? index.id,
  branch_distance: layer,
  chunk: chunkOf(row),
});
