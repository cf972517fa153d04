import type { VectorSet } from '../data/vectors.ts';
import type { Service } from '../peers/service.ts';
import { createIndex } from '../peers/strata.ts';

/** Requests to paid services for one operation. */
export interface BilledUnits {
  readonly operation: string;
  readonly invocations: number;
  readonly tableReads: number;
  readonly tableWrites: number;
  readonly objectRequests: number;
  readonly queueRequests: number;
}

type Counts = Readonly<Record<string, number>>;

const readOperations = new Set(['GetItem', 'BatchGetItem', 'Query', 'Scan']);

const countsOf = async (service: Service): Promise<Counts> => {
  const { requests } = (await service.call('GET', '/_local/requests')) as { readonly requests: Counts };
  const { functions } = (await service.call('GET', '/_local/invocations')) as { readonly functions: Counts };
  const runs = Object.entries(functions).map(([id, count]) => [`run.${id}`, count] as const);
  return { ...requests, ...Object.fromEntries(runs) };
};

const total = (before: Counts, after: Counts, counts: (service: string, operation: string) => boolean): number =>
  Object.entries(after).reduce((sum, [name, count]) => {
    const [service = '', operation = ''] = name.split('.');
    return counts(service, operation) ? sum + count - (before[name] ?? 0) : sum;
  }, 0);

const schedules = /sweep|relay|crawl|sync/;

/** Returns the requests of one operation to paid services, as the mean of several. */
export const measureUnits = async (
  service: Service,
  operation: string,
  times: number,
  act: (number: number) => Promise<unknown>,
): Promise<BilledUnits> => {
  const before = await countsOf(service);
  for (let number = 0; number < times; number += 1) await act(number);
  const after = await countsOf(service);
  const each = (counts: (service: string, operation: string) => boolean): number =>
    total(before, after, counts) / times;
  return {
    operation,
    invocations: each((kind, name) => kind === 'run' && !schedules.test(name)),
    tableReads: each((kind, name) => kind === 'dynamodb' && readOperations.has(name)),
    tableWrites: each((kind, name) => kind === 'dynamodb' && !readOperations.has(name)),
    objectRequests: each((kind) => kind === 's3'),
    queueRequests: each((kind) => kind === 'sqs'),
  };
};

/** Counts the requests of the service's operations to the local cloud. */
export const measureBilledUnits = async (
  service: Service,
  { base, queries }: VectorSet,
): Promise<readonly BilledUnits[]> => {
  const index = await createIndex(service, base.dimensions);
  await index.upsert(base, 0, 1_000);
  await index.waitUntilIdle();
  await index.search(queries.at(0), 10);
  const search = await measureUnits(service, 'Dense search with a vector', 50, (at) =>
    index.search(queries.at(at % queries.count), 10),
  );
  const one = await measureUnits(service, 'Upsert of 1 vector, alone', 10, async (at) => {
    await index.upsert(base, at, at + 1);
    await index.waitUntilIdle();
  });
  const many = await measureUnits(service, 'Upsert of 1,000 vectors, alone', 3, async () => {
    await index.upsert(base, 0, 1_000);
    await index.waitUntilIdle();
  });
  const together = await measureUnits(service, 'Upsert of 1 vector among 50 at the same time', 1, () =>
    Promise.all(Array.from({ length: 50 }, (_, at) => index.upsert(base, at, at + 1))),
  );
  const each = (value: number): number => value / 50;
  return [
    search,
    one,
    many,
    {
      operation: together.operation,
      invocations: each(together.invocations),
      tableReads: each(together.tableReads),
      tableWrites: each(together.tableWrites),
      objectRequests: each(together.objectRequests),
      queueRequests: each(together.queueRequests),
    },
  ];
};
