import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { indexWriter } from '../../functions/workers/index-writer/worker.ts';
import type { LogMessage } from '../../shared/indexes/index.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { newId } from '../../shared/kernel/ids.ts';
import { type TestApp, openTestApp } from '../support/test-app.ts';

let app: TestApp;
before(async () => {
  app = await openTestApp();
});
after(() => app.close());

const messageOf = async (index: string, change: LogMessage['change']): Promise<LogMessage> => ({
  organization_id: (await app.record(index)).organizationId,
  index_id: index,
  receipt_id: newId('rcp', app.cloud.runtime.clock.now()),
  change,
});

const upsertOf = (index: string, id: string): Promise<LogMessage> => {
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
  return messageOf(index, { op: 'upsert', rows: [row], tokens: 0 });
};

const deliveriesOf = (messages: readonly LogMessage[]) =>
  messages.map((message, at) => ({ message, messageId: `message-${at}`, attempt: 1 }));

/** One run of the writer that has so much time left. */
const handle = (deliveries: ReturnType<typeof deliveriesOf>, remainingMs: number) =>
  indexWriter.handle({
    deliveries,
    deps: makeDeps(indexWriter.uses, app.cloud.runtime),
    run: { ...app.cloud.run(), remainingMs: () => remainingMs },
  });

const idsOf = async (index: string): Promise<string> => (await app.rows(index)).map(({ id }) => id).join(' ');

it('begins no further index when a run has little time left, and leaves it to the next in its order', async () => {
  const indexes = [await app.newIndex(), await app.newIndex()] as const;
  const [first, second] = indexes;
  const deliveries = deliveriesOf([
    await upsertOf(first, 'a'),
    await upsertOf(second, 'b'),
    await upsertOf(first, 'c'),
    await upsertOf(second, 'd'),
  ]);
  const held = () => Promise.all(indexes.map(idsOf));

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

it('begins nothing further of one index either, but does the first of it', async () => {
  const index = await app.newIndex();
  const deliveries = deliveriesOf([
    await upsertOf(index, 'a'),
    await upsertOf(index, 'b'),
    await messageOf(index, { op: 'create' }),
    await upsertOf(index, 'c'),
  ]);
  assert.deepEqual([await handle(deliveries, 1_000), await idsOf(index)], [['message-2', 'message-3'], 'a b']);
  assert.deepEqual(await handle(deliveries.slice(2), 1_000), ['message-3']);
  assert.deepEqual([await handle(deliveries.slice(3), 1_000), await idsOf(index)], [[], 'a b c']);
});
