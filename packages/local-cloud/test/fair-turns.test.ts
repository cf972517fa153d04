import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { driveQueue } from '../src/events/drive-queue.ts';
import type { FunctionDefinition } from '../src/host/function-definition.ts';
import type { FunctionHost, Invocation } from '../src/host/host-contracts.ts';
import { openQueueStore } from '../src/queues/queue-store.ts';
import type { QueueDefinition, ReceivedMessage } from '../src/queues/queue-types.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts';

const queue: QueueDefinition = {
  region: 'us-east-1',
  name: 'tasks',
  arn: 'arn:aws:sqs:us-east-1:000000000000:tasks',
  fifo: false,
  contentBasedDeduplication: false,
  deduplicationScope: 'queue',
  maximumMessageBytes: 1024,
  delaySeconds: 0,
  receiveWaitSeconds: 0,
  retentionSeconds: 86_400,
  visibilityTimeoutSeconds: 3_600,
  redrive: null,
};

/** An empty queue under a clock that only the test moves. */
const openQueue = (context: TestContext) => {
  let now = Date.parse('2026-11-26T12:00:00Z');
  const file = join(temporaryDirectory(), 'queues');
  const clock = { now: () => new Date(now) };
  const store = openQueueStore({ file, queues: [queue], clock, onError: console.error });
  context.after(() => store.close());
  const send = (groupId: string | undefined, count: number): void => {
    for (let nth = 1; nth <= count; nth += 1) store.send(queue, { body: `${groupId ?? 'alone'} ${nth}`, groupId });
  };
  const take = async (options: { readonly isSpare?: boolean } = {}): Promise<ReceivedMessage | undefined> =>
    (await store.receive(queue, { max: 1, waitMs: 0, signal: context.signal, ...options }))[0];
  const pass = (seconds: number): void => {
    now += seconds * 1000;
  };
  /** One receiver after the other is done after `seconds`, and takes the next message; the groups in that order. */
  const work = async (held: (ReceivedMessage | undefined)[], rounds: number, seconds: number) => {
    const groups: (string | null | undefined)[] = [];
    for (let round = 0; round < rounds; round += 1) {
      pass(seconds);
      const done = held.shift();
      if (done !== undefined) store.remove(queue, done.receipt);
      const next = await take();
      groups.push(next?.groupId);
      held.push(next);
    }
    return groups;
  };
  return { store, send, take, pass, work };
};

test('a message of a quiet group is delivered before those of any number of groups with a backlog', async (context) => {
  const { send, take, work } = openQueue(context);
  for (const group of ['a', 'b', 'c']) send(group, 10);
  const held = [await take(), await take()];
  await work(held, 4, 5);
  send('quiet', 1);
  assert.deepEqual(await work(held, 1, 5), ['quiet']);
  send(undefined, 1);
  assert.deepEqual(await work(held, 1, 5), [null], 'a message without a group is a quiet group of its own');
});

test('messages of groups with a backlog alternate, even with a single receiver', async (context) => {
  const { send, take, work } = openQueue(context);
  send('a', 6);
  send('b', 6);
  send('c', 6);
  const groups = await work([await take()], 9, 5);
  for (const group of ['a', 'b', 'c']) assert.equal(groups.filter((other) => other === group).length, 3, group);
});

test('a group whose messages take longer gets fewer deliveries', async (context) => {
  const { store, send, take, pass } = openQueue(context);
  send('slow', 20);
  send('quick', 20);
  const turns = { slow: 0, quick: 0 };
  for (let round = 0; round < 12; round += 1) {
    const message = await take();
    assert.ok(message !== undefined);
    const group = message.groupId === 'slow' ? 'slow' : 'quick';
    turns[group] += 1;
    pass(group === 'slow' ? 9 : 3);
    store.remove(queue, message.receipt);
  }
  assert.ok(turns.quick > 2 * turns.slow, JSON.stringify(turns));
});

test('a group without a backlog is quiet again', async (context) => {
  const { send, take, work } = openQueue(context);
  send('a', 1);
  send('b', 20);
  const held = [await take()];
  assert.deepEqual(await work(held, 3, 60), ['b', 'b', 'b']);
  send('a', 1);
  assert.deepEqual(await work(held, 1, 60), ['a']);
});

test('a spare receiver gets only messages of small groups with nothing in flight', async (context) => {
  const { send, take } = openQueue(context);
  send('large', 9);
  assert.equal((await take())?.groupId, 'large');
  assert.equal(await take({ isSpare: true }), undefined);
  send('other', 3);
  assert.equal(await take({ isSpare: true }), undefined, 'three messages are a backlog');
  send('small', 2);
  assert.equal((await take({ isSpare: true }))?.groupId, 'small');
  assert.equal(await take({ isSpare: true }), undefined, 'one of the group is in flight');
});

test('a message of a small group is processed at once while long runs of a large one use all other processes', async (context) => {
  const { store, send } = openQueue(context);
  const definition: FunctionDefinition = {
    region: 'us-east-1',
    name: 'file-task',
    arn: 'arn:aws:lambda:us-east-1:000000000000:function:file-task',
    codeDirectory: '',
    handler: 'index.handler',
    timeoutSeconds: 300,
    memoryMb: 3_008,
    environment: {},
    layerDirectories: [],
  };
  const runs = new Map<string, () => void>();
  const host: Pick<FunctionHost, 'invoke' | 'concurrency' | 'spareConcurrency'> = {
    concurrency: () => 2,
    spareConcurrency: () => 1,
    invoke: (_, payload) => {
      const { Records } = JSON.parse(payload) as { readonly Records: readonly { readonly body: string }[] };
      return new Promise<Invocation>((resolve) => {
        runs.set(Records[0]?.body ?? '', () => resolve({ requestId: '1', outcome: { ok: true, payload: 'null' } }));
      });
    },
  };
  const mapping = {
    queueArn: queue.arn,
    functionArn: definition.arn,
    batchSize: 1,
    maximumConcurrency: 100,
    reportsBatchItemFailures: true,
  };
  const driver = driveQueue({
    mapping,
    queue,
    definition,
    store,
    host: host as FunctionHost,
    accountId: '000000000000',
    onError: console.error,
  });
  context.after(() => driver.stop());
  const end = (body: string): void => {
    runs.get(body)?.();
    runs.delete(body);
  };
  const running = (): string => [...runs.keys()].toSorted().join();
  send('large', 6);
  await eventually(running, (names) => names === 'large 1,large 2');
  send('mail', 1);
  await eventually(running, (names) => names === 'large 1,large 2,mail 1');
  end('mail 1');
  await eventually(
    () => store.depth(queue),
    ({ inFlight }) => inFlight === 2,
  );
  assert.equal(running(), 'large 1,large 2', 'the spare place is kept free');
  send('page', 1);
  await eventually(running, (names) => names === 'large 1,large 2,page 1');
  end('large 1');
  end('page 1');
  await eventually(running, (names) => names === 'large 2,large 3');
});
