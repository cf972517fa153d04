import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { createIndex } from '../../functions/indexes/create.ts';
import { fileTask } from '../../functions/workers/file-task/worker.ts';
import { indexWriter } from '../../functions/workers/index-writer/worker.ts';
import { plan } from '../../functions/workers/plan/worker.ts';
import { openTable } from '../../shared/db/table.ts';
import { type DocumentDeps, documentUses, type Source } from '../../shared/documents/index.ts';
import { type FileJobResponse, filesWrite, planSend } from '../../shared/files/index.ts';
import type { Endpoint } from '../../shared/http/endpoint.ts';
import type { Principal } from '../../shared/http/principal.ts';
import { indexesRead, toIndexRef } from '../../shared/indexes/index.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { parseUploadKey } from '../../shared/kernel/content-keys.ts';
import { newId, timeOf } from '../../shared/kernel/ids.ts';
import type { Worker } from '../../shared/pipeline/worker.ts';
import { engineRead, type FoundRow } from '#engine';
import { monthOf, usageRead } from '../../shared/usage/index.ts';
import { Cloud, type Fault } from '../support/emulated-cloud.ts';
import { extractor } from '../../packages/documents/test/extract/read.ts';
import { callOk, person } from '../support/call.ts';
import { letterDimensions, letterEmbedder } from '../support/letter-embedder.ts';

const dayMs = 86_400_000;

/** Every worker that brings a stored file into its index. */
const pipeline: readonly Worker[] = [plan, fileTask, indexWriter];

/** One organization with one index over emulators of all that sources talk to, in a process that can die at any request. */
export class SyncFixture {
  readonly cloud: Cloud;
  readonly owner: Principal;
  indexId = '';
  /** Every line that was logged. */
  readonly logged: unknown[] = [];
  private readonly directory: string;
  private writer: Promise<void> = Promise.resolve();

  private constructor(directory: string) {
    this.directory = directory;
    this.cloud = new Cloud(directory);
    const log = (message: string, fields?: unknown): void => {
      this.logged.push(inspect([message, fields], { depth: 10 }));
    };
    Object.assign(this.cloud.runtime, { log: { info: log, warn: log, error: log } });
    this.owner = person(newId('org', this.cloud.runtime.clock.now()), 'owner');
  }

  static async open(): Promise<SyncFixture> {
    const fixture = new SyncFixture(await mkdtemp(join(tmpdir(), 'strata-sources-')));
    await fixture.cloud.start();
    const { id } = await fixture.call(createIndex, {}, { name: 'sources', dimensions: letterDimensions });
    fixture.indexId = id as string;
    await fixture.work();
    return fixture;
  }

  async close(): Promise<void> {
    await this.cloud.stop();
    await rm(this.directory, { recursive: true, force: true });
  }

  get clock() {
    return this.cloud.runtime.clock;
  }

  /** Answers of the API; throws what is not a success. */
  call(
    endpoint: Endpoint,
    path: Readonly<Record<string, string>>,
    body?: unknown,
    query?: Readonly<Record<string, string>>,
  ): Promise<Record<string, unknown>> {
    return callOk(this.cloud.runtime, endpoint, this.owner, { path, body, query });
  }

  /** Lets the workers go on until nothing waits; a run that throws is one that has crashed. */
  async work(workers: readonly Worker[] = pipeline): Promise<void> {
    for (let runs = 1, rounds = 0; runs > 0 && rounds < 20; rounds += 1) {
      runs = 0;
      for (const worker of workers) {
        const deps = { ...makeDeps(worker.uses, this.cloud.runtime), embedders: () => letterEmbedder, extractor };
        runs += await this.cloud.drain(worker, deps, 30);
      }
    }
  }

  /**
   * Dependencies of documents. A stored file sends its bucket notification, and index changes are applied when they are
   * awaited.
   */
  documentDeps(): DocumentDeps {
    const deps = makeDeps(documentUses, this.cloud.runtime);
    const { files, plans } = makeDeps({ files: filesWrite, plans: planSend }, this.cloud.runtime);
    return {
      ...deps,
      content: {
        ...deps.content,
        put: async (region, key, body, contentType) => {
          await deps.content.put(region, key, body, contentType);
          const address = parseUploadKey(key);
          const job = address === null ? null : await files.get(address);
          if (job !== null) await plans.resend(job);
        },
      },
      log: {
        append: async (index, change, receiptId) => {
          const receipt = await deps.log.append(index, change, receiptId);
          await this.applyLog();
          return receipt;
        },
      },
    };
  }

  /** Runs the index writer exclusively; concurrent callers share the current run. */
  private applyLog(): Promise<void> {
    const run = this.writer.then(() => this.work([indexWriter]));
    this.writer = run.catch(() => undefined);
    return run;
  }

  source(sourceId: string): Source {
    const { organizationId } = this.owner;
    return { organizationId, indexId: this.indexId, sourceId, kind: 'connector', plan: 'developer' };
  }

  /** Runs `act` until it dies at the fault. True where it got that far. */
  dieAt(fault: Fault, act: () => Promise<unknown>): Promise<boolean> {
    return this.cloud.dieAt(fault, async () => {
      await act().catch(() => undefined);
      // The writer crashes with its caller, and does not continue when the injected failures end.
      await this.writer;
    });
  }

  /** Requests that `act` makes where nothing goes wrong. */
  async requestsOf(act: () => Promise<unknown>): Promise<number> {
    this.cloud.faults.arm(null);
    await act();
    return this.cloud.faults.count;
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

  /** Status of every file job of the index. */
  async jobs(): Promise<readonly FileJobResponse['status'][]> {
    const pk = `INDEX#${this.owner.organizationId}#${this.indexId}`;
    const items = await Array.fromAsync(openTable(this.cloud.runtime, 'files').all(pk));
    return items.map((item) => item['status'] as FileJobResponse['status']);
  }

  /** File jobs that were taken from the allowances of all months so far. */
  async startedJobs(): Promise<number> {
    const { usage } = makeDeps({ usage: usageRead }, this.cloud.runtime);
    const now = this.clock.now().getTime();
    const months = new Set<string>();
    for (let at = timeOf(this.owner.organizationId).getTime(); at < now + dayMs; at += dayMs)
      months.add(monthOf(new Date(Math.min(at, now)).toISOString()));
    const started = [...months].map((month) => usage.fileJobs(this.owner.organizationId, month));
    return (await Promise.all(started)).reduce((sum, jobs) => sum + jobs, 0);
  }
}
