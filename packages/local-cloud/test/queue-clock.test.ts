import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { openQueueStore } from '../src/queues/queue-store.ts';
import type { QueueDefinition, QueueStore, ReceivedMessage } from '../src/queues/queue-types.ts';
import { hourMs } from '../../../shared/kernel/durations.ts';
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts';

const shelf: QueueDefinition = {
  region: 'us-east-1',
  name: 'shelf',
  arn: 'arn:aws:sqs:us-east-1:000000000000:shelf',
  fifo: false,
  contentBasedDeduplication: false,
  deduplicationScope: 'queue',
  maximumMessageBytes: 1024,
  delaySeconds: 0,
  receiveWaitSeconds: 0,
  retentionSeconds: 14 * 24 * 3600,
  visibilityTimeoutSeconds: 120,
  redrive: null,
};
const log: QueueDefinition = { ...shelf, name: 'log.fifo', arn: `${shelf.arn}.fifo`, fifo: true };
const startMs = Date.parse('2026-11-23T14:00:00Z');

/** Queues in a file of their own whose clock the test sets. */
const openBench = (t: { after(hook: () => void): void }) => {
  const file = join(temporaryDirectory(), 'queues.sqlite');
  const bench = { file, ms: startMs };
  const open = (): QueueStore =>
    openQueueStore({
      file,
      queues: [shelf, log],
      clock: { now: () => new Date(bench.ms) },
      onError: assert.ifError,
    });
  let store = open();
  t.after(() => store.close());
  const receive = (queue: QueueDefinition, max = 10): Promise<readonly ReceivedMessage[]> =>
    store.receive(queue, { max, waitMs: 0, signal: new AbortController().signal });
  return Object.assign(bench, {
    store: () => store,
    restart: () => {
      store.close();
      store = open();
    },
    append: (body: string, groupId = 'a', deduplicationId = body) =>
      store.send(log, { body, groupId, deduplicationId }),
    receive,
    /** The bodies of what is received, which stays in flight. */
    take: async (queue: QueueDefinition, max = 10) => (await receive(queue, max)).map(({ body }) => body),
  });
};

for (const restarts of [false, true]) {
  const when = restarts ? 'while the process is down' : 'between two operations';
  test(`messages that wait are received in order after the clock is set back ${when}`, async (t) => {
    const bench = openBench(t);
    bench.append('a1');
    bench.append('b1', 'b');
    bench.ms += 1_000;
    bench.store().send(shelf, { body: 'now' });
    bench.store().send(shelf, { body: 'later', delaySeconds: 600 });
    bench.ms -= 2 * hourMs;
    if (restarts) bench.restart();
    bench.append('a2');
    bench.store().send(shelf, { body: 'new' });
    assert.deepEqual(await bench.take(log, 1), ['a1']);
    assert.deepEqual(await bench.take(log), ['b1']);
    assert.deepEqual(await bench.take(shelf), ['now', 'new']);
    bench.restart();
    assert.deepEqual(await bench.take(log), ['a1', 'a2', 'b1']);
    bench.ms += 599_000;
    assert.deepEqual(await bench.take(shelf), ['now', 'new'], 'a delay of its own goes on');
    bench.ms += 1_000;
    assert.deepEqual(await bench.take(shelf), ['later']);
  });

  test(`an id is a duplicate for five minutes, though the clock is set back ${when}`, async (t) => {
    const bench = openBench(t);
    bench.append('first', 'a', 'id');
    for (const { receipt } of await bench.receive(log)) bench.store().remove(log, receipt);
    bench.ms -= 2 * hourMs;
    if (restarts) bench.restart();
    bench.append('again', 'a', 'id');
    bench.ms += 299_999;
    bench.append('again', 'a', 'id');
    assert.deepEqual(await bench.take(log), []);
    bench.ms += 1;
    bench.append('anew', 'a', 'id');
    assert.deepEqual(await bench.take(log), ['anew']);
  });
}

test('a message in flight keeps its remaining time when the clock is set back, and returns to its group after it', async (t) => {
  const bench = openBench(t);
  for (const body of ['a1', 'a2']) bench.append(body);
  const [a1] = await bench.receive(log, 1);
  bench.ms += 60_000;
  bench.append('a3');
  bench.ms -= 2 * hourMs;
  assert.deepEqual(await bench.take(log), []);
  assert.deepEqual(bench.store().depth(log), { visible: 2, inFlight: 1, delayed: 0 });
  bench.ms += 59_999;
  assert.deepEqual(await bench.take(log), []);
  assert.ok(bench.store().defer(log, a1?.receipt ?? '', 30));
  bench.ms += 30_000;
  const [again] = await bench.receive(log);
  assert.deepEqual([again?.body, again?.receiveCount, again?.sentAtMs], ['a1', 2, startMs - 2 * hourMs + 60_000]);
});

test('no message of a FIFO queue overtakes an older hidden message of its group', async (t) => {
  const bench = openBench(t);
  for (const body of ['a1', 'a2', 'a3', 'a4']) bench.append(body);
  bench.append('b1', 'b');
  const other = new DatabaseSync(bench.file);
  t.after(() => other.close());
  const hide = (body: string) =>
    other.prepare('UPDATE messages SET visible_at = ? WHERE body = ?').run(startMs + 60_000, body);
  hide('a3');
  assert.deepEqual(await bench.take(log), ['a1', 'a2', 'b1'], 'messages before it do not wait');
  bench.restart();
  hide('a1');
  assert.deepEqual(await bench.take(log), ['b1']);
  bench.ms += 60_000;
  assert.deepEqual(await bench.take(log), ['a1', 'a2', 'a3', 'a4']);
});
