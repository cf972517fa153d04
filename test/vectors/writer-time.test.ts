import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { indexWriter } from '../../functions/workers/index-writer/worker.ts';
import type { LogMessage } from '../../shared/indexes/index.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { newId } from '../../shared/kernel/ids.ts';
import { type Desk, openDesk } from '../branches/support/desk.ts';

let desk: Desk;
before(async () => {
  desk = await openDesk();
});
after(() => desk.close());

const upsertOf = async (index: string, id: string): Promise<LogMessage> => {
  const { organizationId } = await desk.record(index);
  const row = {
    id,
    vector: Buffer.from(Float32Array.of(1, 2, 3, 4).buffer).toString('base64'),
    text: null,
    metadata: {},
    job_id: null,
    filename: null,
    page_start: null,
    page_end: null,
  };
  return {
    organization_id: organizationId,
    index_id: index,
    receipt_id: newId('rcp', desk.cloud.runtime.clock.now()),
    change: { op: 'upsert', rows: [row], tokens: 0 },
  };
};

it('begins no further index when a run has little time left, and leaves it to the next in its order', async () => {
  const { runtime } = desk.cloud;
  const indexes = [await desk.newIndex(), await desk.newIndex()] as const;
  const [first, second] = indexes;
  const changes = [
    await upsertOf(first, 'a'),
    await upsertOf(second, 'b'),
    await upsertOf(first, 'c'),
    await upsertOf(second, 'd'),
  ];
  const deliveries = changes.map((message, at) => ({ message, messageId: `message-${at}`, attempt: 1 }));
  const handle = (some: typeof deliveries, remainingMs: number) =>
    indexWriter.handle({
      deliveries: some,
      deps: makeDeps(indexWriter.uses, runtime),
      run: { ...desk.cloud.run(), remainingMs: () => remainingMs },
    });
  const held = async () =>
    Promise.all(indexes.map(async (index) => (await desk.rows(index)).map(({ id }) => id).join(' ')));

  const left = await handle(deliveries, 1_000);
  assert.deepEqual(
    [left, await held()],
    [
      ['message-1', 'message-3'],
      ['a c', ''],
    ],
  );
  // Not even that little keeps the first of a run waiting.
  const next = deliveries.filter(({ messageId }) => left.includes(messageId));
  assert.deepEqual([await handle(next, 1_000), await held()], [[], ['a c', 'b d']]);
});
