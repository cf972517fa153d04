import { Duration, type IResolvable } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as sqs from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { deadLetterQueueName, queueName, queues, type QueueName } from '../../shared/kernel/names.ts';
import { visibilitySecondsOf } from '../../shared/pipeline/worker.ts';
import type { EntryOf } from '../functions.ts';
import { consumerGrants } from '../grants.ts';
import { type FunctionHost, reserveConcurrency } from './function-host.ts';
import { ImpactAlarm, type Impact } from './impact-alarm.ts';

interface Watch {
  /** Age of the oldest message, in minutes, that is normal under load. */
  readonly patienceMinutes: number;
  /** The queue moves too slowly or not at all. */
  readonly late: Impact;
  /** Most of the received messages return to the queue. */
  readonly failing: Impact;
  /** The retries of a message are exhausted, and recording its failure has failed for an hour. */
  readonly stuck: Impact;
}

const watches: Readonly<Record<QueueName, Watch>> = {
  plan: {
    patienceMinutes: 15,
    late: 'New uploads are not processed until the plan queue moves again.',
    failing: 'New uploads may not be processed until the plan function stops failing.',
    stuck: 'Uploads that never started show no reason until the plan function can mark their jobs as failed.',
  },
  imports: {
    patienceMinutes: 60,
    late: 'Imports take longer than an hour until the import function catches up.',
    failing: 'Imports may not be copied until the import function stops failing.',
    stuck: 'Failed imports appear as running until the import function can mark their jobs as failed.',
  },
  exports: {
    patienceMinutes: 60,
    late: 'Exports take longer than an hour until the export function catches up.',
    failing: 'Exports may not continue until the export function stops failing.',
    stuck: 'Failed exports appear as running until the export function can mark them as failed.',
  },
  rebuilds: {
    patienceMinutes: 60,
    late: 'Rebuilds take longer, and former contents fall behind, until the rebuild function catches up.',
    failing: 'Rebuilds may not continue until the rebuild function stops failing.',
    stuck: 'Failed rebuilds appear as running until the rebuild function can mark them as failed.',
  },
  evaluations: {
    patienceMinutes: 60,
    late: 'Evaluations, and the promotions that wait for them, take longer until the evaluate function catches up.',
    failing: 'Evaluations may not continue until the evaluate function stops failing.',
    stuck: 'Failed evaluations appear as running until the evaluate function can mark them as failed.',
  },
  tasks: {
    patienceMinutes: 60,
    late: 'Uploads take longer than an hour until the file tasks catch up.',
    failing: 'Files may not be read until the file-task function stops failing.',
    stuck: 'Failed files appear as running until the file-task function can mark their jobs as failed.',
  },
  crawl: {
    patienceMinutes: 60,
    late: 'Crawls neither begin nor continue until the crawl queue moves again.',
    failing: 'Crawls may not continue until the crawl function stops failing.',
    stuck: 'Failed crawls appear as running until the crawl function can mark them as failed.',
  },
  sync: {
    patienceMinutes: 60,
    late: 'Syncs of connectors are over an hour late until the sync function catches up.',
    failing: 'Connectors may not be synced until the sync function stops failing.',
    stuck: 'Stopped connectors show no reason until the sync function can receive its messages.',
  },
  log: {
    patienceMinutes: 10,
    late: 'Written vectors are not searchable until the index log moves again.',
    failing: 'Writes may not be accepted until the index writer stops failing.',
    stuck: 'Rejected writes may be unreported until an operator inspects the dead letters of the log.',
  },
  builds: {
    patienceMinutes: 60,
    late: 'Large indexes become slower, and take no more rows after many writes, until the builds catch up.',
    failing: 'Large indexes become slower until the build function stops failing.',
    stuck: 'Failed builds are not counted until the build function can record them.',
  },
  deletions: {
    patienceMinutes: 60,
    late: 'Deleted indexes keep their files and tables until their deletion catches up.',
    failing: 'Deleted indexes may keep their files and tables until the index-deleter stops failing.',
    stuck: 'A deleted index keeps its files and table until the sweep requests its deletion again.',
  },
  relay: {
    patienceMinutes: 15,
    late: 'Events are not passed to delivery until the relay queue moves again.',
    failing: 'Events may not be passed to delivery until the event relay stops failing.',
    stuck: 'Failing events block their retries until the event relay can postpone them.',
  },
  deliver: {
    patienceMinutes: 30,
    late: 'Webhooks arrive late until the delivery queue moves again.',
    failing: 'Webhooks may not be sent until the deliverer stops failing.',
    stuck: 'Failing webhooks are not repeated until the deliverer can schedule their retry.',
  },
};

const queueProps = {
  encryption: sqs.QueueEncryption.SQS_MANAGED,
  enforceSSL: true,
  retentionPeriod: Duration.days(14),
  maxMessageSizeBytes: 1024 * 1024,
} as const satisfies sqs.QueueProps;

/** Order holds only within a message group, so groups do not slow each other down. */
const fifoProps = {
  fifo: true,
  deduplicationScope: sqs.DeduplicationScope.MESSAGE_GROUP,
  fifoThroughputLimit: sqs.FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
} as const satisfies sqs.QueueProps;

/**
 * Attempts to record the final failure of a message, about a minute apart, before it goes to the dead-letter queue. No
 * function polls that queue: polling would cost as much as that of the queue itself while idle.
 */
const finishingAttempts = 60;

/**
 * Receives of a FIFO message before SQS moves it to the dead-letter queue: the maximum. The worker ends a message itself
 * long before. A message is also received while it waits behind failing ones, or for free concurrency.
 */
const orderedReceives = 1_000;

const alarmMinutes = 5;

interface QueueWorkerProps {
  readonly deployment: string;
  readonly region: string;
  readonly host: FunctionHost;
  readonly entry: EntryOf<'worker'>;
  /** Concurrency that is reserved for the function; by default it shares that of the account. */
  readonly reservedConcurrency?: IResolvable;
}

/** A queue, its function, the dead-letter queue of messages whose failure could not be recorded, and their alarms. */
export class QueueWorker extends Construct {
  readonly queue: sqs.Queue;

  constructor(scope: Construct, id: string, props: QueueWorkerProps) {
    super(scope, id);
    const { entry, deployment } = props;
    const { definition } = entry;
    const shared = {
      ...queueProps,
      ...(queues[definition.queue].fifo ? fifoProps : {}),
      visibilityTimeout: Duration.seconds(visibilitySecondsOf(definition)),
    };
    const deadLetters = new sqs.Queue(this, 'DeadLetters', {
      ...shared,
      queueName: deadLetterQueueName(deployment, definition.queue),
    });
    this.queue = new sqs.Queue(this, 'Queue', {
      ...shared,
      queueName: queueName(deployment, definition.queue),
      deadLetterQueue: {
        queue: deadLetters,
        maxReceiveCount: definition.ordered === undefined ? definition.attempts + finishingAttempts : orderedReceives,
      },
    });
    this.#subscribe(props);
    this.#watch(deployment, definition.queue, deadLetters);
    this.#watchFailures(deployment, entry);
  }

  #subscribe({ host, entry, deployment, region, reservedConcurrency }: QueueWorkerProps): void {
    const { queue, batchSize, maxConcurrency } = entry.definition;
    const worker = host.add(entry, consumerGrants(deployment, region, queue));
    reserveConcurrency(worker, reservedConcurrency);
    worker.addEventSourceMapping('Messages', {
      eventSourceArn: this.queue.queueArn,
      batchSize,
      maxConcurrency,
      reportBatchItemFailures: true,
    });
  }

  #watch(deployment: string, queue: QueueName, deadLetters: sqs.Queue): void {
    const { patienceMinutes, late, stuck } = watches[queue];
    new ImpactAlarm(this, 'Late', {
      deployment,
      name: `${queue}-late`,
      metric: this.queue.metricApproximateAgeOfOldestMessage(),
      above: Duration.minutes(patienceMinutes).toSeconds(),
      periods: 2,
      impact: late,
    });
    new ImpactAlarm(this, 'Stuck', {
      deployment,
      name: `${queue}-stuck`,
      metric: deadLetters.metricApproximateNumberOfMessagesVisible({ statistic: cloudwatch.Stats.MAXIMUM }),
      above: 0,
      periods: 1,
      impact: stuck,
    });
  }

  /**
   * Adds an alarm on the number of receives. The age of the oldest message ignores messages received three times, and
   * messages whose failure is recorded leave the queue, so only receives show that a worker fails on everything.
   */
  #watchFailures(deployment: string, { definition }: EntryOf<'worker'>): void {
    // Long enough for a message whose run was killed to be received again in each period.
    const minutes = Math.ceil(visibilitySecondsOf(definition) / 60 / alarmMinutes) * alarmMinutes;
    new ImpactAlarm(this, 'Failing', {
      deployment,
      name: `${definition.queue}-failing`,
      metric: new cloudwatch.MathExpression({
        // A successful message is received once and deleted once; a failed one is received once more than the worker's attempts.
        expression: 'received - 2 * FILL(deleted, 0)',
        usingMetrics: {
          received: this.queue.metricNumberOfMessagesReceived({ statistic: cloudwatch.Stats.SUM }),
          deleted: this.queue.metricNumberOfMessagesDeleted({ statistic: cloudwatch.Stats.SUM }),
        },
        period: Duration.minutes(minutes),
      }),
      above: 0,
      periods: 3,
      impact: watches[definition.queue].failing,
    });
  }
}
