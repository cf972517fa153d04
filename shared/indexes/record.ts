import { present } from '../db/condition.ts';
import { membersOf, numberOf, textOf } from '../db/read-item.ts';
import type { Item } from '../db/contracts.ts';
import type { DistanceMetric, IndexRef, Layer, TableState, Unchanged } from '../platform/engine/port.ts';
import { defaultTextLanguage, type TextLanguage } from '../platform/engine/text-language.ts';
import { type Account, type Holding, newAccount } from '../usage/index.ts';

/** `creating` until its table stands; `deleting` until nothing stands on its table any more. */
export type IndexStatus = 'creating' | 'ready' | 'deleting';

/** A build of the vector index: `running`, or `failed`, after which no other is begun `until` then. */
export interface IndexBuild {
  readonly id: string;
  readonly state: 'running' | 'failed';
  /** A build that is said to run for longer is lost. */
  readonly until: string;
}

/** Work that keeps searches of an index fast. */
export type MaintenanceTask = 'compaction' | 'vector_index';

/** Failures in a row of one kind of maintenance. */
export interface MaintenanceFailure {
  readonly failures: number;
  /** When the first of them failed. */
  readonly since: string;
}

export type MaintenanceFailures = Readonly<Partial<Record<MaintenanceTask, MaintenanceFailure>>>;

/** The folding of a branch into a table of its own. */
export interface IndexFold {
  /** The message of its log that goes on with it; any other is of a fold that was taken for lost. */
  readonly id: string;
  /** One that has not come by then is lost. */
  readonly until: string;
}

/** An index as it is kept. */
export interface IndexRecord {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  /** Name that `index.created` carries; equals `name` unless the index was renamed before it was ready. */
  readonly createdName: string;
  readonly dimensions: number;
  readonly metric: DistanceMetric;
  readonly region: string;
  readonly nonFilterableKeys: readonly string[];
  readonly textLanguage: TextLanguage;
  readonly embeddingModel: string;
  readonly status: IndexStatus;
  readonly createdAt: string;
  /** When its deletion was asked for first; null while it stands. */
  readonly deletedAt: string | null;
  readonly parentIndexId: string | null;
  readonly branchDepth: number;
  /** The own table at its committed version, then the ancestors as of the versions on which this index stands. */
  readonly layers: readonly [Layer, ...Layer[]];
  /** `<index id>@<version>` of every live branch that reads this index's table. */
  readonly dependents: ReadonlySet<string>;
  readonly state: Omit<TableState, 'version'>;
  readonly build: IndexBuild | null;
  /** Rows over which the vector index was built; null where that is not known, or there is none. */
  readonly builtRows: number | null;
  readonly maintenanceFailures: MaintenanceFailures;
  readonly fold: IndexFold | null;
  /** Version of the own table that the last maintenance left; 0 before the first. */
  readonly maintainedVersion: number;
  /** Versions of the own table between which no row has changed, up to that which the last maintenance left. */
  readonly unchanged: Unchanged;
  readonly lastWrittenAt: string | null;
  readonly usage: Account;
}

/** How an index notes that a branch reads its table as of a version. */
export const dependentOf = (branchId: string, version: number): string => `${branchId}@${version}`;

/** The branches that read an index's table, each with the version on which it stands. */
export const dependentsOf = ({ dependents }: Pick<IndexRecord, 'dependents'>) =>
  [...dependents].map((dependent) => {
    const [branchId = '', version] = dependent.split('@');
    return { branchId, version: Number(version) };
  });

/** That an index is there and is not being deleted. */
export const live = { ...present, status: { ne: 'deleting' } } as const;

/** The same of one that has been read. */
export const isLive = (index: IndexRecord | null): index is IndexRecord =>
  index !== null && index.status !== 'deleting';

/** The indexes of an organization that count against its plan. */
export const counting = { prefix: 'idx_', where: { status: { ne: 'deleting' } } } as const;

/** Address of an index. */
export const indexKey = (organizationId: string, indexId: string) => ({ pk: `ORG#${organizationId}`, sk: indexId });

export const toIndexRecord = (item: Item): IndexRecord => ({
  id: item.sk,
  organizationId: item['organization_id'] as string,
  name: item['name'] as string,
  createdName: textOf(item, 'created_name') ?? (item['name'] as string),
  dimensions: numberOf(item, 'dimensions'),
  metric: item['distance_metric'] as DistanceMetric,
  region: item['cloud_region'] as string,
  nonFilterableKeys: item['non_filterable_metadata_keys'] as string[],
  textLanguage: (item['text_language'] as TextLanguage | undefined) ?? defaultTextLanguage,
  embeddingModel: item['embedding_model'] as string,
  status: item['status'] as IndexStatus,
  createdAt: item['created_at'] as string,
  deletedAt: textOf(item, 'deleted_at'),
  parentIndexId: textOf(item, 'parent_index_id'),
  branchDepth: numberOf(item, 'branch_depth'),
  layers: [
    { table: item.sk, version: numberOf(item, 'version') },
    ...(item['ancestors'] as readonly { table: string; version: number }[]),
  ],
  dependents: membersOf(item, 'dependents'),
  state: {
    rows: numberOf(item, 'rows'),
    denseBytes: numberOf(item, 'dense_bytes'),
    sparseBytes: numberOf(item, 'sparse_bytes'),
    unindexedRows: numberOf(item, 'unindexed_rows'),
    fragments: numberOf(item, 'fragments'),
  },
  build: (item['build'] as IndexBuild | undefined) ?? null,
  builtRows: (item['built_rows'] as number | undefined) ?? null,
  maintenanceFailures: (item['maintenance_failures'] as MaintenanceFailures | undefined) ?? {},
  fold: (item['fold'] as IndexFold | undefined) ?? null,
  maintainedVersion: numberOf(item, 'maintained_version'),
  unchanged: (item['unchanged'] as Unchanged | undefined) ?? { from: 0, to: 0 },
  lastWrittenAt: textOf(item, 'last_written_at'),
  usage: { ...newAccount, ...(item['usage'] as unknown as Account | undefined) },
});

/** What the engine needs to know of an index. */
export const toIndexRef = (index: IndexRecord): Required<IndexRef> => ({
  dimensions: index.dimensions,
  metric: index.metric,
  nonFilterableKeys: index.nonFilterableKeys,
  textLanguage: index.textLanguage,
  layers: index.layers,
  unchanged: index.unchanged,
});

/** Whether the vector index is being built, so that the table must not be compacted. */
export const isBuilding = ({ build }: Pick<IndexRecord, 'build'>, now: Date): boolean =>
  build?.state === 'running' && build.until > now.toISOString();

/** What an index holds, for the books of its organization. */
export const holdingOf = ({ state, usage }: Pick<IndexRecord, 'state' | 'usage'>): Holding => ({
  vectors: state.rows,
  denseBytes: state.denseBytes,
  sparseBytes: state.sparseBytes,
  originalBytes: usage.originalBytes,
});
