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
  fails: z.union([z.boolean(), z.literal('transiently')]).default(false),
  reconciles: z.enum(['settled', 'goes on', 'throws']).default('settled'),
});

interface Received {
  readonly name: string;
  readonly fails?: boolean | 'transiently';
  readonly reconciles?: 'settled' | 'goes on' | 'throws';
  readonly group?: string;
  readonly receives?: number;
}

/** A worker of an ordered queue with a record of what it did, its clock and its count of retries. */
const openWorker = () => {
  const done: string[] = [];
  let nowMs = Date.parse('2026-01-01T00:00:00Z');
  const retries = new Map<string, { begun: number; since: Date; transientRun: number }>();
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
      if (deliveries.some(({ message }) => message.fails === 'transiently'))
        return Promise.reject(new Error('throttled'));
      return Promise.resolve(
        deliveries.flatMap(({ message, messageId }) => (message.fails === true ? [messageId] : [])),
      );
    },
    ordered: {
      countRetry: ({ messageId }) => {
        const { begun, since, transientRun } = retries.get(messageId) ?? {
          begun: 0,
          since: clock.now(),
          transientRun: 0,
        };
        retries.set(messageId, { begun: begun + 1, since, transientRun });
        return Promise.resolve({ begun: begun + 1, since, isTransient: begun > 0 && transientRun === begun });
      },
      isTransient: (error) => error instanceof Error && error.message === 'throttled',
      noteTransient: ({ messageId, begun }) => {
        const count = retries.get(messageId);
        if (count !== undefined) retries.set(messageId, { ...count, transientRun: begun });
        return Promise.resolve();
      },
      reconcile: ({ message }) => {
        done.push(`reconcile ${message.name}`);
        if (message.reconciles === 'throws') return Promise.reject(new Error('no'));
        return Promise.resolve(
          message.reconciles === 'settled' ? null : { ...message, name: `rest of ${message.name}` },
        );
      },
      handOff: ({ message }) => {
        done.push(`hand off ${typeof message === 'string' ? message : (message as { name: string }).name}`);
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
  return { run, done, pass };
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

  it('go on after a minute of attempts, when the one that fails is reconciled in its place', async () => {
    const { run, done, pass } = openWorker();
    const poison = { name: 'poison', fails: true };
    await run([poison]);
    pass(61);
    assert.deepEqual(await run([poison, { name: 'y' }]), []);
    assert.deepEqual(done, ['reconcile poison', 'poison deleted', 'work y', 'y deleted']);
  });

  it('wait for one that fails transiently for three minutes, in which it is attempted every 20 seconds', async () => {
    const { run, done, pass } = openWorker();
    const throttled = { name: 'throttled', fails: 'transiently' } as const;
    await run([throttled]);
    for (let seconds = 0; seconds < 160; seconds += 20) {
      pass(20);
      assert.deepEqual(await run([throttled, { name: 'y' }]), ['throttled', 'y']);
      assert.equal(done[0], 'work throttled');
      assert.ok(['throttled back in 8 s', 'throttled back in 16 s', 'throttled back in 20 s'].includes(done[1] ?? ''));
    }
    pass(20);
    assert.deepEqual(await run([throttled, { name: 'y' }]), []);
    assert.deepEqual(done, ['reconcile throttled', 'throttled deleted', 'work y', 'y deleted']);
  });

  it('go on after a minute where the one that failed transiently fails for good', async () => {
    const { run, done, pass } = openWorker();
    await run([{ name: 'p', fails: 'transiently' }]);
    pass(61);
    assert.deepEqual(await run([{ name: 'p', fails: true }]), ['p']);
    pass(20);
    await run([{ name: 'p', fails: true }]);
    assert.deepEqual(done, ['reconcile p', 'p deleted']);
  });

  it('go on where the one that fails leaves something to do, or cannot be reconciled, which is handed off', async () => {
    const { run, done, pass } = openWorker();
    const poisons = [
      { name: 'p', fails: true, reconciles: 'goes on' },
      { name: 'q', fails: true, reconciles: 'throws' },
    ] as const;
    for (const poison of poisons) await run([poison]);
    pass(61);
    assert.deepEqual(await run(poisons), []);
    assert.deepEqual(done, [
      'reconcile p',
      'hand off rest of p',
      'p deleted',
      'reconcile q',
      'hand off q',
      'q deleted',
    ]);
  });

  it('go on where every run for the one that fails was killed, which is then handed off untouched', async () => {
    const { run, done, pass } = openWorker();
    const poison = { name: 'poison', fails: true };
    await run([poison]);
    pass(2 * 95);
    assert.deepEqual(await run([poison]), []);
    assert.deepEqual(done, ['hand off poison', 'poison deleted']);
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

  it('wait for one that no version of the worker here can read, but not for longer than four minutes', async () => {
    const { run, done, pass } = openWorker();
    assert.deepEqual(await run(['{"unreadable":1}', { name: 'x' }]), ['{"unreadable":1}', 'x']);
    pass(241);
    assert.deepEqual(await run(['not json', { name: 'x' }]), []);
    assert.deepEqual(done, ['hand off not json', 'not json deleted', 'work x', 'x deleted']);
  });
});
