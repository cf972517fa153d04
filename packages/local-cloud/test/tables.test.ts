import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import type { CallTables } from '../src/tables/call-tables.ts';
import { expireItems } from '../src/tables/expire-items.ts';
import type { TableDefinition } from '../src/tables/table-definition.ts';
import { randomFrom } from '../../../test/support/random.ts';
import { runTables } from '../../../scripts/support/run-tables.ts';
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts';

/** As many as the whole run of the tests can afford. */
const crashes = Number(process.env['TABLE_CRASHES'] ?? 12);
const transactions = Number(process.env['TABLE_TRANSACTIONS'] ?? 200);
const seed = Number(process.env['SEED'] ?? 20260101);

const text = (AttributeName: string) => ({ AttributeName, AttributeType: 'S' }) as const;

const plain: TableDefinition = {
  name: 'things',
  region: 'us-east-1',
  attributes: [text('pk')],
  key: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  indexes: [],
  expiryAttribute: 'expires_at_epoch',
};

const indexed: TableDefinition = {
  ...plain,
  attributes: [text('pk'), text('due_pk'), text('due_at')],
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
};

const run = (file: string, table: TableDefinition) => runTables(file, [table]);

const put = (call: CallTables, item: object) => call('us-east-1', 'PutItem', { TableName: 'things', Item: item });

const dueKeys = async (call: CallTables): Promise<readonly string[]> => {
  const page = (await call('us-east-1', 'Query', {
    TableName: 'things',
    IndexName: 'due',
    KeyConditionExpression: 'due_pk = :due',
    ExpressionAttributeValues: { ':due': { S: 'all' } },
  })) as { readonly Items: readonly { readonly pk: { readonly S: string } }[] };
  return page.Items.map(({ pk }) => pk.S);
};

const fileOf = (): string => join(temporaryDirectory(), 'tables', 'us-east-1.sqlite');

test('an index that a new version adds to a table contains the existing items', async () => {
  const file = fileOf();
  const before = await run(file, plain);
  await put(before.call, { pk: { S: 'b' }, due_pk: { S: 'all' }, due_at: { S: '2' } });
  await put(before.call, { pk: { S: 'a' }, due_pk: { S: 'all' }, due_at: { S: '1' } });
  await put(before.call, { pk: { S: 'none' } });
  await before.close();

  const now = await run(file, indexed);
  assert.deepEqual(await dueKeys(now.call), ['a', 'b']);
  await put(now.call, { pk: { S: 'a' } });
  assert.deepEqual(await dueKeys(now.call), ['b']);
  await now.close();
});

test('a table whose key has changed is refused in one line', async () => {
  const file = fileOf();
  await (await run(file, plain)).close();
  const changed = { ...plain, attributes: [text('id')], key: [{ AttributeName: 'id', KeyType: 'HASH' as const }] };
  await assert.rejects(run(file, changed), {
    message: 'table things holds data under the key pk S HASH, not id S HASH: use a new data directory',
  });
});

test('only expired items are removed', async () => {
  const tables = await run(fileOf(), plain);
  const now = new Date('2026-01-01T00:00:00Z');
  const second = now.getTime() / 1000;
  await put(tables.call, { pk: { S: 'over' }, expires_at_epoch: { N: String(second) } });
  await put(tables.call, { pk: { S: 'not yet' }, expires_at_epoch: { N: String(second + 1) } });
  await put(tables.call, { pk: { S: 'for ever' } });
  assert.equal(await expireItems(tables.call, plain, now), 1);
  const { Items } = (await tables.call('us-east-1', 'Scan', { TableName: 'things' })) as {
    readonly Items: readonly { readonly pk: { readonly S: string } }[];
  };
  assert.deepEqual(Items.map(({ pk }) => pk.S).toSorted(), ['for ever', 'not yet']);
  await tables.close();
});
test('tables that cannot be read return an internal error', async () => {
  const file = fileOf();
  const before = await run(file, plain);
  for (let at = 0; at < 100; at += 1) await put(before.call, { pk: { S: `${at}` }, text: { S: 'x'.repeat(10_000) } });
  await before.close();
  const tables = await run(file, plain);
  truncateSync(file, 100_000);
  await assert.rejects(tables.call('us-east-1', 'Scan', { TableName: 'things' }), { name: /#InternalServerError$/ });
  await assert.rejects(tables.call('us-east-1', 'Scan', { TableName: 'other' }), {
    name: /#ResourceNotFoundException$/,
  });
  await tables.close();
});

/** Stores some items, and copies the files as a crash at this moment would leave them. */
const crash = async (random: () => number) => {
  const file = fileOf();
  const tables = await run(file, indexed);
  const count = 1 + Math.floor(random() * 40);
  const keys = Array.from({ length: count }, (_, at) => `item ${at}`);
  const items = keys.map((pk) => ({
    pk: { S: pk },
    due_pk: { S: 'all' },
    due_at: { S: pk },
    text: { S: 'x'.repeat(2_000) },
  }));
  await Promise.all(items.slice(0, count / 2).map((item) => put(tables.call, item)));
  for (const item of items.slice(count / 2)) await put(tables.call, item);
  const copied = fileOf();
  mkdirSync(dirname(copied));
  const ends = ['', '-wal', '-commits'] as const;
  for (const end of ends) copyFileSync(`${file}${end}`, `${copied}${end}`);
  await tables.close();
  return { file: copied, keys: keys.toSorted() };
};

test(`a crash that tears a file loses no acknowledged write without a word, ${crashes} times`, async () => {
  const random = randomFrom(seed);
  let refused = 0;
  for (let round = 0; round < crashes; round += 1) {
    const { file, keys } = await crash(random);
    const torn = `${file}${['', '-wal'][round % 2]}`;
    const { size } = statSync(torn);
    // A third of the cuts only take away the zeros that a growing file may have at its end.
    if (round % 3 === 0) truncateSync(torn, size + Math.floor(random() * 10_000));
    else truncateSync(torn, Math.floor(random() * size));
    try {
      const tables = await run(file, indexed);
      assert.deepEqual(await dueKeys(tables.call), keys);
      await tables.close();
    } catch (error) {
      if (!(error instanceof Error) || error instanceof assert.AssertionError) throw error;
      assert.match(error.message, /us-east-1\.sqlite cannot be opened: [^\n]+$/);
      refused += 1;
    }
  }
  assert.ok(refused > 0 && refused < crashes, `${refused} refused`);
});

test('a cut log is refused until its mark is removed', async () => {
  const { file, keys } = await crash(randomFrom(seed));
  truncateSync(`${file}-wal`, statSync(`${file}-wal`).size - 1);
  await assert.rejects(run(file, indexed), {
    message: `${file} cannot be opened: the last 1 acknowledged changes are missing: restore a copy, or remove ${file}-commits to continue without them`,
  });
  rmSync(`${file}-commits`);
  const tables = await run(file, indexed);
  assert.equal((await dueKeys(tables.call)).length, keys.length - 1);
  await tables.close();
});

/** One random action of a transaction. */
const randomAction = (pk: string, random: () => number): Readonly<Record<string, object>> => {
  const number = () => ({ N: String(Math.floor(random() * 3)) });
  const conditions = ['attribute_exists(pk)', 'attribute_not_exists(pk)', 'n = :n', 'n <> :n'];
  const ConditionExpression = conditions[Math.floor(random() * conditions.length)] ?? '';
  const tested = ConditionExpression.includes(':n') ? { ':n': number() } : {};
  const withValues = (values: object) => ({
    TableName: 'things',
    ConditionExpression,
    ...(Object.keys(values).length === 0 ? {} : { ExpressionAttributeValues: values }),
  });
  const Key = { pk: { S: pk } };
  const actions = [
    { Put: { ...withValues(tested), Item: { ...Key, n: number() } } },
    { Delete: { ...withValues(tested), Key } },
    { ConditionCheck: { ...withValues(tested), Key } },
    { Update: { ...withValues({ ...tested, ':new': number() }), Key, UpdateExpression: 'SET n = :new' } },
  ];
  return actions[Math.floor(random() * actions.length)] ?? {};
};

type Stored = Map<string, string | undefined>;

interface Action {
  readonly ConditionExpression: string;
  readonly ExpressionAttributeValues?: Readonly<Record<string, { readonly N: string }>>;
  readonly Item?: { readonly n: { readonly N: string } };
}

const holds = (
  stored: Stored,
  pk: string,
  { ConditionExpression: condition, ExpressionAttributeValues: values }: Action,
) => {
  if (condition === 'attribute_exists(pk)') return stored.has(pk);
  if (condition === 'attribute_not_exists(pk)') return !stored.has(pk);
  const isEqual = stored.get(pk) === values?.[':n']?.N;
  return condition === 'n = :n' ? isEqual : !isEqual;
};

test(`${transactions} random transactions change all of their items or none`, async () => {
  const random = randomFrom(seed);
  const tables = await run(fileOf(), plain);
  const stored: Stored = new Map();
  let committed = 0;
  for (let at = 0; at < transactions; at += 1) {
    const keys = Array.from({ length: 10 }, (_, key) => `k${key}`).filter(() => random() < 0.25);
    if (keys.length === 0) continue;
    const TransactItems = keys.map((pk) => randomAction(pk, random));
    const reasons = TransactItems.map((action, at) =>
      holds(stored, keys[at] ?? '', Object.values(action)[0] as Action) ? 'None' : 'ConditionalCheckFailed',
    );
    const sent = tables.call('us-east-1', 'TransactWriteItems', { TransactItems });
    if (reasons.every((code) => code === 'None')) {
      assert.deepEqual(await sent, {});
      committed += 1;
      for (const [at, action] of TransactItems.entries()) {
        const pk = keys[at] ?? '';
        const [[name, parts] = ['', {}]] = Object.entries(action);
        const { Item, ExpressionAttributeValues } = parts as Action;
        if (name === 'Delete') stored.delete(pk);
        else if (name !== 'ConditionCheck') stored.set(pk, Item?.n.N ?? ExpressionAttributeValues?.[':new']?.N);
      }
    } else await assert.rejects(sent, { message: new RegExp(`\\[${reasons.join(', ')}\\]$`) });
    const { Items } = (await tables.call('us-east-1', 'Scan', { TableName: 'things' })) as {
      readonly Items: readonly { readonly pk: { readonly S: string }; readonly n: { readonly N: string } }[];
    };
    const found = Items.map(({ pk, n }) => [pk.S, n.N]);
    assert.deepEqual(
      found,
      [...stored].toSorted(([one], [other]) => (one < other ? -1 : 1)),
    );
  }
  assert.ok(committed > transactions / 20, `${committed} committed`);
  await tables.close();
});

test('a transaction with a token runs once, and its limits are those of DynamoDB', async () => {
  const tables = await run(fileOf(), plain);
  const transact = (TransactItems: readonly object[], ClientRequestToken?: string) =>
    tables.call('us-east-1', 'TransactWriteItems', { TransactItems, ClientRequestToken });
  const add = (pk: string) => ({
    Update: {
      TableName: 'things',
      Key: { pk: { S: pk } },
      UpdateExpression: 'ADD n :one',
      ExpressionAttributeValues: { ':one': { N: '1' } },
    },
  });
  await transact([add('a'), add('b')], 'token');
  await transact([add('a'), add('b')], 'token');
  await assert.rejects(transact([add('a')], 'token'), { name: /#IdempotentParameterMismatchException$/ });
  const { Item } = (await tables.call('us-east-1', 'GetItem', { TableName: 'things', Key: { pk: { S: 'a' } } })) as {
    readonly Item: object;
  };
  assert.deepEqual(Item, { pk: { S: 'a' }, n: { N: '1' } });
  const invalid = { name: /#ValidationException$/ };
  await assert.rejects(transact([add('a'), add('a')]), invalid);
  await assert.rejects(transact([]), invalid);
  await assert.rejects(transact(Array.from({ length: 101 }, (_, at) => add(`${at}`))), invalid);
  const large = (pk: string) => ({
    Put: { TableName: 'things', Item: { pk: { S: pk }, x: { S: 'x'.repeat(400_000) } } },
  });
  await assert.rejects(transact(Array.from({ length: 11 }, (_, at) => large(`${at}`))), invalid);
  await transact(Array.from({ length: 10 }, (_, at) => large(`${at}`)));
  await tables.close();
});
