import assert from 'node:assert/strict';
import { readdirSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { closeServer, listen } from '../src/data/listen.ts';
import { readBody } from '../src/endpoint/read-body.ts';
import { callTables, type CallTables } from '../src/tables/call-tables.ts';
import { expireItems } from '../src/tables/expire-items.ts';
import { openTables } from '../src/tables/open-tables.ts';
import type { TableDefinition } from '../src/tables/table-definition.ts';
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts';

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

interface Running {
  readonly call: CallTables;
  readonly close: () => Promise<void>;
}

const run = async (directory: string, table: TableDefinition, repairIndexes = false): Promise<Running> => {
  const tables = await openTables({
    directory,
    region: table.region,
    accountId: '000000000000',
    tables: [table],
    repairIndexes,
    disk: { noteFailedWrite: () => {}, onWritable: () => {} },
  });
  const server: Server = createServer(
    (request, response) => void readBody(request, 1_000_000).then((body) => tables.serve(request, response, body)),
  );
  const port = await listen(server, 0);
  return {
    call: callTables(`http://127.0.0.1:${port}`, { accessKeyId: 'test', secretAccessKey: 'test' }),
    close: async () => {
      await closeServer(server);
      await tables.close();
    },
  };
};

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

const directoryOf = (t: TestContext): string => join(temporaryDirectory(t), 'tables');

test('an index that a new version adds to a table contains the existing items', async (t) => {
  const directory = directoryOf(t);
  const before = await run(directory, plain);
  await put(before.call, { pk: { S: 'b' }, due_pk: { S: 'all' }, due_at: { S: '2' } });
  await put(before.call, { pk: { S: 'a' }, due_pk: { S: 'all' }, due_at: { S: '1' } });
  await put(before.call, { pk: { S: 'none' } });
  await before.close();

  const now = await run(directory, indexed);
  assert.deepEqual(await dueKeys(now.call), ['a', 'b']);
  await put(now.call, { pk: { S: 'a' } });
  assert.deepEqual(await dueKeys(now.call), ['b']);
  await now.close();
});

test('index entries that a crash left stale or lost are repaired', async (t) => {
  const directory = directoryOf(t);
  const before = await run(directory, indexed);
  await put(before.call, { pk: { S: 'kept' }, due_pk: { S: 'all' }, due_at: { S: '1' } });
  await before.close();
  // Without the index in its record the table changes items and not the entries, as when it dies in between.
  const halfway = await run(directory, plain);
  await put(halfway.call, { pk: { S: 'lost' }, due_pk: { S: 'all' }, due_at: { S: '2' } });
  await halfway.call('us-east-1', 'DeleteItem', { TableName: 'things', Key: { pk: { S: 'kept' } } });
  await halfway.close();

  const repaired = await run(directory, indexed, true);
  assert.deepEqual(await dueKeys(repaired.call), ['lost']);
  await repaired.close();
});

test('a table whose key has changed is refused in one line', async (t) => {
  const directory = directoryOf(t);
  await (await run(directory, plain)).close();
  const changed = { ...plain, attributes: [text('id')], key: [{ AttributeName: 'id', KeyType: 'HASH' as const }] };
  await assert.rejects(run(directory, changed), {
    message: 'table things holds data under the key pk S HASH, not id S HASH: use a new data directory',
  });
});

test('only expired items are removed', async (t) => {
  const tables = await run(directoryOf(t), plain);
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

test('tables that cannot be read return an internal error and keep serving', { timeout: 60_000 }, async (t) => {
  const directory = directoryOf(t);
  for (const pk of ['a', 'b', 'c']) {
    const before = await run(directory, plain);
    await put(before.call, { pk: { S: pk } });
    await before.close();
  }
  const tables = await run(directory, plain);
  for (const name of readdirSync(directory)) if (name.endsWith('.ldb')) rmSync(join(directory, name));
  await assert.rejects(tables.call('us-east-1', 'Scan', { TableName: 'things' }), /InternalServerError.*IO error/);
  await put(tables.call, { pk: { S: 'd' } });
  await tables.close();
});
