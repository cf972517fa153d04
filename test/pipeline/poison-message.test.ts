import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Context, SQSRecord } from 'aws-lambda';
import * as z from 'zod';
import type { Runtime } from '../../shared/kernel/capability.ts';
import { silentLogger } from '../../shared/kernel/log.ts';
import { handleWorker } from '../../shared/pipeline/handle.ts';
import { orderedWorker, visibilitySecondsOf } from '../../shared/pipeline/worker.ts';

const Message = z.object({
  name: z.string(),
  fails: z.union([z.boolean(), z.literal('throws')]).default(false),
});

interface Received {
  readonly name: string;
  readonly fails?: boolean | 'throws';
  readonly group?: string;
  readonly receives?: number;
}

/** A worker of an ordered queue with a record of what it did, its clock and its count of retries. */
const openWorker = () => {
  const done: string[] = [];
  let nowMs = Date.parse('2026-01-01T00:00:00Z');
  const retries = new Map<string, { begun: number; failed: number; since: Date }>();
  const clock = { now: () => new Date(nowMs) };
  const definition = orderedWorker({
    id: 'ordered',
    summary: 'Records what it does, in order',
    queue: 'log',
    message: Message,
    uses: {},
    timeoutSeconds: 90,
    memoryMb: 128,
    batchSize: 10,
    maxConcurrency: 2,
    handle: ({ deliveries }) => {
      done.push(`work ${deliveries.map(({ message }) => message.name).join('+')}`);
      if (deliveries.some(({ message }) => message.fails === 'throws')) return Promise.reject(new Error('throttled'));
      return Promise.resolve(
        deliveries.flatMap(({ message, messageId }) => (message.fails === true ? [messageId] : [])),
      );
    },
    ordered: {
      countRetry: ({ messageId }) => {
        const { begun, failed, since } = retries.get(messageId) ?? { begun: 0, failed: 0, since: clock.now() };
        const count = { begun: begun + 1, failed, since };
        retries.set(messageId, count);
        return Promise.resolve(count);
      },
      noteFailure: ({ messageId }) => {
        const count = retries.get(messageId);
        if (count !== undefined) retries.set(messageId, { ...count, failed: count.failed + 1 });
        return Promise.resolve();
      },
      endPoison: ({ message, mayLookUp }) => {
        const name = typeof message === 'string' ? message : (message as { name: string }).name;
        done.push(`${mayLookUp ? 'look up' : 'note'} ${name}`);
        return Promise.resolve();
      },
    },
  });
  const runtime: Runtime = { config: {} as Runtime['config'], clock, log: silentLogger };
  const queue = {
    hideFor: (_arn: string, receipt: string, seconds: number): Promise<boolean> => {
      if (seconds !== visibilitySecondsOf(definition)) done.push(`${receipt} back in ${seconds} s`);
      return Promise.resolve(true);
    },
    remove: (_arn: string, receipt: string): Promise<boolean> => {
      done.push(`${receipt} deleted`);
      return Promise.resolve(true);
    },
  };
  const handle = handleWorker(definition, { runtime, queue });
  const firstMs = nowMs;
  /** Names are the ids and receipts of their messages. A string is a body that cannot be read. */
  const run = async (received: readonly (Received | string)[], remainingMs = 90_000): Promise<readonly string[]> => {
    done.length = 0;
    const Records = received.map((message) => {
      const { group = 'a', receives = 2, ...body } = typeof message === 'string' ? { name: message } : message;
      return {
        messageId: body.name,
        receiptHandle: body.name,
        body: typeof message === 'string' ? message : JSON.stringify(body),
        attributes: {
          ApproximateReceiveCount: String(receives),
          ApproximateFirstReceiveTimestamp: String(firstMs),
          MessageGroupId: group,
        },
        eventSourceARN: 'arn:aws:sqs:eu-west-1:000000000000:strata-log.fifo',
      };
    }) as unknown as SQSRecord[];
    const context = { awsRequestId: 'req', getRemainingTimeInMillis: () => remainingMs } as Context;
    const { batchItemFailures } = await handle({ Records }, context);
    return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
  };
  const pass = (seconds: number): void => {
    nowMs += seconds * 1000;
  };
  /** As if a run for a message alone began and was killed, until the message returns. */
  const kill = (name: string): void => {
    const { begun, failed, since } = retries.get(name) ?? { begun: 0, failed: 0, since: clock.now() };
    retries.set(name, { begun: begun + 1, failed, since });
    pass(95);
  };
  return { run, done, pass, kill };
};

describe('messages of an ordered group of which one has failed before', () => {
  it('are worked on one by one, each deleted before the next begins', async () => {
    const { run, done } = openWorker();
    assert.deepEqual(await run([{ name: 'x' }, { name: 'y' }]), []);
    assert.deepEqual(done, ['work x', 'x deleted', 'work y', 'y deleted']);
  });

  it('wait behind the one that fails, which comes again later each time', async () => {
    const { run, done } = openWorker();
    const poison = { name: 'poison', fails: true };
    assert.deepEqual(await run([{ name: 'x' }, poison, { name: 'y' }]), ['poison', 'y']);
    assert.deepEqual(done, ['work x', 'x deleted', 'work poison', 'poison back in 4 s', 'y back in 0 s']);
    assert.deepEqual(await run([poison, { name: 'y' }]), ['poison', 'y']);
    assert.deepEqual(done, ['work poison', 'poison back in 8 s', 'y back in 0 s']);
  });

  it('wait for one that fails for at most three minutes, in which it is attempted every 20 seconds and at their end', async () => {
    for (const fails of [true, 'throws'] as const) {
      const { run, done, pass } = openWorker();
      const poison = { name: 'poison', fails };
      let waited = 0;
      for (let runs = 0; ; runs += 1) {
        const left = await run([poison, { name: 'y' }]);
        if (left.length === 0) break;
        assert.deepEqual(left, ['poison', 'y']);
        assert.equal(done[0], 'work poison');
        const seconds = Number(/^poison back in (\d+) s$/.exec(done[1] ?? '')?.[1]);
        assert.ok(seconds >= 1 && seconds <= 20, done[1]);
        assert.ok(runs < 20);
        waited += seconds;
        pass(seconds);
      }
      assert.ok(waited >= 160 && waited <= 175, `${waited} s`);
      assert.deepEqual(done, ['look up poison', 'poison deleted', 'work y', 'y deleted']);
    }
  });

  it('go on within five minutes where every run for one is killed, which is first looked up and then noted', async () => {
    const { run, done, kill } = openWorker();
    const poison = { name: 'poison', fails: true };
    kill('poison');
    await run([poison]);
    assert.deepEqual(done, ['look up poison', 'poison deleted']);
    kill('poison');
    await run([poison, { name: 'y' }]);
    assert.deepEqual(done, ['note poison', 'poison deleted', 'work y', 'y deleted']);
  });

  it('go on where the run that looked a failing one up was killed', async () => {
    const { run, done, pass, kill } = openWorker();
    const poison = { name: 'poison', fails: true };
    await run([poison]);
    pass(170);
    kill('poison');
    await run([poison]);
    assert.deepEqual(done, ['note poison', 'poison deleted']);
  });

  it('are given back before anything else where they are of another group', async () => {
    const { run, done } = openWorker();
    assert.deepEqual(await run([{ name: 'x' }, { name: 'other', group: 'b' }, { name: 'y' }]), ['other']);
    assert.deepEqual(done, ['other back in 0 s', 'work x', 'x deleted', 'work y', 'y deleted']);
  });

  it('are left to the next run where little time is left', async () => {
    const { run, done } = openWorker();
    assert.deepEqual(await run([{ name: 'x' }, { name: 'y' }], 30_000), ['y']);
    assert.deepEqual(done, ['work x', 'x deleted', 'y back in 0 s']);
  });

  it('wait for one that no version of the worker here can read, but not for longer than three minutes', async () => {
    const { run, done, pass } = openWorker();
    assert.deepEqual(await run(['{"unreadable":1}', { name: 'x' }]), ['{"unreadable":1}', 'x']);
    pass(161);
    assert.deepEqual(await run(['not json', { name: 'x' }]), []);
    assert.deepEqual(done, ['note not json', 'not json deleted', 'work x', 'x deleted']);
  });
});
