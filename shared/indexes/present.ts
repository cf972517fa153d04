import type * as z from 'zod';
import { engines, hasFeature } from '#engine';
import type { JsonObject } from '../kernel/json.ts';
import type { RowBounds } from '../kernel/row-bounds.ts';
import type { IndexRecord } from './record.ts';
import type { IndexResponse } from './schemas.ts';

/**
 * Returns the API representation of an index.
 * @param bounds Rows that the caller is bound to: settings of a search may name values of others, as may the parent.
 */
export const toIndexResponse = (
  index: IndexRecord,
  bounds: RowBounds | null = null,
): z.input<typeof IndexResponse> => ({
  id: index.id,
  name: index.name,
  dimensions: index.dimensions,
  distance_metric: index.metric,
  cloud_region: index.region,
  engine: index.engine,
  features: [...engines[index.engine].features],
  non_filterable_metadata_keys: [...index.nonFilterableKeys],
  text_language: index.textLanguage,
  embedding_model: index.embeddingModel,
  ...(index.chunking === null ? {} : { chunking: { ...index.chunking } }),
  // Cast: they are JSON, but the type of a filter is not.
  ...(index.searchDefaults === null || bounds !== null
    ? {}
    : { search_defaults: index.searchDefaults as unknown as JsonObject }),
  ...(index.usageKey === null || bounds !== null ? {} : { usage_key: index.usageKey }),
  ...(index.ttlSeconds === null ? {} : { ttl_seconds: index.ttlSeconds }),
  ...(hasFeature(index.engine, 'versions') ? { version_days: index.versionDays } : {}),
  ...(index.queryLog === null || bounds !== null
    ? {}
    : { query_log: { sample: index.queryLog.sample, keep_days: index.queryLog.keepDays } }),
  created_at: index.createdAt,
  parent_index_id: bounds === null ? index.parentIndexId : null,
  branch_depth: index.branchDepth,
});
