import { join } from 'node:path';
import type { Clock } from '../../../shared/kernel/clock.ts';
import type { CloudPlan } from './assembly/plan-cloud.ts';
import type { CopyDatabase } from './data/back-up.ts';
import { repeatUpkeep } from './data/repeat-upkeep.ts';
import { openObjects, type Objects } from './endpoint/open-objects.ts';
import { announceObjects } from './events/announce-object.ts';
import type { AccessKey } from './iam/access-keys.ts';
import type { ObjectAccess } from './object-store/contracts.ts';
import { openQueueStore } from './queues/queue-store.ts';
import type { QueueStore } from './queues/queue-types.ts';
import { openVectorStore, type VectorStore } from './s3-vectors/vector-store.ts';
import type { LocalShape } from './shape/open-shape.ts';
import { callTables } from './tables/call-tables.ts';
import { expireItems } from './tables/expire-items.ts';
import { openTables, type Tables } from './tables/open-tables.ts';

const expiryIntervalMs = 10 * 60_000;

interface StoreOptions {
  readonly plan: CloudPlan;
  readonly dataDirectory: string;
  readonly accountId: string;
  readonly endpointUrl: string;
  readonly access: ObjectAccess;
  /** Access key for the removal of expired items. */
  readonly operatorKey: AccessKey;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
  readonly shape: LocalShape | undefined;
}

/** Components that hold data. */
export interface Stores {
  readonly queues: QueueStore;
  readonly objects: Objects;
  /** Null for a region without tables. */
  readonly tables: (region: string) => Tables | null;
  readonly vectors: VectorStore;
  /** Copies of the databases, by their file in the data directory. */
  readonly databases: ReadonlyMap<string, CopyDatabase>;
}

const openAllTables = async (
  { plan, dataDirectory, onError }: StoreOptions,
  opened: AsyncDisposableStack,
): Promise<Stores['tables']> => {
  const services = new Map<string, Tables>();
  for (const region of new Set(plan.tables.map((table) => table.region))) {
    const tables = await openTables({
      file: join(dataDirectory, 'tables', `${region}.sqlite`),
      tables: plan.tables.filter((table) => table.region === region),
      onError,
    });
    opened.defer(tables.close);
    services.set(region, tables);
  }
  return (region) => services.get(region) ?? null;
};

/** Removes expired items periodically. */
const expireRegularly = ({ plan, clock, endpointUrl, operatorKey, onError }: StoreOptions): (() => void) => {
  const call = callTables(endpointUrl, operatorKey);
  const expire = async (): Promise<void> => {
    for (const table of plan.tables) {
      await expireItems(call, table, clock.now());
    }
  };
  return repeatUpkeep(expire, expiryIntervalMs, onError);
};

/** Opens queues, tables and buckets; what is opened is closed with `opened`. */
export const openStores = async (options: StoreOptions, opened: AsyncDisposableStack): Promise<Stores> => {
  const { plan, dataDirectory, accountId, access, clock, onError } = options;
  const queues = openQueueStore({ file: join(dataDirectory, 'queues.sqlite'), queues: plan.queues, clock, onError });
  opened.defer(queues.close);
  const tables = await openAllTables(options, opened);
  opened.defer(expireRegularly(options));
  const objects = await openObjects({
    dataDir: join(dataDirectory, 'objects'),
    access,
    buckets: plan.buckets,
    onObjectCreated: announceObjects({ notifications: plan.notifications, store: queues, accountId }),
    onError,
    clock,
    onDownload: options.shape?.download,
  });
  opened.defer(objects.close);
  const vectors = openVectorStore({ file: join(dataDirectory, 'vectors.sqlite'), buckets: plan.vectorBuckets, clock });
  opened.defer(vectors.close);
  const regions = [...new Set(plan.tables.map(({ region }) => region))];
  const databases = new Map<string, CopyDatabase>([
    ...regions.map((region): [string, CopyDatabase] => [
      join('tables', `${region}.sqlite`),
      (file) => tables(region)?.copyTo(file),
    ]),
    ['queues.sqlite', queues.copyTo],
    [join('objects', 'metadata.sqlite'), objects.copyTo],
    ['vectors.sqlite', (file) => vectors.database.copyTo(file)],
  ]);
  return { queues, objects, tables, vectors, databases };
};
