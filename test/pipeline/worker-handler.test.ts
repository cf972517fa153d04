import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Context, SQSRecord } from 'aws-lambda';
import * as z from 'zod';
import type { Runtime } from '../../shared/kernel/capability.ts';
import { systemClock } from '../../shared/kernel/clock.ts';
import { silentLogger } from '../../shared/kernel/log.ts';
import { handleWorker } from '../../shared/pipeline/handle.ts';
import { worker } from '../../shared/pipeline/worker.ts';

/** What the worker of these tests is told to do with a message. */
const Order = z.object({ name: z.string(), works: z.boolean().default(true), finishes: z.boolean().default(true) });

const attempts = 3;

/** A handler with a record of what it did, in order. */
const handlerOf = () => {
  const done: string[] = [];
  const retries: [string, number][] = [];
  const definition = worker({
    id: 'orders',
    summary: 'Does what it is told',
    queue: 'tasks',
    message: Order,
    uses: {},
    attempts,
    timeoutSeconds: 1,
    memoryMb: 128,
    batchSize: 10,
    maxConcurrency: 2,
    handle: async ({ deliveries }) => {
      done.push(...deliveries.map(({ message, attempt }) => `${message.name} ${attempt}`));
      return deliveries.flatMap(({ message, messageId }) => (message.works ? [] : [messageId]));
    },
    onTerminal: async ({ message }) => {
      done.push(`${message.name} final`);
      if (!message.finishes) throw new Error('not yet');
    },
  });
  const runtime: Runtime = { config: {} as Runtime['config'], clock: systemClock, log: silentLogger };
  const queue = {
    retryIn: async (_arn: string, receipt: string, seconds: number): Promise<void> => {
      retries.push([receipt, seconds]);
    },
  };
  const handle = handleWorker(definition, { runtime, queue });
  const run = async (...messages: readonly (readonly [order: unknown, receives: number])[]) => {
    const Records = messages.map(([order, receives], at) => ({
      messageId: String(at),
      receiptHandle: `receipt ${at}`,
      body: JSON.stringify(order),
      attributes: { ApproximateReceiveCount: String(receives) },
      eventSourceARN: 'arn:aws:sqs:eu-west-1:000000000000:strata-tasks',
    })) as unknown as SQSRecord[];
    const { batchItemFailures } = await handle({ Records }, { awsRequestId: 'req' } as Context);
    return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
  };
  return { run, done, retries };
};

describe('a message', () => {
  it('is worked on up to its attempts; then its failure is made final, before anything else of the run', async () => {
    const { run, done } = handlerOf();
    const failed = await run([{ name: 'new' }, 1], [{ name: 'last' }, attempts], [{ name: 'worn out' }, attempts + 1]);
    assert.deepEqual(failed, []);
    assert.deepEqual(done, ['worn out final', 'new 1', `last ${attempts}`]);
  });

  it('comes again alone, later each time, and so it does anew once its failure is to be made final', async () => {
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

  it('whose failure cannot be made final keeps no other from its end', async () => {
    const { run, done } = handlerOf();
    const stuck = { name: 'stuck', finishes: false };
    assert.deepEqual(await run([stuck, 9], [{ name: 'other' }, 9], [{ name: 'new' }, 1]), ['0']);
    assert.deepEqual(done, ['stuck final', 'other final', 'new 1']);
  });

  it('without the form of the worker is dropped, at any attempt', async () => {
    const { run, done } = handlerOf();
    assert.deepEqual(await run([{ nobody: 'knows' }, 1], ['?', 9], [{ name: 'good' }, 1]), []);
    assert.deepEqual(done, ['good 1']);
  });
});
