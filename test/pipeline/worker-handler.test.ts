import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Context, SQSRecord } from 'aws-lambda';
import * as z from 'zod';
import type { Runtime } from '../../shared/kernel/capability.ts';
import { systemClock } from '../../shared/kernel/clock.ts';
import type { QueueName } from '../../shared/kernel/names.ts';
import { type Logger, silentLogger } from '../../shared/kernel/log.ts';
import { handleWorker } from '../../shared/pipeline/handle.ts';
import { worker } from '../../shared/pipeline/worker.ts';

/** A message of these tests, with the instructions for their worker. */
const Order = z.looseObject({
  name: z.string(),
  works: z.boolean().default(true),
  finishes: z.boolean().default(true),
  throws: z.boolean().default(false),
});

const attempts = 3;
const timeoutOfMost = 1;

type Message = readonly [
  order: unknown,
  receives: number,
  more?: { readonly receipt?: string; readonly group?: string; readonly heldMs?: number },
];

/** A handler with a record of what it did, in order. */
const handlerOf = (queueName: QueueName = 'tasks', timeoutSeconds = timeoutOfMost, act: () => void = () => {}) => {
  const done: string[] = [];
  const retries: [string, number][] = [];
  const definition = worker({
    id: 'orders',
    summary: 'Does what it is told',
    queue: queueName,
    message: Order,
    uses: {},
    attempts,
    timeoutSeconds,
    memoryMb: 128,
    batchSize: 10,
    maxConcurrency: 2,
    handle: async ({ deliveries }) => {
      done.push(...deliveries.map(({ message, attempt }) => `${message.name} ${attempt}`));
      act();
      if (deliveries.some(({ message }) => message.throws)) throw new Error('no such thing');
      return deliveries.flatMap(({ message, messageId }) => (message.works ? [] : [messageId]));
    },
    onExhausted: async ({ message }) => {
      done.push(`${message.name} final`);
      if (!message.finishes) throw new Error('not yet');
    },
  });
  const lines: unknown[] = [];
  const log: Logger = { ...silentLogger, error: (message, fields) => lines.push({ message, ...fields }) };
  const runtime: Runtime = { config: {} as Runtime['config'], clock: systemClock, log };
  const queue = {
    hideFor: async (_arn: string, receipt: string, seconds: number): Promise<boolean> => {
      retries.push([receipt, seconds]);
      return !receipt.startsWith('gone');
    },
    remove: () => Promise.resolve(true),
  };
  const handle = handleWorker(definition, { runtime, queue });
  const run = async (...messages: readonly Message[]) => {
    const Records = messages.map(([order, receives, { receipt, group, heldMs = 0 } = {}], at) => ({
      messageId: String(at),
      receiptHandle: receipt ?? `receipt ${at}`,
      body: JSON.stringify(order),
      attributes: {
        ApproximateReceiveCount: String(receives),
        ApproximateFirstReceiveTimestamp: String(Date.now() - heldMs),
        ...(group === undefined ? {} : { MessageGroupId: group }),
      },
      eventSourceARN: 'arn:aws:sqs:eu-west-1:000000000000:strata-tasks',
    })) as unknown as SQSRecord[];
    const { batchItemFailures } = await handle({ Records }, { awsRequestId: 'req' } as Context);
    return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
  };
  return { run, done, retries, lines };
};

describe('a message', () => {
  it('is worked on up to its attempts and once more alone, before anything else of the run', async () => {
    const { run, done } = handlerOf();
    const failed = await run([{ name: 'new' }, 1], [{ name: 'last' }, attempts], [{ name: 'worn out' }, attempts + 1]);
    assert.deepEqual(failed, []);
    assert.deepEqual(done, ['worn out 4', 'new 1', `last ${attempts}`]);
  });

  it('that fails alone as well has its failure made final, and does not prevent the success of others', async () => {
    const { run, done } = handlerOf();
    const poison = { name: 'poison', works: false };
    assert.deepEqual(await run([poison, attempts + 1], [{ name: 'innocent' }, attempts + 1], [poison, 9]), []);
    assert.deepEqual(done, ['poison 4', 'poison final', 'innocent 4', 'poison final']);
  });

  it('is retried alone, later each time, and again from the first delay once its failure is to be made final', async () => {
    const { run, retries } = handlerOf();
    const fails = { works: false, finishes: false };
    const orders = [1, 2, attempts, attempts + 1, attempts + 2, attempts + 59].map(
      (receives) => [{ name: 'poison', ...fails }, receives] as const,
    );
    assert.deepEqual(await run([{ name: 'good' }, 1], ...orders), ['1', '2', '3', '4', '5', '6']);
    assert.deepEqual(
      retries.map(([receipt, seconds]) => `${receipt}: ${seconds}`),
      [2, 4, 8, 2, 4, 60].map((seconds, at) => `receipt ${at + 1}: ${seconds}`),
    );
  });

  it('that a run failed for is named in the log by its ids alone, and by those of the change that it carries', async () => {
    const { run, lines } = handlerOf();
    const change = {
      job_id: 'job_1',
      ordinal: 2,
      rows: [{ id: 'a', metadata: { patient_id: '7' } }],
      filter: { a_id: 1 },
    };
    const message = { name: 'poison', organization_id: 'org_1', index_id: 'idx_1', change };
    const ids = { organization_id: 'org_1', index_id: 'idx_1', job_id: 'job_1', ordinal: 2 };
    await run([{ ...message, throws: true }, 2], [{ name: 'of nobody' }, 1]);
    await run([{ ...message, works: false, finishes: false }, 9]);
    const [failed, stuck] = lines;
    assert.partialDeepStrictEqual(failed, { message: 'worker.run.failed', worker: 'orders' });
    assert.deepEqual((failed as { messages: unknown }).messages, [
      { ...ids, message_id: '0', attempt: 2 },
      { message_id: '1', attempt: 1 },
    ]);
    const { error, ...told } = stuck as { error: unknown };
    assert.ok(error instanceof Error);
    assert.deepEqual(told, {
      message: 'worker.exhausted.failed',
      worker: 'orders',
      ...ids,
      message_id: '0',
      attempt: 9,
    });
  });

  it('whose failure cannot be made final keeps no other from its end', async () => {
    const { run, done } = handlerOf();
    const stuck = { name: 'stuck', finishes: false };
    assert.deepEqual(await run([stuck, 9], [{ name: 'other' }, 9], [{ name: 'new' }, 1]), ['0']);
    assert.deepEqual(done, ['stuck final', 'other final', 'new 1']);
  });

  it('without the form of the worker waits for one that knows it, and so does its group where that is in order', async () => {
    const { run, done, retries } = handlerOf('log');
    const messages: readonly Message[] = [
      [{ nobody: 'knows' }, 1, { group: 'a' }],
      [{ name: 'behind it' }, 1, { group: 'a' }],
      [{ name: 'of another group' }, 1, { group: 'b' }],
      ['?', 9],
      [{ name: 'of no group' }, 1],
    ];
    assert.deepEqual(await run(...messages), ['0', '1', '3']);
    assert.deepEqual(done, ['of another group 1', 'of no group 1']);
    assert.equal(retries.length, 3);
    assert.deepEqual(await handlerOf('tasks').run(...messages), ['0', '3']);
  });

  it('of a long run is hidden for a minute at a time until the run ends, and a failed one only for the delay of its retry', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    const { run, retries } = handlerOf('tasks', 300, () => t.mock.timers.tick(40_000));
    await run([{ name: 'good' }, 1], [{ name: 'bad', works: false }, 1]);
    const renewals = Array.from({ length: 3 }, () => [
      ['receipt 0', 60],
      ['receipt 1', 60],
    ]).flat();
    assert.deepEqual(retries, [...renewals, ['receipt 1', 2]]);
    t.mock.timers.tick(40_000);
    assert.equal(retries.length, 7);
  });

  it('that a run got late is held first, and left alone where it is not the run’s any more', async () => {
    const { run, done, retries } = handlerOf();
    const [late, inTime] = [{ heldMs: timeoutOfMost * 1500 }, { heldMs: timeoutOfMost * 500 }];
    assert.deepEqual(await run([{ name: 'late' }, 1, late]), []);
    assert.deepEqual(retries, [['receipt 0', timeoutOfMost * 2]]);
    assert.deepEqual(await run([{ name: 'taken' }, 1, { ...late, receipt: 'gone' }], [{ name: 'other' }, 1]), [
      '0',
      '1',
    ]);
    assert.deepEqual(await run([{ name: 'in time' }, 1, inTime]), []);
    assert.deepEqual(done, ['late 1', 'in time 1']);
    assert.equal(retries.length, 3);
  });
});
