import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as sqs from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { deadLetterQueueName, queueName, queues, type QueueName } from '../../shared/kernel/names.ts';
import type { EntryOf } from '../functions.ts';
import { consumerGrants } from '../grants.ts';
import type { FunctionHost } from './function-host.ts';
import { ImpactAlarm, type Impact } from './impact-alarm.ts';

interface Watch {
  /** Age of the oldest message that is still normal under load. */
  readonly patienceMinutes: number;
  /** The queue moves too slowly or not at all. */
  readonly late: Impact;
  /** A message has used up its attempts, and even making its failure final keeps failing. */
  readonly stuck: Impact;
}

const watches: Readonly<Record<QueueName, Watch>> = {
  plan: {
    patienceMinutes: 15,
    late: "Nobody's new upload starts to be processed until the plan queue moves again.",
    stuck: 'Nobody sees why their upload never started until the plan function can mark its job as failed.',
  },
  imports: {
    patienceMinutes: 60,
    late: "Nobody's import is copied within the hour until the import function catches up.",
    stuck: 'Nobody sees that their import failed until the import function can mark its job as failed.',
  },
  tasks: {
    patienceMinutes: 60,
    late: "Nobody's upload gets done within the hour until the file tasks catch up.",
    stuck: 'Nobody sees that their file failed until the file-task function can mark its job as failed.',
  },
  crawl: {
    patienceMinutes: 60,
    late: "Nobody's crawl begins or goes on until the crawl queue moves again.",
    stuck: 'Nobody sees that their crawl failed until the crawl function can mark it as failed.',
  },
  sync: {
    patienceMinutes: 60,
    late: "Nobody's connectors are read within the hour until the syncs catch up.",
    stuck: 'Nobody sees why their connector does not move until the sync function can take its messages.',
  },
  log: {
    patienceMinutes: 10,
    late: "Nobody's vectors become searchable until the index log moves again.",
    stuck: 'Nobody hears that their write was refused until the index writer can record its failure.',
  },
  builds: {
    patienceMinutes: 60,
    late: "Nobody's large index gets fast again after many writes until the builds catch up.",
    stuck: 'Nobody gets maintenance for an index whose build failed until the build function can tell its log.',
  },
  relay: {
    patienceMinutes: 15,
    late: "Nobody's events are handed to delivery until the relay queue moves again.",
    stuck: 'Nobody gets the events that are stuck until the event relay can put them aside.',
  },
  deliver: {
    patienceMinutes: 30,
    late: "Nobody's webhooks arrive on time until the delivery queue moves again.",
    stuck: 'Nobody gets the webhooks that are stuck until the deliverer can schedule their retry.',
  },
};

const queueProps = {
  encryption: sqs.QueueEncryption.SQS_MANAGED,
  enforceSSL: true,
  retentionPeriod: Duration.days(14),
  maxMessageSizeBytes: 1024 * 1024,
} as const satisfies sqs.QueueProps;

/** Order holds within a message group alone, so groups do not slow each other down. */
const fifoProps = {
  fifo: true,
  deduplicationScope: sqs.DeduplicationScope.MESSAGE_GROUP,
  fifoThroughputLimit: sqs.FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
} as const satisfies sqs.QueueProps;

// A retry must not begin while the first run may still be going. Concurrency is bounded where messages are taken, so no
// room is needed for throttled runs, and what a crash interrupted comes back soon.
const visibilityFactor = 2;
const deadLetterConcurrency = 2;

interface QueueWorkerProps {
  readonly deployment: string;
  readonly region: string;
  readonly host: FunctionHost;
  readonly entry: EntryOf<'worker'>;
}

/** A queue, its dead-letter queue, the one function that serves both, and the alarms that watch them. */
export class QueueWorker extends Construct {
  readonly queue: sqs.Queue;

  constructor(scope: Construct, id: string, props: QueueWorkerProps) {
    super(scope, id);
    const { entry, deployment } = props;
    const { definition } = entry;
    const shared = {
      ...queueProps,
      ...(queues[definition.queue].fifo ? fifoProps : {}),
      visibilityTimeout: Duration.seconds(visibilityFactor * entry.timeoutSeconds),
    };
    const deadLetters = new sqs.Queue(this, 'DeadLetters', {
      ...shared,
      queueName: deadLetterQueueName(deployment, definition.queue),
    });
    this.queue = new sqs.Queue(this, 'Queue', {
      ...shared,
      queueName: queueName(deployment, definition.queue),
      deadLetterQueue: { queue: deadLetters, maxReceiveCount: definition.attempts },
    });
    this.#subscribe(props, deadLetters);
    this.#watch(definition.queue, deadLetters);
  }

  #subscribe({ host, entry, deployment, region }: QueueWorkerProps, deadLetters: sqs.Queue): void {
    const { queue, batchSize, maxConcurrency } = entry.definition;
    const worker = host.add(entry, consumerGrants(deployment, region, queue));
    worker.addEventSourceMapping('Messages', {
      eventSourceArn: this.queue.queueArn,
      batchSize,
      maxConcurrency,
      reportBatchItemFailures: true,
    });
    worker.addEventSourceMapping('DeadLetters', {
      eventSourceArn: deadLetters.queueArn,
      batchSize,
      maxConcurrency: deadLetterConcurrency,
      reportBatchItemFailures: true,
    });
  }

  #watch(name: QueueName, deadLetters: sqs.Queue): void {
    const { patienceMinutes, late, stuck } = watches[name];
    new ImpactAlarm(this, 'Late', {
      metric: this.queue.metricApproximateAgeOfOldestMessage(),
      above: Duration.minutes(patienceMinutes).toSeconds(),
      periods: 2,
      impact: late,
    });
    // A dead letter is received at once and again whenever its handling fails, so one that stays is always in flight.
    // Were it not received at all, neither would the queue be: the same function serves both.
    new ImpactAlarm(this, 'Stuck', {
      metric: deadLetters.metricApproximateNumberOfMessagesNotVisible({ statistic: cloudwatch.Stats.MAXIMUM }),
      above: 0,
      periods: 3,
      impact: stuck,
    });
  }
}
