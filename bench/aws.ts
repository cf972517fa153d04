// `npm run bench:aws`: requests of each operation to AWS, with tables in S3 and functions that are frozen between runs.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandLine } from '../scripts/support/read-command-line.ts';
import { type AwsCost, requestsOf } from './measure/aws-cost.ts';
import { measureMixed } from './measure/aws-mixed.ts';
import {
  type BatchTime,
  type MeasuredIndex,
  measureOperations,
  measureTextFile,
  rowMaker,
} from './measure/aws-operations.ts';
import { measureTenants } from './measure/aws-tenants.ts';
import { percentile } from './measure/searches.ts';
import { openService, type Service } from './peers/service.ts';
import { markdownTable, whole } from './report/table.ts';

const usage = `npm run bench:aws -- [options]

Starts the service in the shape of AWS (npm start -- --aws-shape). Prints for each operation its requests to AWS until all
of its work is done, and how long its caller waits. Of operations that are measured several times, times are
the median and the worst, and the other figures are those of the worst.

  --rows N         default 2000
  --dimensions N   default 384
  --batch N        rows of a batch (default 1000)
  --engine NAME    lance (default) or s3_vectors
  --latency X=N    as --aws-latency of npm start; may be given again
  --tenants N      measure the first search of N indexes of 1,000 rows instead
  --mixed N        measure searches beside the writing of N batches instead
  --paths          also print the S3 requests of each operation
`;

const { values } = commandLine({
  options: {
    rows: { type: 'string', default: '2000' },
    dimensions: { type: 'string', default: '384' },
    batch: { type: 'string', default: '1000' },
    engine: { type: 'string', default: 'lance' },
    latency: { type: 'string', multiple: true, default: [] },
    tenants: { type: 'string' },
    mixed: { type: 'string' },
    paths: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const kinds = ['dense', 'sparse', 'hybrid'] as const;

const countColumns: readonly (readonly [string, (cost: AwsCost) => number])[] = [
  ['rounds', ({ rounds }) => rounds],
  ['S3', (cost) => requestsOf(cost, 's3')],
  ['GET', (cost) => requestsOf(cost, 's3', 'GET')],
  ['PUT', (cost) => requestsOf(cost, 's3', 'PUT')],
  ['S3 kB', ({ s3Bytes }) => s3Bytes / 1_000],
  ['S3 Vectors', (cost) => requestsOf(cost, 's3vectors')],
  ['DynamoDB', (cost) => requestsOf(cost, 'dynamodb')],
  ['SQS', (cost) => requestsOf(cost, 'sqs')],
  ['Invoke', (cost) => requestsOf(cost, 'lambda')],
  ['cold starts', ({ coldStarts }) => coldStarts],
];

const head = ['Operation', 'times', 'failed', 'ms', 'worst ms', ...countColumns.map(([name]) => name), 'S3 in all'];

/** Row of one operation, which was measured once or several times. */
const rowOf = (operation: string, costs: readonly AwsCost[]): readonly string[] => {
  const times = costs.map(({ ms }) => ms);
  const worst = countColumns.map(([, read]) => Math.max(...costs.map(read)));
  const all = costs.reduce((sum, cost) => sum + requestsOf(cost, 's3'), 0);
  const failed = costs.filter(({ failure }) => failure !== null).length;
  return [operation, ...[costs.length, failed, percentile(times, 0.5), Math.max(...times), ...worst, all].map(whole)];
};

const say = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

/** Returns a path without the name of its table and the parts that differ between runs. */
const shorten = (path: string): string =>
  path
    .replace(/^\/[^/]+\/[^/]+\//, '')
    .replace(/idx_[0-9a-z]+/, '')
    .replaceAll(/[0-9a-f]{8}-?[0-9a-f-]{20,}/g, '*')
    .replace(/\/[01]{24}[0-9a-f]{26}\.lance/, '/*.lance');

const sayPaths = ({ traced }: AwsCost): void => {
  const ofStore = traced.filter(({ service }) => service === 's3');
  const grouped = Map.groupBy(ofStore, ({ operation, path }) => `${operation} ${shorten(path)}`);
  for (const [path, all] of grouped) say(`      ${String(all.length).padStart(5)} ${path}`);
};

const [rows, dimensions, batchRows] = [Number(values.rows), Number(values.dimensions), Number(values.batch)];

const openIndex = async (service: Service): Promise<MeasuredIndex> => {
  const settings = { name: 'aws', dimensions, engine: values.engine };
  const { id } = (await service.call('POST', '/v1/indexes', settings)) as { readonly id: string };
  return { id, organizationId: service.organizationId };
};

/** Rows of an index of a tenant. */
const tenantRows = 1_000;

const runTenants = async (service: Service, tenants: number): Promise<void> => {
  const costs = await measureTenants(service, { tenants, rows: tenantRows, dimensions });
  const table = ['dense', 'sparse', 'hybrid'].map((kind, at) =>
    rowOf(
      `first ${kind} search`,
      costs.filter((_, number) => number % 3 === at),
    ),
  );
  process.stdout.write(`${tenants} indexes of ${tenantRows} x ${dimensions}\n\n${markdownTable(head, table)}\n`);
};

const runMixed = async (service: Service, batches: number): Promise<void> => {
  const index = await openIndex(service);
  const make = rowMaker(dimensions);
  for (let from = 0; from < rows; from += batchRows) {
    const batch = Array.from({ length: Math.min(batchRows, rows - from) }, (_, at) => make.row(from + at));
    await service.call('POST', `/v1/indexes/${index.id}/vectors`, batch);
  }
  const size = { dimensions, batchRows, batches, searches: 300 };
  const { quietMs, writingMs, batchesMs } = await measureMixed(service, index, size);
  const line = (what: string, times: readonly number[]): readonly string[] => [
    what,
    ...[times.length, percentile(times, 0.5), percentile(times, 0.99), Math.max(...times)].map(whole),
  ];
  const table = [
    line('hybrid searches while idle', quietMs),
    line('hybrid searches while batches are written', writingMs),
    line(`batches of ${batchRows}`, batchesMs),
  ];
  process.stdout.write(`${markdownTable(['', 'times', 'p50 ms', 'p99 ms', 'worst ms'], table)}\n`);
};

const run = async (): Promise<void> => {
  const directory = await mkdtemp(join(tmpdir(), 'strata-aws-'));
  const flags = ['--aws-shape', ...values.latency.flatMap((latency) => ['--aws-latency', latency])];
  const service = await openService(directory, flags);
  try {
    if (values.tenants !== undefined) return await runTenants(service, Number(values.tenants));
    if (values.mixed !== undefined) return await runMixed(service, Number(values.mixed));
    const index = await openIndex(service);
    const measured: { readonly operation: string; readonly cost: AwsCost }[] = [];
    const batches: BatchTime[] = [];
    const onBatch = (batch: BatchTime): void => {
      batches.push(batch);
      say(`batch  ${whole(batch.ms)} ms  ${batch.waits === 0 ? '' : 'waited  '}${batch.failure ?? ''}`);
    };
    const onMeasured = (one: (typeof measured)[number]): void => {
      measured.push(one);
      say(rowOf(one.operation, [one.cost]).join('  '));
      if (one.cost.failure !== null) say(`      ${one.cost.failure}`);
      if (values.paths) sayPaths(one.cost);
    };
    await measureOperations(service, index, { rows, dimensions, batchRows, warmUps: 10, kinds }, onMeasured, onBatch);
    onMeasured({ operation: 'file of 10 pages', cost: await measureTextFile(service, index) });
    const groups = Map.groupBy(measured, ({ operation }) => operation);
    const table = [...groups].map(([operation, same]) =>
      rowOf(
        operation,
        same.map(({ cost }) => cost),
      ),
    );
    const waits = batches.map(({ ms }) => ms);
    const failed = batches.filter(({ failure }) => failure !== null).length;
    const waited = batches.filter((batch) => batch.waits > 0).length;
    process.stdout.write(`${rows} x ${dimensions}\n\n${markdownTable(head, table)}\n\n`);
    process.stdout.write(
      `${batches.length} batches of ${batchRows} rows, one after the other: p50 ${whole(percentile(waits, 0.5))} ms, worst ${whole(Math.max(...waits))} ms, ${failed} failed, ${waited} waited for the builder\n`,
    );
  } finally {
    await service.close();
    await rm(directory, { recursive: true, force: true });
  }
};

if (values.help) process.stdout.write(usage);
else await run();
