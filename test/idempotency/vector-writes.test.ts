import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, it } from 'node:test';
import { branchIndex } from '../../functions/indexes/branch.ts';
import { promoteIndex } from '../../functions/indexes/promote.ts';
import { deleteVectors } from '../../functions/vectors/delete.ts';
import { updateVectors } from '../../functions/vectors/update.ts';
import { upsertVectors } from '../../functions/vectors/upsert.ts';
import { indexWriter } from '../../functions/workers/index-writer/worker.ts';
import { indexesRead } from '../../shared/indexes/index.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { newId } from '../../shared/kernel/ids.ts';
import type { Endpoint } from '../../shared/http/endpoint.ts';
import { type Answer, type TestApp, openTestApp } from '../support/test-app.ts';
import { everyPoint } from '../support/every-point.ts';

let app: TestApp;
before(async () => {
  app = await openTestApp();
});
after(() => app.close());

const vector = [1, 2, 3, 4];

/** Stride of the requests at which a run dies. `npm run test:faults` uses all of them. */
const step = Number(process.env['FAULT_STEP'] ?? 135);

const counterOf = async (index: string) => {
  const row = (await app.rows(index)).find(({ id }) => id === 'counter');
  return { n: row?.metadata['n'], version: row?.version };
};

interface Scenario {
  readonly endpoint: Endpoint;
  readonly path: (index: string) => Readonly<Record<string, string>>;
  readonly body: (version: string | undefined) => unknown;
  /** Expected response and rows, for any number of deaths at any request. */
  readonly check: (index: string, answer: Answer) => Promise<void>;
}

/** Lets a run die at each request of the function or the writer, and repeats it with its Idempotency-Key. */
const diesAndComesAgain = ({ endpoint, path, body, check }: Scenario): Promise<number> =>
  everyPoint({ step }, async (fault) => {
    app.useNewOrganization();
    const index = await app.newIndex();
    await app.upsert(index, [
      { id: 'counter', vector, metadata: { n: 1 } },
      { id: 'old', vector, metadata: { n: 0 } },
    ]);
    const { version } = await counterOf(index);
    const key = randomUUID();
    const ask = () => app.call(endpoint, path(index), body(version), key);
    const reached = await app.dieAt(fault, ask);
    const answer = await ask();
    // Another request writes a row that the first one would affect if it were applied again.
    await app.upsert(index, [{ id: 'new', vector, metadata: { n: 0 } }]);
    const again = await ask();
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    assert.deepEqual(again, answer);
    await check(index, answer);
    return reached;
  });

it('a conditional upsert is applied once if its request is repeated with the same Idempotency-Key', async () => {
  await diesAndComesAgain({
    endpoint: upsertVectors,
    path: (index) => ({ index_id: index }),
    body: (version) => [{ id: 'counter', vector, metadata: { n: 2 }, if_version: version }],
    check: async (index, { body }) => assert.deepEqual(await counterOf(index), { n: 2, version: body.version }),
  });
});

it('a conditional metadata update is applied once if its request is repeated', async () => {
  await diesAndComesAgain({
    endpoint: updateVectors,
    path: (index) => ({ index_id: index }),
    body: (version) => [{ id: 'counter', metadata: { n: 2 }, if_version: version }],
    check: async (index, { body }) => assert.deepEqual(await counterOf(index), { n: 2, version: body.version }),
  });
});

it('a repeated deletion by filter does not delete rows that were written later', async () => {
  await diesAndComesAgain({
    endpoint: deleteVectors,
    path: (index) => ({ index_id: index }),
    body: () => ({ filter: { n: 0 } }),
    check: async (index, { body }) => {
      assert.deepEqual(body, { deleted: 1 });
      assert.deepEqual(
        (await app.rows(index)).map(({ id }) => id),
        ['counter', 'new'],
      );
    },
  });
});

it('a log message that is sent twice is applied once, even after the deduplication period of the queue', async () => {
  app.useNewOrganization();
  const index = await app.newIndex();
  await app.upsert(index, [{ id: 'old', vector, metadata: { n: 0 } }]);
  const { organizationId } = await app.record(index);
  const deps = makeDeps(indexWriter.uses, app.cloud.runtime);
  const first = {
    organization_id: organizationId,
    index_id: index,
    receipt_id: newId('rcp', app.cloud.runtime.clock.now()),
    change: { op: 'delete', filter: { n: 0 } },
  };
  const again = { ...first, is_repeat: true };
  const write = (...messages: readonly unknown[]) =>
    indexWriter.handle({
      deliveries: messages.map((message, at) => ({ message, messageId: String(at), attempt: 1 })),
      deps,
      run: app.cloud.run(),
    });
  const told = async () =>
    (
      await makeDeps({ indexes: indexesRead }, app.cloud.runtime).indexes.receipt(
        organizationId,
        index,
        first.receipt_id,
      )
    )?.deleted;
  await write(first, again);
  assert.equal(await told(), 1);
  // More changes than a table records.
  for (let at = 0; at < 33; at += 1) await app.upsert(index, [{ id: `new-${at}`, vector, metadata: { n: 0 } }]);
  await write(again);
  assert.deepEqual([(await app.rows(index)).length, await told()], [33, 1]);
});

it('a repeated promotion does not overwrite rows that were written later', async () => {
  app.useNewOrganization();
  const index = await app.newIndex();
  const { body: branch } = await app.call(branchIndex, { index_id: index }, { name: 'branch' });
  await app.upsert(branch.id, [{ id: 'counter', vector, metadata: { n: 1 } }]);
  const promote = () => app.call(promoteIndex, { index_id: branch.id }, {}, 'once');
  const answer = await promote();
  assert.equal(answer.status, 200);
  await app.upsert(index, [{ id: 'counter', vector, metadata: { n: 2 } }]);
  assert.deepEqual(await promote(), answer);
  assert.equal((await counterOf(index)).n, 2);
});

it('a repeat of a refused write gets the same error and another body with its key gets 409', async () => {
  const index = await app.newIndex();
  await app.upsert(index, [{ id: 'counter', vector, metadata: { n: 1 } }]);
  const write = (n: number) =>
    app.call(
      upsertVectors,
      { index_id: index },
      [{ id: 'counter', vector, metadata: { n }, if_version: 'rcp_x' }],
      'k',
    );
  const refused = await write(2);
  assert.deepEqual([refused.status, refused.body.code], [409, 'conflict']);
  assert.deepEqual((await write(2)).body.conflicts, refused.body.conflicts);
  assert.equal((await write(3)).body.code, 'idempotency_conflict');
});
