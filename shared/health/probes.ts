import type { IndexRecord } from '../indexes/index.ts';
import { capability, type Runtime } from '../kernel/capability.ts';
import { buckets, type QueueName, queues, type TableName, tables } from '../kernel/names.ts';
import { FunctionFault, invoke } from '../platform/aws/invoke.ts';
import { probeBucket, probeQueue, probeTable } from '../platform/aws/health-probes.ts';
import { type EmbeddingModels, embeddingModelsKnown } from '../platform/models/model-names.ts';
import { type ReaderRequest, toReaderRequest } from '../reader/index.ts';
import { inParallel } from '../kernel/in-parallel.ts';
import { damagedIndexName, defaultEngine } from '#engine';
import { checkDependencies, type Probe } from './check-dependencies.ts';
import type { DependencyHealth } from './schemas.ts';

const tableProbes = (runtime: Runtime): readonly Probe[] =>
  (Object.keys(tables) as TableName[]).map((table) => ({
    name: `table/${runtime.config.homeRegion}/${table}`,
    run: () => probeTable(runtime, table),
  }));

const bucketProbes = (runtime: Runtime): readonly Probe[] =>
  runtime.config.regions.flatMap((region) =>
    buckets.map((bucket) => ({
      name: `bucket/${region}/${bucket}`,
      run: (signal: AbortSignal) => probeBucket(runtime, region, bucket, signal),
    })),
  );

const queueProbes = (runtime: Runtime): readonly Probe[] => {
  const { homeRegion, regions } = runtime.config;
  return (Object.keys(queues) as QueueName[]).flatMap((queue) =>
    (queues[queue].scope === 'home' ? [homeRegion] : regions).map((region) => ({
      name: `queue/${region}/${queue}`,
      run: (signal: AbortSignal) => probeQueue(runtime, region, queue, signal),
    })),
  );
};

/** Any number of dimensions works, because the embedder adjusts its vectors. */
const probeDimensions = 8;

const modelRequest = (organizationId: string, model: string): ReaderRequest => ({
  organization_id: organizationId,
  model,
  ref: {
    engine: defaultEngine,
    dimensions: probeDimensions,
    metric: 'cosine',
    nonFilterableKeys: [],
    textLanguage: 'english',
    layers: [{ table: 'none', version: 0 }],
  },
  operation: { op: 'embed', texts: ['health'] },
  within: null,
});

/** Indexes of a region that are opened, and how many at once. */
const [maxOpened, openedAtOnce] = [20, 5];

/** Lists a row of each index. Throws an error whose name has the ids of damaged ones. */
const openIndexes = async (runtime: Runtime, region: string, indexes: readonly IndexRecord[]): Promise<void> => {
  const damaged: string[] = [];
  await inParallel(indexes.slice(0, maxOpened), openedAtOnce, async (index) => {
    const operation = { op: 'list', after: null, limit: 1, filter: null, include_vector: false, order: null } as const;
    try {
      await invoke(runtime, region, 'index-reader', toReaderRequest(index, operation));
    } catch (error) {
      if (!(error instanceof FunctionFault) || !error.isOf(damagedIndexName)) throw error;
      damaged.push(index.id);
    }
  });
  if (damaged.length === 0) return;
  const error = new Error('indexes are damaged');
  error.name = `${damagedIndexName}: ${damaged.toSorted().join(', ')}`;
  throw error;
};

/** Returns checks in which the reader of each region embeds a word by each model and opens indexes of the organization. */
const readerProbes = (
  runtime: Runtime,
  { all: [first, ...further] }: EmbeddingModels,
  organizationId: string,
  indexes: readonly IndexRecord[],
): readonly Probe[] => {
  const { regions } = runtime.config;
  const ask = (region: string, request: ReaderRequest) => () => invoke(runtime, region, 'index-reader', request);
  return regions.flatMap((region) => {
    const ready = indexes.filter((index) => index.region === region && index.status === 'ready');
    return [
      { name: `embedding/${region}`, run: ask(region, modelRequest(organizationId, first.id)) },
      ...further.map(({ id }) => ({
        name: `embedding/${region}/${id}`,
        run: ask(region, modelRequest(organizationId, id)),
      })),
      {
        name: `engine/${region}`,
        run: ready.length === 0 ? null : () => openIndexes(runtime, region, ready),
      },
    ];
  });
};

/** Checks every dependency of the deployment for an organization with these indexes. */
export type DependencyCheck = (
  organizationId: string,
  indexes: readonly IndexRecord[],
) => Promise<readonly DependencyHealth[]>;

export const dependencyCheck = capability<DependencyCheck>(
  ['dependencies.probe', 'reader.invoke'],
  (runtime) => (organizationId, indexes) =>
    checkDependencies(
      [
        ...tableProbes(runtime),
        ...bucketProbes(runtime),
        ...queueProbes(runtime),
        ...readerProbes(runtime, embeddingModelsKnown.make(runtime), organizationId, indexes),
      ],
      runtime.log,
    ),
);
