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

/** Item of a new index. */
export const toItem = (index: IndexRecord): Item => ({
  ...indexKey(index.organizationId, index.id),
  format: indexFormat,
  organization_id: index.organizationId,
  name: index.name,
  dimensions: index.dimensions,
  distance_metric: index.metric,
  cloud_region: index.region,
  engine: index.engine,
  non_filterable_metadata_keys: index.nonFilterableKeys,
  text_language: index.textLanguage,
  analyzer: index.analyzer,
  embedding_model: index.embeddingModel,
  ...(index.searchDefaults === null ? {} : { search_defaults: JSON.stringify(index.searchDefaults) }),
  status: index.status,
  created_at: index.createdAt,
  ...(index.parentIndexId === null ? {} : { parent_index_id: index.parentIndexId }),
  branch_depth: index.branchDepth,
  ancestors: index.layers.slice(1).map(({ table, version }) => ({ table, version })),
  ...stateAttributes({ ...index.state, version: index.layers[0].version }),
});
