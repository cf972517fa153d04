import { AppError } from '../kernel/errors.ts';
import type { Chunking } from '../kernel/chunking.ts';
import { present } from '../db/condition.ts';
import { membersOf, numberOf, textOf } from '../db/read-item.ts';
import type { Item } from '../db/contracts.ts';
import type {
  Analyzer,
  DistanceMetric,
  EngineName,
  IndexRef,
  Layer,
  MaintenanceNeed,
  TableState,
  TextLanguage,
} from '#engine';
import type { SearchDefaults } from '../ranking/index.ts';
import { type UsageCounters, type Holding, newUsageCounters, type Room } from '../usage/index.ts';

/** `creating` until its table exists; `deleting` until no branch reads its table any more. */
export type IndexStatus = 'creating' | 'ready' | 'deleting';

/** Lease of the builder that maintains an index. */
export interface MaintenanceLease {
  /** Message that holds it. */
  readonly id: string;
  /** Until then, no other message maintains the index. After a failure, that is a pause. */
  readonly until: string;
}

/** Failures of maintenance in a row. */
export interface MaintenanceFailures {
  readonly failures: number;
  /** Time of the first failure. */
  readonly since: string;
}

/** Log of the searches of an index. */
export interface QueryLogSettings {
  /** Share of the searches that are logged, above 0 and up to 1. */
  readonly sample: number;
  /** Days after which their entries expire. */
  readonly keepDays: number;
}

/** Stored index. */
export interface IndexRecord {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  /** Name in `index.created`. It equals `name` unless the index was renamed before it was ready. */
  readonly createdName: string;
  readonly dimensions: number;
  readonly metric: DistanceMetric;
  readonly region: string;
  readonly engine: EngineName;
  readonly nonFilterableKeys: readonly string[];
  readonly textLanguage: TextLanguage;
  /** Version of the analysis of its texts. */
  readonly analyzer: Analyzer;
  readonly embeddingModel: string;
  /** Bounds of the chunks of its files. Null: those in the metadata of each file, or the default ones. */
  readonly chunking: Chunking | null;
  /** What searches use if they name nothing else; null: the defaults of the service. */
  readonly searchDefaults: SearchDefaults | null;
  /** Metadata key by whose values usage is counted; null: none. */
  readonly usageKey: string | null;
  /** Seconds after which rows and files expire that say nothing else; null: never. */
  readonly ttlSeconds: number | null;
  /** Days for which former versions are kept. */
  readonly versionDays: number;
  /** Version of its content before which none may be read, because rows of it were erased; null: there is none. */
  readonly erasedFrom: Layer | null;
  /** Which searches are logged, and for how long. Null: none. */
  readonly queryLog: QueryLogSettings | null;
  /** Whether it is read at exactly the version of its own layer, and no newer one. Absent: no. */
  readonly isPinned?: boolean;
  /** Time from which rows may have expired; null if none has ever had an expiry. */
  readonly expiresFrom: string | null;
  readonly status: IndexStatus;
  readonly createdAt: string;
  /** Time of the first request to delete it; null while it exists. */
  readonly deletedAt: string | null;
  readonly parentIndexId: string | null;
  readonly branchDepth: number;
  /** Own table at its committed version, then the ancestors at the versions on which this index is based. */
  readonly layers: readonly [Layer, ...Layer[]];
  /** Live branches, exports and rebuilds that read a version of a table of this index, as `dependentOf` names them. */
  readonly dependents: ReadonlySet<string>;
  /** Tables of this index besides that of its content: of a rebuild, or kept for branches. `<engine>/<table>`. */
  readonly otherTables: ReadonlySet<string>;
  /** Rebuild that fills another content, or whose former content is kept; null if there is none. */
  readonly rebuildId: string | null;
  readonly state: Omit<TableState, 'version'>;
  readonly maintenanceLease: MaintenanceLease | null;
  readonly maintenanceFailures: MaintenanceFailures | null;
  /** Version of the own table after the last maintenance; 0 before the first. */
  readonly maintainedVersion: number;
  readonly lastWrittenAt: string | null;
  readonly usage: UsageCounters;
  /** Leased room for rows; null before the first lease. */
  readonly room: Room | null;
}

/** Days for which former versions of an index are kept by default. */
export const defaultVersionDays = 1;

/** `expiresFrom` of an index in which no row expires any more. Former versions may have some. */
export const neverExpires = '9999-12-31T23:59:59.999Z';

/** Separates the id of an index from that of the rebuild that made a table. */
const madeBy = '.';

/** Returns the name of the table of a rebuild. The first table of an index has the id of the index. */
export const tableOfRebuild = (indexId: string, rebuildId: string): string => indexId + madeBy + rebuildId;

/** Returns the index to which a table belongs. */
export const indexOfTable = (table: string): string => table.split(madeBy)[0] ?? table;

/** Returns the member by which an index notes that a branch, export or rebuild reads one of its tables at a version. */
export const dependentOf = (id: string, { table, version }: Layer): string =>
  [id, version, ...(table === indexOfTable(table) ? [] : [table])].join('@');

/** Returns what reads the tables of an index, with the versions on which it is based. */
export const dependentsOf = ({ id, dependents }: Pick<IndexRecord, 'id' | 'dependents'>) =>
  [...dependents].map((dependent) => {
    const [branchId = '', version, table = id] = dependent.split('@');
    return { branchId, version: Number(version), table };
  });

/** Returns the member of `otherTables` that a table is. */
export const otherTableOf = ({ engine, table }: Pick<Content, 'engine' | 'table'>): string => `${engine}/${table}`;

/** Returns the tables of an index: that of its content, and the others. */
export const tablesOf = ({ engine, layers: [{ table }], otherTables }: IndexRecord) => ({
  content: { engine, table },
  others: [...otherTables].flatMap((name) => {
    const [of, other = ''] = name.split('/');
    // Cast: the member was written by a rebuild.
    return other === table ? [] : [{ engine: of as EngineName, table: other, name }];
  }),
});

/** Returns the versions of a table that are read. */
export const readVersionsOf = (index: Pick<IndexRecord, 'id' | 'dependents'>, table: string): readonly number[] =>
  dependentsOf(index).flatMap((dependent) => (dependent.table === table ? [dependent.version] : []));

/** Condition that an index exists and is not being deleted. */
export const live = { ...present, status: { ne: 'deleting' } } as const;

/** Whether an index exists and is not being deleted. */
export const isLive = (index: IndexRecord | null): index is IndexRecord =>
  index !== null && index.status !== 'deleting';

/** Query of the indexes of an organization that count against its plan. */
export const counting = { prefix: 'idx_', where: { status: { ne: 'deleting' } } } as const;

/** Whether a name contains a text, in any case. */
export const containsText = (name: string, text: string): boolean => name.toLowerCase().includes(text.toLowerCase());

/** Key of an index. */
export const indexKey = (organizationId: string, indexId: string) => ({ pk: `ORG#${organizationId}`, sk: indexId });

/** Format of an index: of its record, table, journal and messages. It is raised if another version would misread one. */
export const indexFormat = 2;

/** Returns the record of an item. @throws AppError 409 if another version wrote the index in a format of its own. */
export const toIndexRecord = (item: Item): IndexRecord => {
  if (item['format'] === indexFormat) return readRecord(item);
  throw new AppError(
    'conflict',
    `Index ${item.sk} has data of format ${numberOf(item, 'format')}, and this version reads format ${indexFormat}. ` +
      'Deploy the version that wrote it, export its rows, and import them into a new deployment',
  );
};

// Cast: the update has validated them.
const defaultsOf = (stored: string): SearchDefaults | null =>
  stored === '' ? null : (JSON.parse(stored) as SearchDefaults);

// Cast: `settingsAttributes` wrote it.
const chunkingOf = (stored: string): Chunking | null => (stored === '' ? null : (JSON.parse(stored) as Chunking));

// Cast: the update wrote it.
const queryLogOf = (stored: string): QueryLogSettings | null =>
  stored === '' ? null : (JSON.parse(stored) as QueryLogSettings);

const stateOf = (item: Item): IndexRecord['state'] => ({
  rows: numberOf(item, 'rows'),
  denseBytes: numberOf(item, 'dense_bytes'),
  sparseBytes: numberOf(item, 'sparse_bytes'),
  commitVersion: numberOf(item, 'commit_version'),
  unindexedRows: numberOf(item, 'unindexed_rows'),
  maintenance: (item['maintenance'] as MaintenanceNeed | undefined) ?? 'none',
  manifest: textOf(item, 'manifest') ?? '',
});

const readRecord = (item: Item): IndexRecord => ({
  id: item.sk,
  organizationId: item['organization_id'] as string,
  name: item['name'] as string,
  createdName: textOf(item, 'created_name') ?? (item['name'] as string),
  dimensions: numberOf(item, 'dimensions'),
  metric: item['distance_metric'] as DistanceMetric,
  region: item['cloud_region'] as string,
  engine: item['engine'] as EngineName,
  nonFilterableKeys: item['non_filterable_metadata_keys'] as string[],
  textLanguage: item['text_language'] as TextLanguage,
  // Indexes of release 0.2.0 have no such attribute.
  analyzer: (item['analyzer'] as Analyzer | undefined) ?? 'v2',
  embeddingModel: item['embedding_model'] as string,
  chunking: chunkingOf(textOf(item, 'chunking') ?? ''),
  searchDefaults: defaultsOf(textOf(item, 'search_defaults') ?? ''),
  usageKey: textOf(item, 'usage_key'),
  ttlSeconds: numberOf(item, 'ttl_seconds') || null,
  versionDays: (item['version_days'] as number | undefined) ?? defaultVersionDays,
  queryLog: queryLogOf(textOf(item, 'query_log') ?? ''),
  expiresFrom: textOf(item, 'expires_from'),
  erasedFrom: (item['erased_from'] as Layer | undefined) ?? null,
  status: item['status'] as IndexStatus,
  createdAt: item['created_at'] as string,
  deletedAt: textOf(item, 'deleted_at'),
  parentIndexId: textOf(item, 'parent_index_id'),
  branchDepth: numberOf(item, 'branch_depth'),
  layers: [
    { table: textOf(item, 'table') ?? item.sk, version: numberOf(item, 'version') },
    ...(item['ancestors'] as readonly { table: string; version: number }[]),
  ],
  dependents: membersOf(item, 'dependents'),
  otherTables: membersOf(item, 'other_tables'),
  rebuildId: textOf(item, 'rebuild_id'),
  state: stateOf(item),
  maintenanceLease: (item['maintenance_lease'] as MaintenanceLease | undefined) ?? null,
  maintenanceFailures: (item['maintenance_failures'] as MaintenanceFailures | undefined) ?? null,
  maintainedVersion: numberOf(item, 'maintained_version'),
  lastWrittenAt: textOf(item, 'last_written_at'),
  usage: {
    ...newUsageCounters,
    ...(item['usage'] as unknown as UsageCounters | undefined),
    revision: numberOf(item, 'usage_revision'),
  },
  room: (item['room'] as unknown as Room | undefined) ?? null,
});

/** Content of an index: its table, and how that stores and finds rows. */
export interface Content extends Pick<
  IndexRecord,
  'engine' | 'textLanguage' | 'analyzer' | 'embeddingModel' | 'chunking'
> {
  readonly table: string;
  readonly state: TableState;
}

/** Returns the content of an index. */
export const contentOf = (index: IndexRecord): Content => {
  const { engine, textLanguage, analyzer, embeddingModel, chunking, layers, state } = index;
  const [{ table, version }] = layers;
  return { engine, textLanguage, analyzer, embeddingModel, chunking, table, state: { ...state, version } };
};

/** Returns an index as it is with another content. */
export const withContent = (index: IndexRecord, { table, state, ...content }: Content): IndexRecord => ({
  ...index,
  ...content,
  layers: [{ table, version: state.version }, ...index.layers.slice(1)],
  state,
});

/** Returns the properties of an index that the engine needs. */
export const toIndexRef = (index: IndexRecord) =>
  ({
    engine: index.engine,
    dimensions: index.dimensions,
    metric: index.metric,
    nonFilterableKeys: index.nonFilterableKeys,
    textLanguage: index.textLanguage,
    analyzer: index.analyzer,
    layers: index.layers,
    manifest: index.state.manifest,
    expiresFrom: index.expiresFrom === null ? undefined : Date.parse(index.expiresFrom),
    isPinned: index.isPinned,
  }) satisfies IndexRef;

/** Returns the first version of the content of an index that may be read, since rows of those before were erased. */
export const firstReadable = ({ erasedFrom, layers: [{ table }] }: IndexRecord): number =>
  erasedFrom?.table === table ? erasedFrom.version : 0;

/** Throws 410 for a version of an index with rows that were erased since. */
export const requireReadable = (index: IndexRecord, version: number): void => {
  if (version < firstReadable(index))
    throw new AppError(
      'version_not_kept',
      'Rows were erased since, so that the versions from before are not read any more',
    );
};

/** Returns an index as of one of its kept versions, and no newer one. Rows that have expired since are absent too. Throws 410. */
export const asOfVersion = (index: IndexRecord, version: number): IndexRecord => {
  requireReadable(index, version);
  const [{ table, version: newest }, ...ancestors] = index.layers;
  if (version === newest) return { ...index, isPinned: true };
  return {
    ...index,
    layers: [{ table, version }, ...ancestors],
    state: { ...index.state, manifest: '' },
    // Rows of a former version may have been removed since, because they had expired.
    expiresFrom: index.expiresFrom === null ? null : new Date(0).toISOString(),
    isPinned: true,
  };
};

/** Whether a builder maintains the index, or pauses after a failure. */
export const isMaintained = ({ maintenanceLease: lease }: Pick<IndexRecord, 'maintenanceLease'>, now: Date): boolean =>
  lease !== null && lease.until > now.toISOString();

/** Returns the stored amounts of an index, for the usage ledger. */
export const holdingOf = ({ state, usage }: Pick<IndexRecord, 'state' | 'usage'>): Holding => ({
  vectors: state.rows,
  denseBytes: state.denseBytes,
  sparseBytes: state.sparseBytes,
  originalBytes: usage.originalBytes,
});
