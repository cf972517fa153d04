import { lazy } from '../../shared/kernel/memoize.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { createFile } from '../../functions/files/create.ts';
import { createIndex } from '../../functions/indexes/create.ts';
import { deliver } from '../../functions/workers/deliver/worker.ts';
import { fileTask } from '../../functions/workers/file-task/worker.ts';
import { indexBuilder } from '../../functions/workers/index-builder/worker.ts';
import { indexDeleter } from '../../functions/workers/index-deleter/worker.ts';
import { indexWriter } from '../../functions/workers/index-writer/worker.ts';
import { plan } from '../../functions/workers/plan/worker.ts';
import { relay } from '../../functions/workers/relay/worker.ts';
import { sweep } from '../../functions/workers/sweep/schedule.ts';
import { sweepFiles } from '../../functions/workers/sweep-files/schedule.ts';
import { openTable } from '../../shared/db/table.ts';
import type { Envelope } from '../../shared/events/index.ts';
import { filesWrite, isOpen, type JobRecord, planSend, type TaskRecord } from '../../shared/files/index.ts';
import type { Endpoint } from '../../shared/http/endpoint.ts';
import type { Principal } from '../../shared/http/principal.ts';
import { type IndexRecord, indexesRead, indexesWrite, LogMessage, toIndexRef } from '../../shared/indexes/index.ts';
import type { IndexWriter } from '../../shared/indexes/contracts.ts';
import { makeDeps, type Runtime } from '../../shared/kernel/capability.ts';
import { newId, timeOf } from '../../shared/kernel/ids.ts';
import { plans } from '../../shared/kernel/plans.ts';
import { monthlyQuota, monthOf, type UsageCounters, usageRead, type UsageTotals } from '../../shared/usage/index.ts';
import { silentLogger } from '../../shared/kernel/log.ts';
import { bucketName, type QueueName, type TableName } from '../../shared/kernel/names.ts';
import type { Context, SQSRecord } from 'aws-lambda';
import { handleWorker } from '../../shared/pipeline/handle.ts';
import {
  type QueueControl,
  type Run,
  type Schedule,
  visibilitySecondsOf,
  type Worker,
} from '../../shared/pipeline/worker.ts';
import { s3Client } from '../../shared/platform/aws/s3-client.ts';
import { engineRead, engineWrite, type EngineWriter, type FoundRow } from '#engine';
import type { PostOutcome, PublicPost } from '../../shared/platform/delivery/public-fetch.ts';
import { Cloud } from '../support/emulated-cloud.ts';
import { callOk, person } from '../support/call.ts';
import { createEndpointFor } from '../events/support/endpoints.ts';
import {
  dieHere,
  hasEffect,
  live,
  type Life,
  portThrough,
  skewMs,
  skipPauses,
  superviseClients,
  through,
  type Verdict,
} from './life.ts';
import { type QueueMessage, FakeQueues } from './fake-queues.ts';
import { encodeFile, extractor, type FileSpec, Models, reader } from './stubs.ts';

const region = 'us-east-1';
const dimensions = 8;

export interface Address {
  readonly organizationId: string;
  readonly indexId: string;
  readonly jobId: string;
}

/** State of a job and its tasks. */
export interface JobState {
  readonly job: JobRecord;
  readonly tasks: readonly TaskRecord[];
}

/** File job as its caller knows it. */
export interface Upload {
  readonly address: Address;
  readonly spec: FileSpec;
  readonly replaces: Address | null;
  /** Whether a caller requested its deletion, and got the response. */
  deletion: 'none' | 'asked' | 'done';
  /** Whether a caller got the response that it is cancelled. */
  cancelled: boolean;
  /** Its last state before its deletion. */
  last: JobState | null;
}

/** Event that a receiver got. */
export interface Received {
  readonly url: string;
  readonly hookId: string;
  readonly body: string;
}

/** Invocation that has not begun: its messages, and the handling of its end or crash. */
export interface Invocation {
  readonly name: string;
  readonly invocationId: string;
  readonly timeoutSeconds: number;
  readonly queueMessages: readonly QueueMessage[];
  readonly run: () => Promise<void>;
  readonly abandon: () => void;
}

/** Fault of the n-th call of a port. */
export interface Fault {
  readonly call: number;
  readonly verdict: Exclude<Verdict, 'goes on'>;
}

/** Changes that make every commit fail, by the keys of the commit. */
export interface Poison {
  readonly effect: 'throws' | 'throttles' | 'kills' | 'hangs';
  readonly isHit: (keys: readonly string[]) => boolean;
  /** Whether a commit that applies nothing fails as well. */
  readonly isHitByReconciliation?: boolean;
}

/** Error of the engine if S3 throttles, in the words of LanceDB 0.39. */
const slowDown =
  'IO { source: Generic { store: "S3", source: ListRequest { source: RetryError(RetryErrorImpl { method: GET, ' +
  'uri: Some(https://bucket.s3.amazonaws.com/t), retries: 3, max_retries: 3, elapsed: 473.7ms, retry_timeout: 180s, ' +
  'inner: Status { status: 503, body: Some("<Error><Code>SlowDown</Code></Error>") } }) } } }';

/** Ends everything that runs in the process in which a fault makes a call crash. */
class Died extends Error {}

const workers: Readonly<Record<QueueName, Worker | null>> = {
  plan,
  tasks: fileTask,
  log: indexWriter,
  builds: indexBuilder,
  deletions: indexDeleter,
  relay,
  deliver,
} as Partial<Record<QueueName, Worker>> as Record<QueueName, Worker | null>;

/** Queues with messages of file jobs. */
const ofJobs: ReadonlySet<QueueName> = new Set(['plan', 'tasks', 'log']);

/** Same as in the adapter of workers. */
const retrySeconds = (failures: number): number => Math.min(60, 2 ** failures);

/** What happens before a call. */
interface Happening {
  readonly call: string;
  readonly act: () => Promise<unknown>;
  /** Whether further calls of that name wait until it has ended. */
  readonly holds: boolean;
}

/** The service over emulators of its dependencies, in one process in which any run can crash at any call. */
export class TestApp {
  readonly cloud: Cloud;
  readonly runtime: Runtime;
  readonly fakeQueues: FakeQueues;
  readonly models = new Models(dimensions);
  readonly owner: Principal;
  readonly uploads: Upload[] = [];
  readonly received: Received[] = [];
  readonly receivers: string[] = [];
  /** Runs of workers that changed something while the job of their message was open, by job. Only runs in `work`. */
  readonly runs = new Map<string, Set<string>>();
  /** Messages of the log that never succeed. */
  poison: Poison | null = null;
  /** Status with which the receiver of an event responds. */
  answer: (url: string) => number = () => 204;
  indexId = '';
  /** Credits of the month that others have used. */
  spentBefore = 0;
  /** Calls of ports since the last fault was armed. */
  private calls: string[] = [];
  private fault: Fault | null = null;
  private happening: Happening | null = null;
  private readonly deps = new Map<string, Record<string, unknown>>();
  private readonly directory: string;

  private constructor(directory: string) {
    this.directory = directory;
    this.cloud = new Cloud(directory);
    this.fakeQueues = new FakeQueues(this.cloud);
    const { clock } = this.cloud.runtime;
    this.runtime = { ...this.cloud.runtime, clock: { now: () => new Date(clock.now().getTime() + skewMs()) } };
    this.owner = person(newId('org', clock.now()), 'owner');
  }

  static async open(): Promise<TestApp> {
    const app = new TestApp(await mkdtemp(join(tmpdir(), 'strata-faults-')));
    await app.cloud.start();
    superviseClients(region);
    skipPauses();
    await app.reset();
    return app;
  }

  /** Starts again, in an organization of its own with an index and two receivers of events. */
  async reset(): Promise<void> {
    this.fakeQueues.collect();
    this.fakeQueues.queueMessages.length = 0;
    this.fakeQueues.sent.length = 0;
    for (const list of [this.uploads, this.received, this.receivers, this.models.readings]) list.length = 0;
    Object.assign(this.models, { refusals: 0, tokens: 0 });
    Object.assign(reader, { cut: 'first', pages: Infinity });
    this.runs.clear();
    this.late.clear();
    this.happening = null;
    this.poison = null;
    this.answer = () => 204;
    this.spentBefore = 0;
    const now = this.cloud.runtime.clock.now();
    Object.assign(this.owner, { organizationId: newId('org', now) });
    const { id } = await this.call(createIndex, {}, { name: 'faults', dimensions });
    this.indexId = id as string;
    for (const event_types of [null, ['file.processing.completed', 'file.processing.failed']]) {
      const url = `http://localhost:9/${this.receivers.length}`;
      await createEndpointFor(this.runtime, this.owner.organizationId, { url, ...(event_types && { event_types }) });
      this.receivers.push(url);
    }
    await this.work();
    this.received.length = 0;
  }

  async close(): Promise<void> {
    await this.cloud.stop();
    await rm(this.directory, { recursive: true, force: true });
  }

  /** Answers of the API; throws what is not a success. */
  call(endpoint: Endpoint, path: Readonly<Record<string, string>>, body?: unknown): Promise<Record<string, unknown>> {
    return callOk({ ...this.runtime }, endpoint, this.owner, { path, body });
  }

  /** Starts a job without its file. */
  async begin(spec: FileSpec, start: Endpoint = createFile, replaces: Address | null = null): Promise<Upload> {
    return this.beginWith(spec, start, replaces, { filename: 'file' });
  }

  /** Begins a file that replaces the newest one of its name. */
  async beginNext(spec: FileSpec, filename: string): Promise<Upload> {
    const checksum_sha256 = '0'.repeat(64);
    return this.beginWith(spec, createFile, null, { filename, checksum_sha256, on_duplicate: 'replace' });
  }

  private async beginWith(
    spec: FileSpec,
    start: Endpoint,
    replaced: Address | null,
    fields: Readonly<Record<string, string>>,
  ): Promise<Upload> {
    const path = { index_id: this.indexId, ...(replaced === null ? {} : { job_id: replaced.jobId }) };
    const body = { ...fields, content_type: 'application/octet-stream' };
    const { id, replaces_job_id } = await this.call(start, path, body);
    const { organizationId } = this.owner;
    const addressOf = (jobId: string): Address => ({ organizationId, indexId: this.indexId, jobId });
    const replaces = replaces_job_id === null ? null : addressOf(replaces_job_id as string);
    const address = addressOf(id as string);
    const upload: Upload = { address, spec, replaces, deletion: 'none', cancelled: false, last: null };
    this.uploads.push(upload);
    return upload;
  }

  private get bucket(): string {
    return bucketName('test', 'content', this.cloud.runtime.config.accountId, region);
  }

  /** Stores the file of a job and sends the notification of the bucket. */
  async store({ address, spec }: Upload): Promise<void> {
    const job = await this.job(address);
    if (job === null) throw new Error('the job is gone');
    await s3Client(region).send(
      new PutObjectCommand({
        Bucket: this.bucket,
        Key: job.objectKey,
        Body: encodeFile(spec),
        Tagging: 'upload=pending',
      }),
    );
    await makeDeps({ plans: planSend }, this.runtime).plans.resend(job);
  }

  async upload(spec: FileSpec, start?: Endpoint, replaces?: Address): Promise<Upload> {
    const upload = await this.begin(spec, start, replaces);
    await this.store(upload);
    return upload;
  }

  /** The ports of one of two processes of a worker, which keep what they remember from run to run. */
  private depsOf(worker: Worker | Schedule, process: number): Record<string, unknown> {
    const key = `${worker.id} ${process}`;
    const known = this.deps.get(key);
    if (known !== undefined) return known;
    // A process has a runtime of its own: what it collects before it asks does not wait for that of another.
    const made = makeDeps(worker.uses, { ...this.runtime }) as Record<string, unknown>;
    const engines = 'engines' in worker.uses ? engineWrite.make(this.runtime) : null;
    const deps = {
      ...made,
      ...('extractor' in made && { extractor }),
      ...('embedders' in made && { embedders: () => this.models.embedder }),
      ...('ocr' in made && { ocr: this.models.ocr, transcriber: null }),
      ...(engines !== null && { engines: (id: string) => this.poisoned(portThrough('engine', engines(id))) }),
      ...('post' in made && { post: this.post }),
      ...('indexes' in made && { indexes: this.withLateTokens(made['indexes'] as Partial<IndexWriter>) }),
    };
    this.deps.set(key, deps);
    return deps;
  }

  /** Tokens of ended tasks by the id under which a run was about to count them, and whether it is known to be counted. */
  private readonly late = new Map<string, { readonly tokens: number; isCounted: boolean }>();

  /** Notes what runs count for tasks that have ended, since the records of deleted tasks do not contain it. */
  private withLateTokens(indexes: Partial<IndexWriter>): Partial<IndexWriter> {
    const { saveUsage } = indexes;
    if (saveUsage === undefined) return indexes;
    return {
      ...indexes,
      saveUsage: async (index: IndexRecord, usage: UsageCounters) => {
        const id = usage.countedItems.at(-1) ?? '';
        const tokens = usage.totals.embedding_tokens - index.usage.totals.embedding_tokens;
        const note = this.late.get(id) ?? { tokens, isCounted: false };
        if (id.startsWith('task_')) this.late.set(id, note);
        const saved = await saveUsage(index, usage);
        if (saved !== null) note.isCounted = true;
        return saved;
      },
    };
  }

  /** Tokens of tasks of an index that were counted after the tasks had ended. */
  lateTokens({ usage }: IndexRecord): number {
    const counted = [...this.late].filter(([id, { isCounted }]) => isCounted || usage.countedItems.includes(id));
    return counted.reduce((sum, [, { tokens }]) => sum + tokens, 0);
  }

  /** An engine whose commits go wrong with the poison. */
  private poisoned(engine: EngineWriter): EngineWriter {
    return {
      ...engine,
      commit: (ref, changes, keys = [], maxRows) => {
        const { poison } = this;
        const isEmpty = changes.every((change) => 'rows' in change && change.rows.length === 0);
        if (poison?.isHit(keys) !== true || (isEmpty && poison.isHitByReconciliation !== true))
          return engine.commit(ref, changes, keys, maxRows);
        if (poison.effect === 'throws') return Promise.reject(new Error('poison'));
        if (poison.effect === 'throttles') return Promise.reject(new Error(slowDown));
        if (poison.effect === 'hangs') this.cloud.advance(indexWriter.timeoutSeconds);
        return dieHere();
      },
    };
  }

  private readonly post: PublicPost = async ({ url, headers, body }) => {
    const act = (): Promise<PostOutcome> => {
      this.received.push({ url, hookId: headers['hook-id'] ?? '', body });
      return Promise.resolve({ status: this.answer(url), retryAfter: null });
    };
    try {
      return await through({ name: 'post', act });
    } catch {
      return { failure: 'connection_failed' };
    }
  };

  private run(attempt: number): Run {
    return {
      clock: this.runtime.clock,
      invocationId: newId('req', this.runtime.clock.now()),
      attempt,
      memoryMb: 3_008,
      remainingMs: () => 250_000,
      log: silentLogger,
    };
  }

  /** Whether a message has no attempt left: when it is handed out next, its failure is made final. */
  hasExhaustedRetries({ queue, receives }: QueueMessage): boolean {
    return receives >= (workers[queue]?.attempts ?? Infinity);
  }

  /** Hands a message out, with those that go along with it. */
  invocation(head: QueueMessage, process = 0): Invocation {
    const worker = workers[head.queue];
    if (worker === null) throw new Error(`no worker consumes ${head.queue}`);
    const queueMessages = this.fakeQueues.batch(head, worker.batchSize);
    if (worker.ordered !== undefined) return this.orderedErrand(worker, queueMessages, process);
    const exhausted = queueMessages.filter((queueMessage) => this.hasExhaustedRetries(queueMessage));
    const fresh = queueMessages.filter((queueMessage) => !exhausted.includes(queueMessage));
    for (const queueMessage of queueMessages) {
      queueMessage.inFlight = true;
      queueMessage.receives += 1;
    }
    const back = (queueMessage: QueueMessage, seconds: number): void => {
      queueMessage.inFlight = false;
      queueMessage.visibleMs = this.fakeQueues.nowMs() + seconds * 1000;
    };
    const run = this.run(head.receives);
    const handle = async (): Promise<readonly QueueMessage[]> => {
      const deps = this.depsOf(worker, process);
      const failed: QueueMessage[] = [];
      for (const queueMessage of exhausted) {
        const message: unknown = worker.message.parse(queueMessage.body);
        await worker.onExhausted({ message, deps, run }).catch(() => failed.push(queueMessage));
      }
      if (fresh.length === 0) return failed;
      const deliveries = fresh.map(({ body, receives }, at) => {
        const message: unknown = worker.message.parse(body);
        return { message, messageId: String(at), attempt: receives };
      });
      const again = await worker.handle({ deliveries, deps, run }).catch(() => deliveries.map((one) => one.messageId));
      return [...failed, ...fresh.filter((_, at) => again.includes(String(at)))];
    };
    return {
      name: exhausted.length > 0 ? `${worker.id} (final)` : worker.id,
      invocationId: run.invocationId,
      timeoutSeconds: worker.timeoutSeconds,
      queueMessages,
      run: async () => {
        const failed = await handle().catch(() => queueMessages);
        for (const queueMessage of queueMessages) {
          const failures = queueMessage.receives - (exhausted.includes(queueMessage) ? worker.attempts : 0);
          if (failed.includes(queueMessage)) back(queueMessage, retrySeconds(failures));
          else this.fakeQueues.remove(queueMessage);
        }
      },
      abandon: () => queueMessages.forEach((queueMessage) => back(queueMessage, 6 * worker.timeoutSeconds)),
    };
  }

  /** Leaves a message of the log no attempt, as if a run for it was killed: its next run looks it up. */
  async exhaust(queueMessage: QueueMessage): Promise<void> {
    const { organization_id: organizationId, index_id: id } = LogMessage.parse(queueMessage.body);
    const firstMs = this.fakeQueues.nowMs() - 100_000;
    const { indexes } = makeDeps({ indexes: indexesWrite }, this.runtime);
    await indexes.countRetry({ organizationId, id }, queueMessage.messageId, new Date(firstMs));
    Object.assign(queueMessage, { receives: 1, visibleMs: this.fakeQueues.nowMs() });
  }

  /** The same of a queue that keeps an order, by the handler that Lambda calls. */
  private orderedErrand(worker: Worker, queueMessages: readonly QueueMessage[], process: number): Invocation {
    const invocationId = newId('req', this.runtime.clock.now());
    const received = queueMessages.map((queueMessage) => {
      queueMessage.inFlight = true;
      queueMessage.receives += 1;
      queueMessage.firstReceivedMs ??= this.fakeQueues.nowMs();
      return { queueMessage, firstReceivedMs: queueMessage.firstReceivedMs };
    });
    /** When a message comes again that the run has not deleted. */
    const visibleMs = new Map(
      queueMessages.map((queueMessage) => [queueMessage, this.fakeQueues.nowMs() + visibilitySecondsOf(worker) * 1000]),
    );
    const queueMessageOf = (receipt: string): QueueMessage | undefined => queueMessages[Number(receipt)];
    /** Returns false if the request failed, as the service's client of the queue does. */
    const control = (name: string, change: (queueMessage: QueueMessage) => void) => (receipt: string) =>
      through({
        name: `queue.${name}`,
        act: () => {
          const queueMessage = queueMessageOf(receipt);
          if (queueMessage !== undefined) change(queueMessage);
          return Promise.resolve(true);
        },
      }).catch(() => false);
    const queue: QueueControl = {
      hideFor: (_arn, receipt, seconds) =>
        control('hideFor', (queueMessage) => visibleMs.set(queueMessage, this.fakeQueues.nowMs() + seconds * 1000))(
          receipt,
        ),
      remove: (_arn, receipt) => control('remove', (queueMessage) => visibleMs.delete(queueMessage))(receipt),
    };
    const end = (): void => {
      for (const queueMessage of queueMessages) {
        const atMs = visibleMs.get(queueMessage);
        if (atMs === undefined) this.fakeQueues.remove(queueMessage);
        else Object.assign(queueMessage, { inFlight: false, visibleMs: atMs });
      }
    };
    const Records = received.map(({ queueMessage: { body, groupId, receives }, firstReceivedMs }, at) => ({
      messageId: queueMessages[at]?.messageId,
      receiptHandle: String(at),
      body: JSON.stringify(body),
      attributes: {
        ApproximateReceiveCount: String(receives),
        ApproximateFirstReceiveTimestamp: String(firstReceivedMs),
        MessageGroupId: groupId,
      },
      eventSourceARN: `arn:aws:sqs:${region}:0:test-${worker.queue}`,
    })) as unknown as SQSRecord[];
    const context = {
      awsRequestId: invocationId,
      memoryLimitInMB: '3008',
      getRemainingTimeInMillis: () => worker.timeoutSeconds * 1000,
    } as Context;
    return {
      name: worker.id,
      invocationId,
      timeoutSeconds: worker.timeoutSeconds,
      queueMessages,
      run: async () => {
        const handle = handleWorker(worker, { runtime: this.runtime, queue }, this.depsOf(worker, process));
        const { batchItemFailures } = await handle({ Records }, context);
        const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
        for (const queueMessage of queueMessages)
          if (!failed.has(queueMessage.messageId)) visibleMs.delete(queueMessage);
        end();
      },
      abandon: end,
    };
  }

  /** One run of a schedule. */
  tick(schedule: Schedule): Promise<void> {
    return schedule.handle({ deps: this.depsOf(schedule, 0) as never, run: this.run(1) });
  }

  /** Runs `act` immediately before the next call of that name. */
  before(call: string, act: () => Promise<unknown>): void {
    this.happening = { call, act, holds: false };
  }

  /** The same, and further calls of that name wait until `act` has ended. It must not send such a call itself. */
  beforeAll(call: string, act: () => Promise<unknown>): void {
    const acted = lazy(act);
    this.happening = { call, act: acted, holds: true };
  }

  /** A life in the process that dies with the fault that is armed. */
  private lifeOf(name: string, onDeath: () => void, onEffect: () => void): Life {
    let dead = false;
    let before = '';
    return {
      name,
      skewMs: 0,
      ask: async (call) => {
        const { happening } = this;
        if (happening?.call === call) {
          if (!happening.holds) this.happening = null;
          await happening.act();
          if (this.happening === happening) this.happening = null;
        }
        if (dead) return new Promise(() => undefined);
        // A life that waits polls, and how often depends on time, not on steps.
        if (call !== before || call !== 'GetItem test-indexes') this.calls.push(call);
        before = call;
        const hit = this.calls.length === this.fault?.call;
        const verdict = hit ? (this.fault?.verdict ?? 'goes on') : 'goes on';
        if (hit) this.fault = null;
        if (hasEffect(call, verdict)) onEffect();
        return { verdict, done: () => undefined };
      },
      die: () => {
        dead = true;
        onDeath();
      },
    };
  }

  /** Runs `act` to its end; throws `Died` where it dies. */
  private async inLife<Result>(
    name: string,
    act: () => Promise<Result>,
    onEffect: () => void = () => undefined,
  ): Promise<Result> {
    const { promise, reject } = Promise.withResolvers<never>();
    promise.catch(() => undefined);
    return Promise.race([
      live(
        this.lifeOf(name, () => reject(new Died(name)), onEffect),
        act,
      ),
      promise,
    ]);
  }

  /** The runs so far of each open job that the messages of a run are of, and not those of a job that they replace. */
  private async openJobsOf({ queueMessages }: Invocation): Promise<readonly Set<string>[]> {
    const text = JSON.stringify(
      queueMessages.filter(({ queue }) => ofJobs.has(queue)).map(({ body }) => body),
      (name, value: unknown) => (name === 'replaces' ? undefined : value),
    );
    const named = this.uploads.filter(({ address }) => text.includes(address.jobId));
    const jobs = await Promise.all(named.map(({ address }) => this.job(address)));
    return jobs.flatMap((job) => {
      if (job === null || !isOpen(job)) return [];
      const runs = this.runs.get(job.id) ?? new Set();
      this.runs.set(job.id, runs);
      return [runs];
    });
  }

  /** Lets the workers go on, one run after the other, until nothing waits that comes within the hour. */
  async work(queues?: readonly QueueName[]): Promise<void> {
    for (let runs = 0; runs < 500; runs += 1) {
      this.fakeQueues.collect();
      const wanted = this.fakeQueues
        .ready(this.fakeQueues.nowMs() + 3_600_000)
        .filter(({ queue }) => queues === undefined || queues.includes(queue));
      const [head] = wanted.toSorted((one, other) => one.visibleMs - other.visibleMs);
      if (head === undefined) return;
      this.cloud.advance(Math.max(0, head.visibleMs - this.fakeQueues.nowMs()) / 1000);
      const invocation = this.invocation(head);
      const open = await this.openJobsOf(invocation);
      try {
        await this.inLife(invocation.name, invocation.run, () =>
          open.forEach((runs) => runs.add(invocation.invocationId)),
        );
      } catch (error) {
        invocation.abandon();
        throw error;
      }
    }
    throw new Error('the workers never come to an end');
  }

  /** Makes a call of the API while the workers go on. */
  async callDuring(
    endpoint: Endpoint,
    path: Readonly<Record<string, string>>,
    body?: unknown,
  ): Promise<Record<string, unknown>> {
    const ended = new AbortController();
    const answer = this.inLife(endpoint.id, () => this.call(endpoint, path, body)).finally(() => ended.abort());
    // Where the workers die, the caller dies with them.
    answer.catch(() => undefined);
    while (!ended.signal.aborted) {
      await this.work();
      await this.noteDeletions();
      await new Promise(setImmediate);
    }
    return answer;
  }

  /** Runs `act` until it dies at the fault, or to its end where the fault leaves it alive. The calls that it made. */
  async withFault(fault: Fault | null, act: () => Promise<unknown>): Promise<readonly string[]> {
    this.calls = [];
    this.fault = fault;
    try {
      await act();
    } catch {
      // The caller receives an error, or nothing.
    }
    this.fault = null;
    return this.calls;
  }

  /** As after a restart: works, then time passes and the sweeps look twice. */
  async settle(): Promise<void> {
    this.fault = null;
    for (const queueMessage of this.fakeQueues.queueMessages) queueMessage.inFlight = false;
    await this.work();
    for (let sweeps = 0; sweeps < 2; sweeps += 1) {
      this.cloud.advance(2 * 3600);
      await this.noteDeletions();
      await this.tick(sweep);
      await this.tick(sweepFiles);
      await this.work();
    }
  }

  job(address: Address): Promise<JobRecord | null> {
    return makeDeps({ files: filesWrite }, this.runtime).files.get(address);
  }

  tasks({ organizationId, jobId }: Address): Promise<readonly TaskRecord[]> {
    return makeDeps({ files: filesWrite }, this.runtime).files.tasks(organizationId, jobId);
  }

  /** Records the state of jobs whose deletion was requested. */
  async noteDeletions(): Promise<void> {
    for (const upload of this.uploads.filter(({ deletion }) => deletion === 'asked')) {
      const job = await this.job(upload.address);
      const tasks = await this.tasks(upload.address);
      if (job !== null && tasks.length >= (upload.last?.tasks.length ?? 0)) upload.last = { job, tasks };
    }
  }

  async index() {
    const deps = makeDeps({ indexes: indexesRead }, this.runtime);
    const index = await deps.indexes.get(this.owner.organizationId, this.indexId);
    if (index === null) throw new Error('the index is gone');
    return index;
  }

  /** Every visible row of the index. */
  async rows(): Promise<readonly FoundRow[]> {
    const engine = makeDeps({ engines: engineRead }, this.runtime).engines(this.owner.organizationId);
    const index = await this.index();
    const rows: FoundRow[] = [];
    let after: string | null = null;
    do {
      const page = await engine.list(toIndexRef(index), { after, limit: 1000 });
      rows.push(...page.rows);
      after = page.next;
    } while (after !== null);
    return rows;
  }

  /** Leaves so many credits of the month's allowance. */
  async spendCredits(left: number): Promise<void> {
    const limit = plans[this.owner.plan].limits.ocr_credits_per_month;
    const { organizationId } = this.owner;
    const task = {
      organizationId,
      jobId: 'job_others',
      id: 'task_others',
      month: monthOf(this.runtime.clock.now().toISOString()),
    };
    const { quota } = makeDeps({ quota: monthlyQuota }, this.runtime);
    await quota.reserve(task, 'ocr', limit - left, limit);
    await quota.settle(task, () => Promise.resolve({ ocr: limit - left, audio: 0, tokens: 0 }));
    this.spentBefore = limit - left;
  }

  /** Credits that the books of the months in which `jobIds` were made say are taken, and what holds some of them. */
  async credits(jobIds: readonly string[]): Promise<{ readonly taken: number; readonly reserved: readonly string[] }> {
    const months = new Set(jobIds.map((id) => monthOf(timeOf(id).toISOString())));
    const keys = [...months].map((month) => `MONTH#${this.owner.organizationId}#${month}`);
    const items = await Promise.all(keys.map((key) => this.items('usage', key)));
    const counters = items.flat().filter(({ sk }) => sk === 'CREDITS');
    const partitions = [...months].map((month) => `RESERVED#${this.owner.organizationId}#${month}`);
    const reservations = await Promise.all(partitions.map((key) => this.items('usage', key)));
    return {
      taken: counters.reduce((total, counter) => total + ((counter['ocr_reserved'] as number | undefined) ?? 0), 0),
      reserved: reservations.flatMap((some) => some.filter((item) => item['settled'] !== true).map(({ sk }) => sk)),
    };
  }

  /** Total of the originals that the organization stores or has reserved. */
  async allowance(): Promise<Readonly<Record<string, unknown>>> {
    const items = await this.items('usage', `ORIGINALS#${this.owner.organizationId}`);
    return items.find(({ sk }) => sk === 'TOTAL') ?? {};
  }

  /** What the books say that an index, which may be gone, has used since a job of it was made. */
  async used({ organizationId, indexId, jobId }: Address): Promise<(figure: keyof UsageTotals) => number> {
    const { usage } = makeDeps({ usage: usageRead }, this.runtime);
    const months = new Set([timeOf(jobId), this.runtime.clock.now()].map((at) => monthOf(at.toISOString())));
    const books = await Promise.all([...months].map((month) => usage.indexMonth(organizationId, month, indexId)));
    return (figure) => books.reduce((total, book) => total + (book?.used[figure] ?? 0), 0);
  }

  /** Keys of the files that are stored under a prefix. */
  async objects(Prefix: string): Promise<readonly string[]> {
    const { Contents = [] } = await s3Client(region).send(new ListObjectsV2Command({ Bucket: this.bucket, Prefix }));
    return Contents.map(({ Key = '' }) => Key);
  }

  /** Text of the file of a job in the events of the job. */
  async texts({ organizationId, jobId }: Address): Promise<readonly string[]> {
    const events = await this.items('events', `ORG#${organizationId}`);
    const told = events.filter((event) => event['job_id'] === jobId);
    const bodies = await Promise.all(told.map(({ pk, sk }) => this.items('events', `${pk}#EVENT#${sk}`)));
    return bodies.flat().flatMap(({ body }) => {
      const { data } = JSON.parse(body as string) as Envelope;
      return 'job' in data && 'sparse_text' in data.job && data.job.sparse_text !== '' ? [data.job.sparse_text] : [];
    });
  }

  /** Every item of a partition. */
  async items(table: TableName, pk: string) {
    return Array.fromAsync(openTable(this.runtime, table).all(pk));
  }
}
