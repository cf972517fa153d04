import type { IndexRecord } from '../indexes/index.ts';
import { capability, type Runtime } from '../kernel/capability.ts';
import { buckets, type QueueName, queues, type TableName, tables } from '../kernel/names.ts';
import { invoke } from '../platform/aws/invoke.ts';
import { probeBucket, probeQueue, probeTable } from '../platform/aws/health-probes.ts';
import { type EmbeddingModels, embeddingModelsKnown } from '../platform/models/model-names.ts';
import { type ReaderRequest, toReaderRequest } from '../reader/index.ts';
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
    engine: 'lance',
    dimensions: probeDimensions,
    metric: 'cosine',
    nonFilterableKeys: [],
    textLanguage: 'english',
    analyzer: 'v2',
    filterRules: 'v2',
    layers: [{ table: 'none', version: 0 }],
  },
  operation: { op: 'embed', texts: ['health'] },
});

/** Returns checks in which the reader of each region embeds a word by each model and opens an index of the organization. */
const readerProbes = (
  runtime: Runtime,
  { all: [first, ...further] }: EmbeddingModels,
  organizationId: string,
  indexes: readonly IndexRecord[],
): readonly Probe[] => {
  const { regions } = runtime.config;
  const ask = (region: string, request: ReaderRequest) => () => invoke(runtime, region, 'index-reader', request);
  return regions.flatMap((region) => {
    const index = indexes.find((candidate) => candidate.region === region && candidate.status === 'ready');
    return [
      { name: `embedding/${region}`, run: ask(region, modelRequest(organizationId, first.id)) },
      ...further.map(({ id }) => ({
        name: `embedding/${region}/${id}`,
        run: ask(region, modelRequest(organizationId, id)),
      })),
      {
        name: `engine/${region}`,
        run:
          index === undefined
            ? null
            : ask(
                region,
                toReaderRequest(index, { op: 'list', after: null, limit: 1, filter: null, include_vector: false }),
              ),
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
