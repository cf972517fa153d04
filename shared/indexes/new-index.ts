import { newUsageCounters } from '../usage/index.ts';
import type { IndexRecord } from './record.ts';

type KnownIndex = Pick<
  IndexRecord,
  | 'id'
  | 'organizationId'
  | 'name'
  | 'dimensions'
  | 'metric'
  | 'region'
  | 'engine'
  | 'nonFilterableKeys'
  | 'textLanguage'
  | 'analyzer'
  | 'embeddingModel'
  | 'chunking'
  | 'searchDefaults'
  | 'usageKey'
  | 'ttlSeconds'
  | 'versionDays'
  | 'createdAt'
  | 'parentIndexId'
  | 'branchDepth'
>;

/** Returns an empty index whose creation has not been applied yet. */
export const newIndex = (known: KnownIndex): IndexRecord => ({
  ...known,
  createdName: known.name,
  status: 'creating',
  deletedAt: null,
  expiresFrom: null,
  erasedFrom: null,
  layers: [{ table: known.id, version: 0 }],
  dependents: new Set(),
  otherTables: new Set(),
  rebuildId: null,
  state: {
    rows: 0,
    denseBytes: 0,
    sparseBytes: 0,
    commitVersion: 0,
    unindexedRows: 0,
    maintenance: 'none',
    manifest: '',
  },
  maintenanceLease: null,
  maintenanceFailures: null,
  maintainedVersion: 0,
  lastWrittenAt: null,
  queryLog: null,
  usage: newUsageCounters,
  room: null,
});
