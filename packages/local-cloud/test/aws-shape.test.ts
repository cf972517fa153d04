import assert from 'node:assert/strict';
import { test } from 'node:test';
import { awsBudgets, type Budget } from '../../../bench/measure/aws-budgets.ts';
import { type AwsCost, measureCost, requestsOf } from '../../../bench/measure/aws-cost.ts';
import {
  type BatchTime,
  type Measured,
  type MeasuredIndex,
  measureOperations,
} from '../../../bench/measure/aws-operations.ts';
import { keepIndexTables, openSettings } from '../src/data/settings.ts';
import { lambdaHostLimits } from '../src/host/process-pool.ts';
import { defaultAwsShape, instantAwsShape, readAwsShape } from '../src/shape/aws-shape.ts';
import { sequentialRounds } from '../src/shape/sequential-rounds.ts';
import { call, newOrganization } from '../../../test/service/support/organization.ts';
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts';
import { startOwnService } from '../../../test/support/whole-service.ts';

const service = await startOwnService(['us-east-1'], { shape: instantAwsShape, limits: lambdaHostLimits });
const organization = await newOrganization(service.baseUrl);

const send = async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<unknown> => {
  const answer = await call(organization.key, method, path, body);
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
};

const newIndex = async (dimensions: number): Promise<MeasuredIndex> => {
  const { id } = (await send('POST', '/v1/indexes', { name: 'shape', dimensions })) as { readonly id: string };
  return { id, organizationId: organization.id };
};

/** Services to which an operation sends more requests than its budget has. */
const exceeded = (cost: Pick<AwsCost, 'requests'>, budget: Budget): readonly string[] => {
  const sent: Budget = {
    s3: requestsOf(cost, 's3'),
    dynamodb: requestsOf(cost, 'dynamodb') - requestsOf(cost, 'dynamodb', 'GetItem'),
    sqs: requestsOf(cost, 'sqs'),
  };
  return (['s3', 'dynamodb', 'sqs'] as const)
    .filter((name) => sent[name] > budget[name])
    .map((name) => `${sent[name]} of ${budget[name]} requests to ${name}`);
};

let maintenance: AwsCost | undefined;

test('each operation stays within its budget of requests, with indexes in the object store', async () => {
  const measured: Measured[] = [];
  const batches: BatchTime[] = [];
  const size = { rows: 300, dimensions: 16, batchRows: 300, warmUps: 2, kinds: ['dense', 'hybrid'] } as const;
  const index = await newIndex(size.dimensions);
  await measureOperations(
    { call: send, waits: () => 0 },
    index,
    size,
    (one) => measured.push(one),
    (one) => batches.push(one),
  );
  const failures = [...batches, ...measured.map(({ cost }) => cost)].map(({ failure }) => failure);
  assert.deepEqual(
    failures.filter((failure) => failure !== null),
    [],
  );
  const over = measured.flatMap(({ operation, cost }) =>
    exceeded(cost, awsBudgets[operation]).map((what) => `${operation}: ${what}`),
  );
  assert.deepEqual(over, []);
  maintenance = measured.find(({ operation }) => operation === 'maintenance')?.cost;
});

test('a maintenance that sends a thousand requests more exceeds its budget', () => {
  assert.ok(maintenance !== undefined && requestsOf(maintenance, 's3') > 0);
  const requests = { ...maintenance.requests, 's3.GET': requestsOf(maintenance, 's3', 'GET') + 1_000 };
  assert.equal(exceeded({ requests }, awsBudgets.maintenance).length, 1);
});

test('a frozen function responds correctly after its connections to AWS have ended', async () => {
  const { id } = await newIndex(2);
  const search = async (): Promise<unknown> => {
    const { results } = (await send('POST', `/v1/indexes/${id}/search/hybrid`, { vector: [1, 0], text: 'fox' })) as {
      readonly results: readonly { readonly id: string }[];
    };
    return results.map((hit) => hit.id);
  };
  const write = (row: string) =>
    send('POST', `/v1/indexes/${id}/vectors`, [{ id: row, vector: [1, 1], text: 'a fox' }]);
  await write('a');
  assert.deepEqual(await search(), ['a']);
  await measureCost({ call: send }, () => send('POST', '/_local/drop-connections'));
  assert.deepEqual(await search(), ['a']);
  await send('POST', '/_local/drop-connections');
  await write('b');
  assert.deepEqual(await search(), ['a', 'b']);
});

test('the latencies are the published ones unless an option sets them, and unknown names are refused', () => {
  assert.deepEqual(readAwsShape([]), defaultAwsShape);
  assert.deepEqual(readAwsShape(['s3=100', 's3-rate=50', 'invoke=0']), {
    latencyMs: { ...defaultAwsShape.latencyMs, s3: 100, invoke: 0 },
    s3BytesPerSecond: 50_000_000,
  });
  for (const wrong of ['s3', 's3=-1', 'kinesis=4', 's3-rate=0', '__proto__=1'])
    assert.throws(() => readAwsShape([wrong]), new RegExp(`--aws-latency ${wrong}: `));
});

test('requests that overlap count as one round, and those that wait for each other as several', () => {
  const span = (startMs: number, endMs: number) => ({ startMs, endMs });
  assert.equal(sequentialRounds([]), 0);
  assert.equal(sequentialRounds([span(0, 10), span(0, 10), span(5, 12)]), 1);
  assert.equal(sequentialRounds([span(0, 30), span(0, 10), span(11, 20), span(20, 25)]), 3);
});

test('data with index tables in a directory is not opened with --aws-shape, nor the other way round', () => {
  for (const [first, other] of [
    ['directory', 'bucket'],
    ['bucket', 'directory'],
  ] as const) {
    const settings = openSettings(temporaryDirectory());
    keepIndexTables(settings, first);
    assert.throws(() => keepIndexTables(settings, other), /--aws-shape/);
  }
});
