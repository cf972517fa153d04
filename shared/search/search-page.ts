import * as z from 'zod';
import { skipReasons } from '../ranking/index.ts';

/** Further page of a search, as a cursor contains it. */
export const SearchPage = z.strictObject({
  /** Version of the index that all pages read. */
  version: z.number().int(),
  /** Results of the pages before. */
  offset: z.number().int(),
  /** Candidates of each side. */
  depth: z.number().int(),
  /** Time of the first page, for decays. */
  nowMs: z.number().int(),
  /** Whether the first page was reranked; else the reason. Null: it has no reranker. */
  rerank: z.enum(['done', ...skipReasons]).nullable(),
  /** Hash of the request. */
  request: z.string(),
  /** Hash of the defaults of the index. */
  defaults: z.string(),
});
export type SearchPage = z.infer<typeof SearchPage>;
