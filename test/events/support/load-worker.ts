import { setTimeout as pause } from 'node:timers/promises';
import { DeleteMessageBatchCommand, type Message, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { deliver } from '../../../functions/workers/deliver/worker.ts';
import { relay } from '../../../functions/workers/relay/worker.ts';
import { sweep } from '../../../functions/workers/sweep/schedule.ts';
import { makeDeps, type Runtime } from '../../../shared/kernel/capability.ts';
import { systemClock } from '../../../shared/kernel/clock.ts';
import { silentLogger } from '../../../shared/kernel/log.ts';
import type { Run, Worker } from '../../../shared/pipeline/worker.ts';
import { sqsClient } from '../../../shared/platform/aws/sqs-client.ts';
import { queueUrl } from '../../../shared/platform/aws/queue.ts';

/** Message to the parent process, once a second. */
export interface WorkerReport {
  readonly residentMb: number;
}

/** Pause after a queue returned less than a full batch. */
const lookMs = 100;

const config = JSON.parse(process.env['LOAD_CONFIG'] ?? '{}') as Runtime['config'];
const runtime: Runtime = { config, clock: systemClock, log: silentLogger };
const run: Run = {
  clock: systemClock,
  invocationId: 'run',
  attempt: 1,
  memoryMb: 128,
  remainingMs: () => 30_000,
  log: silentLogger,
};

type Deps = ReturnType<typeof makeDeps>;

/** Processes a batch in one environment of a function. */
const workOff = async (worker: Worker, deps: Deps, messages: readonly Message[]): Promise<void> => {
  const deliveries = messages.map(({ Body = '', MessageId = '' }) => ({
    message: worker.message.parse(JSON.parse(Body)) as unknown,
    messageId: MessageId,
    attempt: 1,
  }));
  const failed = new Set(await worker.handle({ deliveries, deps, run }));
  const Entries = messages
    .filter(({ MessageId = '' }) => !failed.has(MessageId))
    .map(({ ReceiptHandle }, at) => ({ Id: String(at), ReceiptHandle }));
  if (Entries.length === 0) return;
  const QueueUrl = queueUrl(runtime, worker.queue, config.region);
  await sqsClient(config.region).send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
};

/** Polls a queue and processes batches with the maximum concurrency of the worker. */
const feed = async (worker: Worker, environments: number): Promise<never> => {
  const QueueUrl = queueUrl(runtime, worker.queue, config.region);
  const deps = makeDeps(worker.uses, runtime);
  const busy = new Set<Promise<void>>();
  for (;;) {
    if (busy.size >= environments) await Promise.race(busy);
    const { Messages = [] } = await sqsClient(config.region).send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: worker.batchSize }),
    );
    if (Messages.length > 0) {
      const work = workOff(worker, deps, Messages).finally(() => busy.delete(work));
      busy.add(work);
    }
    if (Messages.length < worker.batchSize) await pause(lookMs);
  }
};

const everySecond = async (): Promise<never> => {
  for (let second = 1; ; second += 1) {
    await pause(1_000);
    process.send?.({ residentMb: process.memoryUsage.rss() / 2 ** 20 } satisfies WorkerReport);
    if (second % 60 === 0) await sweep.handle({ deps: makeDeps(sweep.uses, runtime), run });
  }
};

// The relay has few environments, so that deliveries get the CPU.
await Promise.all([everySecond(), feed(relay, 4), feed(deliver, deliver.maxConcurrency)]);
