import type { Item } from '../db/contracts.ts';
import type { TableState } from '#engine';
import { indexFormat, type IndexRecord, indexKey } from './record.ts';

/** Attributes of the state of an index's own table. */
export const stateAttributes = (state: TableState) => ({
  version: state.version,
  commit_version: state.commitVersion,
  rows: state.rows,
  dense_bytes: state.denseBytes,
  sparse_bytes: state.sparseBytes,
  unindexed_rows: state.unindexedRows,
  maintenance: state.maintenance,
  manifest: state.manifest,
});

/** Attributes that say how an index stores and finds rows. */
export const settingsAttributes = (
  settings: Pick<IndexRecord, 'engine' | 'textLanguage' | 'analyzer' | 'embeddingModel' | 'chunking'>,
) => ({
  engine: settings.engine,
  text_language: settings.textLanguage,
  analyzer: settings.analyzer,
  embedding_model: settings.embeddingModel,
  chunking: settings.chunking === null ? '' : JSON.stringify(settings.chunking),
});

/** Item of a new index. */
export const toItem = (index: IndexRecord): Item => ({
  ...indexKey(index.organizationId, index.id),
  format: indexFormat,
  organization_id: index.organizationId,
  name: index.name,
  dimensions: index.dimensions,
  distance_metric: index.metric,
  cloud_region: index.region,
  ...settingsAttributes(index),
  non_filterable_metadata_keys: index.nonFilterableKeys,
  ...(index.searchDefaults === null ? {} : { search_defaults: JSON.stringify(index.searchDefaults) }),
  ...(index.usageKey === null ? {} : { usage_key: index.usageKey }),
  ...(index.ttlSeconds === null ? {} : { ttl_seconds: index.ttlSeconds }),
  version_days: index.versionDays,
  status: index.status,
  created_at: index.createdAt,
  ...(index.parentIndexId === null ? {} : { parent_index_id: index.parentIndexId }),
  branch_depth: index.branchDepth,
  ancestors: index.layers.slice(1).map(({ table, version }) => ({ table, version })),
  ...stateAttributes({ ...index.state, version: index.layers[0].version }),
});
