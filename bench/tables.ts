// `npm run bench:tables`: requests a second of the tables of one machine, beside dynalite on LevelDB, by turns in one run.
// dynalite syncs no write, and its transactions do not exist.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandLine } from '../scripts/support/read-command-line.ts';
import { inParallel } from '../shared/kernel/in-parallel.ts';
import type { CallTables, TableDefinition } from '#local-cloud';
import { runDynalite, runTables } from '../scripts/support/run-tables.ts';

const { values } = commandLine({
  options: {
    requests: { type: 'string', default: '2000' },
    clients: { type: 'string', default: '16' },
    rounds: { type: 'string', default: '3' },
  },
});
const [requests, clients, rounds] = [Number(values.requests), Number(values.clients), Number(values.rounds)];

const text = (AttributeName: string) => ({ AttributeName, AttributeType: 'S' }) as const;

const definitionOf = (name: string): TableDefinition => ({
  name,
  region: 'us-east-1',
  attributes: ['pk', 'sk', 'due_pk', 'due_at'].map(text),
  key: [
    { AttributeName: 'pk', KeyType: 'HASH' },
    { AttributeName: 'sk', KeyType: 'RANGE' },
  ],
  indexes: [
    {
      IndexName: 'due',
      KeySchema: [
        { AttributeName: 'due_pk', KeyType: 'HASH' },
        { AttributeName: 'due_at', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'KEYS_ONLY' },
    },
  ],
  expiryAttribute: null,
});

const definitions = ['items', 'bench-usage'].map(definitionOf);

const keyOf = (at: number) => ({ pk: { S: `ORG#${at % 50}` }, sk: { S: `item ${String(at).padStart(8, '0')}` } });

const addTo = (TableName: string) => (at: number) => ({
  TableName,
  Key: keyOf(at),
  UpdateExpression: 'ADD #count :one SET #at = if_not_exists(#at, :at)',
  ConditionExpression: 'attribute_not_exists(#gone)',
  ExpressionAttributeNames: { '#count': 'count', '#at': 'at', '#gone': 'gone' },
  ExpressionAttributeValues: { ':one': { N: '1' }, ':at': { S: '2026-01-01T00:00:00Z' } },
  ReturnValues: 'ALL_NEW',
});

/** Operations with their n-th request. */
const kinds: readonly (readonly [string, string, (at: number) => object])[] = [
  [
    'PutItem with an index',
    'PutItem',
    (at) => ({
      TableName: 'items',
      Item: { ...keyOf(at), due_pk: { S: `jobs#${at % 4}` }, due_at: { S: String(at) }, text: { S: 'x'.repeat(500) } },
    }),
  ],
  ['GetItem', 'GetItem', (at) => ({ TableName: 'items', Key: keyOf(at), ConsistentRead: true })],
  ['UpdateItem', 'UpdateItem', addTo('items')],
  ['UpdateItem of a counter', 'UpdateItem', addTo('bench-usage')],
  [
    'Query of 20 items',
    'Query',
    (at) => ({
      TableName: 'items',
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': keyOf(at).pk },
      Limit: 20,
    }),
  ],
  [
    'Query of the index',
    'Query',
    (at) => ({
      TableName: 'items',
      IndexName: 'due',
      KeyConditionExpression: 'due_pk = :due AND due_at <= :until',
      ExpressionAttributeValues: { ':due': { S: `jobs#${at % 4}` }, ':until': { S: '5' } },
      Limit: 20,
    }),
  ],
];

const transaction = (at: number) => ({
  TransactItems: ['items', 'bench-usage'].map((TableName) => {
    const { ReturnValues: _, ...Update } = addTo(TableName)(at);
    return { Update };
  }),
});

const rateOf = async (call: CallTables, operation: string, requestOf: (at: number) => object): Promise<number> => {
  const startedAt = performance.now();
  const numbers = Array.from({ length: requests }, (_, at) => at);
  await inParallel(numbers, clients, async (at) => {
    await call('us-east-1', operation, requestOf(at));
  });
  return requests / ((performance.now() - startedAt) / 1_000);
};

const median = (rates: readonly number[]): string =>
  Math.round(rates.toSorted((one, other) => one - other)[Math.floor(rates.length / 2)] ?? 0).toLocaleString('en');

const directory = await mkdtemp(join(tmpdir(), 'strata-tables-'));
const own = await runTables(join(directory, 'own', 'tables.sqlite'), definitions);
const other = await runDynalite(join(directory, 'dynalite'), definitions);
try {
  console.log(`${requests} requests, ${clients} at a time, medians of ${rounds} rounds, requests a second\n`);
  console.log(
    '| Request                  | Own tables | dynalite |\n| ------------------------ | ---------: | -------: |',
  );
  const row = (name: string, ours: string, theirs: string): void =>
    console.log(`| ${name.padEnd(24)} | ${ours.padStart(10)} | ${theirs.padStart(8)} |`);
  for (const [name, operation, requestOf] of kinds) {
    const rates: { readonly own: number[]; readonly other: number[] } = { own: [], other: [] };
    for (let round = 0; round < rounds; round += 1) {
      rates.own.push(await rateOf(own.call, operation, requestOf));
      rates.other.push(await rateOf(other.call, operation, requestOf));
    }
    row(name, median(rates.own), median(rates.other));
  }
  const rates: number[] = [];
  for (let round = 0; round < rounds; round += 1) rates.push(await rateOf(own.call, 'TransactWriteItems', transaction));
  row('Transaction of two items', median(rates), '');
} finally {
  await own.close();
  await other.close();
  await rm(directory, { recursive: true });
}
