import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { createFile } from '../../functions/files/create.ts';
import { createIndex } from '../../functions/indexes/create.ts';
import { fileTask } from '../../functions/workers/file-task/worker.ts';
import { indexWriter } from '../../functions/workers/index-writer/worker.ts';
import { plan } from '../../functions/workers/plan/worker.ts';
import { sweep } from '../../functions/workers/sweep/schedule.ts';
import { sweepFiles } from '../../functions/workers/sweep-files/schedule.ts';
import { authorize } from '../../shared/credentials/index.ts';
import { openTable } from '../../shared/db/table.ts';
import { filesWrite, type JobRecord, planSend } from '../../shared/files/index.ts';
import type { Endpoint } from '../../shared/http/endpoint.ts';
import { handleEndpoint } from '../../shared/http/handle.ts';
import type { Principal } from '../../shared/http/principal.ts';
import { indexesRead, toIndexRef } from '../../shared/indexes/index.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { newId } from '../../shared/kernel/ids.ts';
import { bucketName } from '../../shared/kernel/names.ts';
import type { Worker } from '../../shared/pipeline/worker.ts';
import { s3Client } from '../../shared/platform/aws/clients.ts';
import { engineRead } from '../../shared/platform/engine/capabilities.ts';
import type { FoundRow } from '../../shared/platform/engine/port.ts';
import type { Embedder } from '../../shared/platform/models/port.ts';
import { usageRead } from '../../shared/usage/index.ts';
import { Cloud, type Fault } from '../events/support/cloud.ts';
import { extractor } from '../extract/read.ts';

const region = 'us-east-1';
const dimensions = 8;

/** Vectors by the letters of a text: what the model says is not what these tests are about. */
const embedder: Embedder = {
  model: 'embedded-use-v1',
  embed: (texts) =>
    Promise.resolve({
      vectors: texts.map((text) =>
        Float32Array.from({ length: dimensions }, (_, at) => 1 + (text.charCodeAt(at % text.length) % 7)),
      ),
      tokens: texts.length,
    }),
};

const overrides = { embedders: () => embedder, extractor };

export interface Address {
  readonly organizationId: string;
  readonly indexId: string;
  readonly jobId: string;
}

/** The pipeline over emulators of all that it talks to, in one process that can be made to die at any request. */
export class World {
  readonly cloud: Cloud;
  readonly owner: Principal;
  indexId = '';
  private readonly directory: string;

  private constructor(directory: string) {
    this.directory = directory;
    this.cloud = new Cloud(directory);
    this.owner = {
      organizationId: newId('org', this.cloud.runtime.clock.now()),
      plan: 'developer',
      kind: 'session',
      subjectId: 'usr_test',
      email: 'owner@example.com',
      permissions: ['read', 'write'],
      indexIds: null,
      role: 'owner',
    };
  }

  static async open(): Promise<World> {
    const world = new World(await mkdtemp(join(tmpdir(), 'strata-faults-')));
    await world.cloud.start();
    const { id } = await world.call(createIndex, {}, { name: 'faults', dimensions });
    world.indexId = id as string;
    await world.settle();
    return world;
  }

  async close(): Promise<void> {
    await this.cloud.stop();
    await rm(this.directory, { recursive: true, force: true });
  }

  /** Answers of the API; throws what is not a success. */
  async call(
    endpoint: Endpoint,
    path: Readonly<Record<string, string>>,
    body?: unknown,
  ): Promise<Record<string, unknown>> {
    const handler = handleEndpoint(endpoint, {
      runtime: this.cloud.runtime,
      authenticate: () => Promise.resolve({ caller: this.owner, headers: {} }),
      authorize,
      idempotency: null,
    });
    const event = {
      rawPath: endpoint.path,
      headers: { 'content-type': 'application/json' },
      pathParameters: path,
      body: body === undefined ? undefined : JSON.stringify(body),
      isBase64Encoded: false,
    };
    // The adapter reads no other field of the event and none of the context.
    const answer = await handler(event as unknown as APIGatewayProxyEventV2, {} as Context);
    if (answer.statusCode >= 300) throw new Error(`${answer.statusCode} ${answer.body}`);
    return answer.body === '' ? {} : (JSON.parse(answer.body) as Record<string, unknown>);
  }

  /** Stores a file for a job that `start` makes, and tells of it as the bucket does. */
  async upload(
    bytes: Uint8Array,
    start: Endpoint = createFile,
    path: Readonly<Record<string, string>> = {},
  ): Promise<Address> {
    const body = { filename: 'file', content_type: 'application/octet-stream' };
    const job = await this.call(start, { index_id: this.indexId, ...path }, body);
    const address = { organizationId: this.owner.organizationId, indexId: this.indexId, jobId: job['id'] as string };
    const Bucket = bucketName('test', 'content', this.cloud.runtime.config.accountId, region);
    await s3Client(region).send(new PutObjectCommand({ Bucket, Key: job['object_key'] as string, Body: bytes }));
    const stored = await this.job(address);
    if (stored !== null) await makeDeps({ plans: planSend }, this.cloud.runtime).plans.remind(stored);
    return address;
  }

  private async drain(worker: Worker): Promise<number> {
    return this.cloud.drain(worker, { ...makeDeps(worker.uses, this.cloud.runtime), ...overrides }, 30);
  }

  /** Lets the workers go on until nothing waits; a run that throws is one that has crashed. */
  async work(workers: readonly Worker[] = [plan, fileTask, indexWriter]): Promise<void> {
    for (let runs = 1, rounds = 0; runs > 0 && rounds < 20; rounds += 1) {
      runs = 0;
      for (const worker of workers) runs += await this.drain(worker);
    }
  }

  /** Lets the workers go on for as long as something waits for them. */
  async workDuring(waiting: Promise<unknown>): Promise<void> {
    const ended = new AbortController();
    const end = waiting.finally(() => ended.abort());
    // Where the workers die, the caller dies with them.
    end.catch(() => undefined);
    while (!ended.signal.aborted) await this.work();
    await end;
  }

  /** As after a restart: works, then time passes and the sweeps look twice. */
  async settle(): Promise<void> {
    this.cloud.faults.arm(null);
    await this.work();
    for (let sweeps = 0; sweeps < 2; sweeps += 1) {
      this.cloud.advance(2 * 3600);
      await this.cloud.tick(sweep);
      await this.cloud.tick(sweepFiles);
      await this.work();
    }
  }

  /** What follows the last attempt of a task. */
  async buryTask({ organizationId, indexId, jobId }: Address, ordinal: number): Promise<void> {
    const task_id = `${jobId}#${ordinal}`;
    const message = { organization_id: organizationId, index_id: indexId, job_id: jobId, task_id, ordinal };
    const deps = { ...makeDeps(fileTask.uses, this.cloud.runtime), ...overrides };
    await fileTask.onTerminal({ message, deps, run: this.cloud.run() });
  }

  /** Runs `act` until it dies at the fault. True where it got that far. */
  async dieAt(fault: Fault, act: () => Promise<unknown>): Promise<boolean> {
    this.cloud.faults.arm(fault);
    await act().catch(() => undefined);
    const reached = this.cloud.faults.count >= fault.request;
    this.cloud.faults.arm(null);
    return reached;
  }

  job(address: Address): Promise<JobRecord | null> {
    return makeDeps({ files: filesWrite }, this.cloud.runtime).files.get(address);
  }

  tasks({ organizationId, jobId }: Address) {
    return makeDeps({ files: filesWrite }, this.cloud.runtime).files.tasks(organizationId, jobId);
  }

  /** Every visible row of the index. */
  async rows(): Promise<readonly FoundRow[]> {
    const deps = makeDeps({ indexes: indexesRead, engines: engineRead }, this.cloud.runtime);
    const index = await deps.indexes.get(this.owner.organizationId, this.indexId);
    if (index === null) throw new Error('the index is gone');
    const rows: FoundRow[] = [];
    let after: string | null = null;
    do {
      const page = await deps.engines(this.owner.organizationId).list(toIndexRef(index), { after, limit: 1000 });
      rows.push(...page.rows);
      after = page.next;
    } while (after !== null);
    return rows;
  }

  /** Types of the events of a job, sorted. */
  async events({ organizationId, jobId }: Address): Promise<readonly string[]> {
    const types: string[] = [];
    for await (const item of openTable(this.cloud.runtime, 'events').all(`ORG#${organizationId}`, { prefix: 'evt_' })) {
      if (item['job_id'] === jobId) types.push(item['event_type'] as string);
    }
    return types.toSorted((a, b) => a.localeCompare(b));
  }

  /** What the books of the organization say of its index, over all months. */
  async used() {
    const { usage } = makeDeps({ usage: usageRead }, this.cloud.runtime);
    const deps = makeDeps({ indexes: indexesRead }, this.cloud.runtime);
    const index = await deps.indexes.get(this.owner.organizationId, this.indexId);
    return { totals: index?.usage.totals, stored: await usage.stored(this.owner.organizationId) };
  }
}
