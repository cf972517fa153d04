import { once } from 'node:events';
import { createServer, request as forward, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import {
  DeleteMessageCommand,
  PurgeQueueCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import { type FauxqsServer, startFauxqs } from 'fauxqs';
import type { ServedTables } from '../../scripts/support/run-tables.ts';
import { openTestTables } from './tables.ts';
import { type ObjectStore, startObjectStore } from './object-store.ts';
import { systemClock } from '../../shared/kernel/clock.ts';
import { makeDeps, type Runtime } from '../../shared/kernel/capability.ts';
import { builtInCrawler, providersOwnStorages, builtInDelivery, embeddedModels } from '../../shared/kernel/config.ts';
import { silentLogger } from '../../shared/kernel/log.ts';
import { bucketName, deadLetterQueueName, type QueueName, queueName, queues } from '../../shared/kernel/names.ts';
import type { Run, Schedule, Worker } from '../../shared/pipeline/worker.ts';
import { dynamoClient } from '../../shared/platform/aws/dynamo-client.ts';
import { sqsClient } from '../../shared/platform/aws/sqs-client.ts';
import { queueUrl } from '../../shared/platform/aws/queue.ts';

/** How the n-th request to a table or queue goes wrong: never applied, or applied with the reply lost. */
export interface Fault {
  readonly request: number;
  readonly kind: 'not applied' | 'reply lost';
}

/** The requests of one process: from the fault on, every one fails, as after a crash. */
class Faults {
  count = 0;
  private fault: Fault | null = null;
  private dead = false;

  arm(fault: Fault | null): void {
    this.count = 0;
    this.fault = fault;
    this.dead = false;
  }

  judge(): Fault['kind'] | null {
    if (this.dead) return 'not applied';
    this.count += 1;
    if (this.fault?.request !== this.count) return null;
    this.dead = true;
    return this.fault.kind;
  }
}

/** Lets requests through: as they come, or one at a time in an order that chance decides. */
class Turns {
  private random: (() => number) | null = null;
  private isTaken = false;
  private readonly waiting: (() => void)[] = [];

  /** From here on in an order of chance, so that runs side by side meet in many ways; null: as they come. */
  shuffle(random: (() => number) | null): void {
    this.random = random;
  }

  async inTurn(serve: () => Promise<void>): Promise<void> {
    if (this.random === null) return serve();
    if (this.isTaken) await new Promise<void>((resolve) => this.waiting.push(resolve));
    this.isTaken = true;
    try {
      await serve();
    } finally {
      const [next] = this.waiting.splice(Math.floor((this.random?.() ?? 0) * this.waiting.length), 1);
      // The lock passes on at once, so a request that arrives meanwhile waits.
      if (next === undefined) this.isTaken = false;
      else next();
    }
  }
}

export const listening = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** What a server does with a request, to be called by another. */
const listenerOf =
  (server: Server): RequestListener =>
  (request, response) =>
    void server.emit('request', request, response);

/** Hands requests on to a server that is reached through its port alone, signature and all, and gives back its answers. */
const forwarder =
  (target: URL): RequestListener =>
  (request, response) => {
    const { method, url, headers } = request;
    const passed = forward({ host: target.hostname, port: target.port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      if (response.destroyed) answer.destroy();
      else pipeline(answer, response, () => {});
    });
    pipeline(request, passed, () => {});
  };

/** Intercepts requests of the SDK to a service, and fails those that a test has selected. */
const faultyServer = (listener: RequestListener, { faults, turns }: Cloud): Server =>
  // A busy client may come back to a connection at the very moment at which the server gives it up.
  createServer({ keepAliveTimeout: 0 }, (request, response) => {
    const serve = async (): Promise<void> => {
      if (request.socket.destroyed) return;
      const verdict = faults.judge();
      if (verdict === 'not applied') {
        request.socket.destroy();
        return;
      }
      // A service begins its reply when it has done what it was asked for.
      if (verdict === 'reply lost') response.writeHead = () => response.destroy();
      const answered = once(response, 'close');
      listener(request, response);
      await answered;
    };
    turns.inTurn(serve).catch(() => request.socket.destroy());
  });

const region = 'us-east-1';

const configOf = (deployment: string): Runtime['config'] => ({
  deployment,
  accountId: '000000000000',
  homeRegion: region,
  regions: [region],
  region,
  identityIssuer: 'https://issuer.example',
  identityKeys: null,
  identityAudience: ['test'],
  allowLocalWebhooks: true,
  vectorsDirectory: null,
  assetsDirectory: join(import.meta.dirname, '..', '..', 'node_modules'),
  models: embeddedModels,
  delivery: builtInDelivery,
  crawl: builtInCrawler,
  imports: providersOwnStorages,
});

/** A message that was taken out of a queue by force. */
export interface TakenMessage {
  readonly body: unknown;
  /** How long it was to be held back after it was sent. */
  readonly delayMs: number;
  readonly deduplicationId: string | null;
  readonly groupId: string | null;
}

/** Tables and queues of one test file over their real protocols, under a clock that only the test moves. */
export class Cloud {
  readonly runtime: Runtime;
  readonly faults = new Faults();
  readonly turns = new Turns();
  /** Number of the next transactions that are cancelled because of a conflict, which local tables never have. */
  conflicts = 0;
  /** Memory of every function. */
  memoryMb = 3_008;
  private nowMs = Date.now();
  private readonly servers: Server[] = [];
  private objects: ObjectStore | null = null;
  private tables: ServedTables | null = null;
  private readonly dataDirectory: string | null;
  private sqs: FauxqsServer | null = null;

  /** @param dataDirectory Where uploads and the tables of indexes lie; without it there are none. */
  constructor(dataDirectory: string | null = null) {
    this.dataDirectory = dataDirectory;
    const vectorsDirectory = dataDirectory === null ? null : join(dataDirectory, 'vectors');
    this.runtime = {
      config: { ...configOf('test'), vectorsDirectory },
      clock: { now: () => new Date(this.nowMs) },
      log: silentLogger,
    };
  }

  /** Requests pass where `faults` can fail them and `turns` decides on their order. */
  async start(): Promise<void> {
    this.sqs = await startFauxqs({ port: 0, logger: false });
    this.objects = await this.startObjects();
    this.tables = await openTestTables();
    const listeners = {
      DYNAMODB: this.withConflicts(this.tables.listener),
      SQS: forwarder(new URL(`http://127.0.0.1:${this.sqs.port}`)),
      ...(this.objects === null ? {} : { S3: listenerOf(this.objects.server) }),
    };
    for (const [service, listener] of Object.entries(listeners)) {
      const server = faultyServer(listener, this);
      this.servers.push(server);
      process.env[`AWS_ENDPOINT_URL_${service}`] = await listening(server);
    }
    // One try per call, so that a fault is a fault.
    Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test', AWS_MAX_ATTEMPTS: '1' });
    for (const name of Object.keys(queues) as QueueName[]) this.createQueue(name);
    this.sqs.createQueue(deadLetterQueueName('test', 'log'), { region, attributes: { FifoQueue: 'true' } });
  }

  private withConflicts(listener: RequestListener): RequestListener {
    return (request, response) => {
      const isTransaction = String(request.headers['x-amz-target']).endsWith('.TransactWriteItems');
      if (!isTransaction || this.conflicts === 0) {
        listener(request, response);
        return;
      }
      this.conflicts -= 1;
      const CancellationReasons = [{ Code: 'None' }, { Code: 'TransactionConflict' }];
      const body = JSON.stringify({ __type: '#TransactionCanceledException', CancellationReasons });
      request.resume().on('end', () => response.writeHead(400).end(body));
    };
  }

  private createQueue(name: QueueName): void {
    // A message that was not deleted comes back at once.
    const attributes = { VisibilityTimeout: '0', ...(queues[name].fifo ? { FifoQueue: 'true' } : {}) };
    this.sqs?.createQueue(queueName('test', name), { region, attributes });
  }

  async stop(): Promise<void> {
    dynamoClient(region).handler.destroy();
    sqsClient(region).destroy();
    await this.sqs?.stop();
    await this.objects?.close();
    for (const server of this.servers) {
      server.closeAllConnections();
      server.close();
    }
    await this.tables?.close();
  }

  private startObjects(): Promise<ObjectStore | null> {
    if (this.dataDirectory === null) return Promise.resolve(null);
    return startObjectStore({
      dataDir: join(this.dataDirectory, 'objects'),
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
      buckets: [{ name: bucketName('test', 'content', this.runtime.config.accountId, region), region }],
      onObjectCreated: () => Promise.resolve(),
      clock: systemClock,
    });
  }

  advance(seconds: number): void {
    this.nowMs += seconds * 1000;
  }

  /** Puts a message of a group among those that have left the log without success. */
  async deadLetter(body: object, MessageGroupId: string): Promise<void> {
    const QueueUrl = queueUrl(this.runtime, 'log', region).replace(
      queueName('test', 'log'),
      deadLetterQueueName('test', 'log'),
    );
    await sqsClient(region).send(
      new SendMessageCommand({
        QueueUrl,
        MessageBody: JSON.stringify(body),
        MessageGroupId,
        MessageDeduplicationId: MessageGroupId,
      }),
    );
  }

  /** Messages that a queue holds back. */
  delayed(queue: QueueName): number {
    return this.sqs?.inspectQueue(queueName('test', queue))?.messages.delayed.length ?? 0;
  }

  /** Takes all messages out of a queue, as they are, whatever the queue would still do with them. */
  take(queue: QueueName): readonly TakenMessage[] {
    const name = queueName('test', queue);
    const held = this.sqs?.inspectQueue(name)?.messages;
    if (this.sqs === null || held === undefined) return [];
    const all = [...held.ready, ...held.delayed, ...held.inflight.map(({ message }) => message)];
    if (all.length === 0) return [];
    this.sqs.deleteQueue(name, { region });
    this.createQueue(queue);
    return all.map(({ body, delayUntil, messageDeduplicationId, messageGroupId, sentTimestamp }) => ({
      body: JSON.parse(body) as unknown,
      delayMs: delayUntil === undefined ? 0 : delayUntil - sentTimestamp,
      deduplicationId: messageDeduplicationId ?? null,
      groupId: messageGroupId ?? null,
    }));
  }

  /** Takes all messages out of a queue; their bodies, parsed. */
  async bodies(queue: QueueName): Promise<readonly unknown[]> {
    const QueueUrl = queueUrl(this.runtime, queue, region);
    const bodies: unknown[] = [];
    for (;;) {
      const { Messages = [] } = await sqsClient(region).send(
        new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }),
      );
      if (Messages.length === 0) return bodies;
      for (const { Body = '', ReceiptHandle } of Messages) {
        await sqsClient(region).send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
        bodies.push(JSON.parse(Body));
      }
    }
  }

  async purge(queue: QueueName): Promise<void> {
    await sqsClient(region).send(new PurgeQueueCommand({ QueueUrl: queueUrl(this.runtime, queue, region) }));
  }

  /** What a handler knows of a run; what it logs is dropped, because faults are meant here. */
  run(): Run {
    return {
      clock: this.runtime.clock,
      invocationId: 'run',
      attempt: 1,
      memoryMb: this.memoryMb,
      remainingMs: () => 120_000,
      log: silentLogger,
    };
  }

  /** Runs `act` until it dies at the fault. True where it got that far. */
  async dieAt(fault: Fault, act: () => Promise<unknown>): Promise<boolean> {
    this.faults.arm(fault);
    await act().catch(() => undefined);
    const reached = this.faults.count >= fault.request;
    this.faults.arm(null);
    return reached;
  }

  /** Runs a schedule once. */
  async tick(schedule: Schedule): Promise<void> {
    await schedule.handle({ deps: makeDeps(schedule.uses, this.runtime), run: this.run() });
  }

  /** Runs a worker until its queue gives nothing more; what it reports as failed stays in the queue. Returns the runs. */
  async drain(worker: Worker, deps = makeDeps(worker.uses, this.runtime), mostRuns = 20): Promise<number> {
    const QueueUrl = queueUrl(this.runtime, worker.queue, region);
    for (let runs = 0; runs < mostRuns; runs += 1) {
      const { Messages = [] } = await sqsClient(region).send(
        new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: Math.min(10, worker.batchSize) }),
      );
      if (Messages.length === 0) return runs;
      const deliveries = Messages.map(({ Body = '', MessageId = '' }) => ({
        message: worker.message.parse(JSON.parse(Body)) as unknown,
        messageId: MessageId,
        attempt: 1,
      }));
      const failed = new Set(await worker.handle({ deliveries, deps, run: this.run() }));
      for (const { MessageId = '', ReceiptHandle } of Messages) {
        if (!failed.has(MessageId)) await sqsClient(region).send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
      }
    }
    return mostRuns;
  }
}
