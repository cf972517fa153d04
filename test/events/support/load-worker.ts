import { setTimeout as pause } from 'node:timers/promises';
import { DeleteMessageBatchCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { deliver } from '../../../functions/workers/deliver/worker.ts';
import { relay } from '../../../functions/workers/relay/worker.ts';
import { sweep } from '../../../functions/workers/sweep/schedule.ts';
import { makeDeps, type Runtime } from '../../../shared/kernel/capability.ts';
import { systemClock } from '../../../shared/kernel/clock.ts';
import { silentLogger } from '../../../shared/kernel/log.ts';
import type { Run, Worker } from '../../../shared/pipeline/worker.ts';
import { sqsClient } from '../../../shared/platform/aws/sqs-client.ts';
import { queueUrl } from '../../../shared/platform/aws/queue.ts';

/** What the parent hears about once a second. */
export interface WorkerReport {
  readonly heapMb: number;
  readonly residentMb: number;
}

const idleMs = 500;

const config = JSON.parse(process.env['LOAD_CONFIG'] ?? '{}') as Runtime['config'];
const runtime: Runtime = { config, clock: systemClock, log: silentLogger };
const run: Run = { clock: systemClock, invocationId: 'run', attempt: 1, remainingMs: () => 30_000, log: silentLogger };

/** One environment of a function: takes a batch, handles it to the end, and takes the next, as Lambda does. */
const environment = async (worker: Worker): Promise<never> => {
  const client = sqsClient(config.region);
  const QueueUrl = queueUrl(runtime, worker.queue, config.region);
  const deps = makeDeps(worker.uses, runtime);
  for (;;) {
    const { Messages = [] } = await client.send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: worker.batchSize }),
    );
    if (Messages.length === 0) {
      // All environments share the connections of one client, which long polls would hold.
      await pause(idleMs * (0.5 + Math.random()));
      continue;
    }
    const deliveries = Messages.map(({ Body = '', MessageId = '' }) => ({
      message: worker.message.parse(JSON.parse(Body)) as unknown,
      messageId: MessageId,
      attempt: 1,
    }));
    const failed = new Set(await worker.handle({ deliveries, deps, run }));
    const Entries = Messages.filter(({ MessageId = '' }) => !failed.has(MessageId)).map(({ ReceiptHandle }, at) => ({
      Id: String(at),
      ReceiptHandle,
    }));
    if (Entries.length > 0) await client.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
  }
};

const everySecond = async (): Promise<never> => {
  for (let second = 1; ; second += 1) {
    await pause(1_000);
    const { heapUsed, rss } = process.memoryUsage();
    process.send?.({ heapMb: heapUsed / 2 ** 20, residentMb: rss / 2 ** 20 } satisfies WorkerReport);
    if (second % 60 === 0) await sweep.handle({ deps: makeDeps(sweep.uses, runtime), run });
  }
};

// The event relay is given few environments, so that deliveries have the machine.
await Promise.all([
  everySecond(),
  ...Array.from({ length: 4 }, () => environment(relay)),
  ...Array.from({ length: deliver.maxConcurrency }, () => environment(deliver)),
]);
