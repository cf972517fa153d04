import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFile } from '../../functions/files/create.ts';
import { getFile } from '../../functions/files/get.ts';
import { getFileProcessing } from '../../functions/files/get-processing.ts';
import { createIndex } from '../../functions/indexes/create.ts';
import { indexReader } from '../../functions/services/index-reader/service.ts';
import { fileTask } from '../../functions/workers/file-task/worker.ts';
import { indexWriter } from '../../functions/workers/index-writer/worker.ts';
import { plan } from '../../functions/workers/plan/worker.ts';
import { filesWrite, planSend, TaskMessage, tasksSend } from '../../shared/files/index.ts';
import type { Endpoint } from '../../shared/http/endpoint.ts';
import type { Principal } from '../../shared/http/principal.ts';
import { requireIndex, toIndexRef } from '../../shared/indexes/index.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { newId } from '../../shared/kernel/ids.ts';
import { type Logger, silentLogger } from '../../shared/kernel/log.ts';
import type { Run, Worker } from '../../shared/pipeline/worker.ts';
import type { Extractor, OcrModel, Transcriber } from '#documents';
import type { Embedder } from '../../shared/platform/models/port.ts';
import { type Reader, readerInvoke } from '../../shared/reader/index.ts';
import { runSearch, searchUses } from '../../shared/search/index.ts';
import { Cloud } from '../support/emulated-cloud.ts';
import { callOk, person } from '../support/call.ts';
import { letterDimensions, letterEmbedder } from '../support/letter-embedder.ts';

/** What reads files in this pipeline. */
export interface Readers {
  readonly extractor: Extractor;
  readonly ocr: OcrModel | null;
  readonly transcriber: Transcriber | null;
  /** What turns text into vectors, and how many numbers a vector has. */
  readonly embedder?: Embedder;
  readonly dimensions?: number;
}

/** A job as the API shows it, as far as these tests look. */
export interface EndedJob {
  readonly id: string;
  readonly status: string;
  readonly error: string | null;
  readonly error_code: string | null;
  readonly chunks_written: number;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** Usage of a job. */
export interface JobWork {
  readonly tasks: readonly { readonly embedding_tokens: number; readonly attempt_count: number }[];
  readonly processing: {
    readonly ocr_credits: number;
    readonly audio_credits: number;
    readonly path: readonly {
      readonly phase: string;
      readonly attributes: Readonly<Record<string, number>>;
    }[];
  };
}

type Hits = Awaited<ReturnType<typeof runSearch>>['results'];

/** A cloud whose functions have as long as in AWS. */
class PatientCloud extends Cloud {
  /** Remaining milliseconds of the run. */
  leftMs = 0;
  /** Warnings that the runs have logged. */
  readonly warnings: Readonly<Record<string, unknown>>[] = [];

  override run(): Run {
    this.leftMs = 300_000;
    const log: Logger = { ...silentLogger, warn: (message, fields) => this.warnings.push({ message, ...fields }) };
    return { ...super.run(), log, remainingMs: () => this.leftMs };
  }
}

/** The pipeline of files in one process, from the upload to the search, over emulators of all that it talks to. */
export class Pipeline {
  readonly cloud: PatientCloud;
  indexId = '';
  private readonly directory: string;
  private readonly readers: Readers;
  private readonly owner: Principal;

  private constructor(directory: string, readers: Readers) {
    this.directory = directory;
    this.readers = readers;
    this.cloud = new PatientCloud(directory);
    this.owner = person(newId('org', this.cloud.runtime.clock.now()), 'owner');
  }

  static async open(readers: Readers): Promise<Pipeline> {
    const pipeline = new Pipeline(await mkdtemp(join(tmpdir(), 'strata-formats-')), readers);
    await pipeline.cloud.start();
    const { id } = await pipeline.call<{ readonly id: string }>(
      createIndex,
      {},
      {
        name: 'formats',
        dimensions: readers.dimensions ?? letterDimensions,
      },
    );
    pipeline.indexId = id;
    await pipeline.work();
    return pipeline;
  }

  async close(): Promise<void> {
    await this.cloud.stop();
    await rm(this.directory, { recursive: true, force: true });
  }

  private readonly embedders = (): Embedder => this.readers.embedder ?? letterEmbedder;

  /** Calls the API. Throws if the response is not a success. */
  async call<Answer>(endpoint: Endpoint, path: Readonly<Record<string, string>>, body?: unknown): Promise<Answer> {
    // Cast: the response has the schema of the endpoint.
    return (await callOk(this.cloud.runtime, endpoint, this.owner, { path, body })) as Answer;
  }

  /** Lets the workers go on until nothing waits. */
  private async work(): Promise<void> {
    const { extractor, ocr, transcriber } = this.readers;
    const overrides = { extractor, ocr, transcriber, embedders: this.embedders };
    const drain = (worker: Worker): Promise<number> =>
      this.cloud.drain(worker, { ...makeDeps(worker.uses, this.cloud.runtime), ...overrides }, 100);
    for (let runs = 1; runs > 0;) {
      runs = 0;
      for (const worker of [plan, fileTask, indexWriter]) runs += await drain(worker);
      if (runs === 0) runs += await this.hasten();
    }
  }

  /** Lets tasks that are held back come at once; how many there were. */
  private async hasten(): Promise<number> {
    const { runtime } = this.cloud;
    const held = this.cloud.take('tasks').map(({ body }) => TaskMessage.parse(body));
    await makeDeps({ tasks: tasksSend }, runtime).tasks.send(runtime.config.region, held);
    return held.length;
  }

  /** Sends a file through all of the pipeline, and gives its job as it ended. */
  async ingest(
    filename: string,
    bytes: Uint8Array,
    metadata: Readonly<Record<string, unknown>> = {},
    contentType = 'application/octet-stream',
  ): Promise<EndedJob> {
    const path = { index_id: this.indexId };
    const body = { filename, content_type: contentType, metadata };
    const { id, upload_url, upload_headers } = await this.call<{
      readonly id: string;
      readonly upload_url: string;
      readonly upload_headers: Readonly<Record<string, string>>;
    }>(createFile, path, body);
    const stored = await fetch(upload_url, { method: 'PUT', headers: upload_headers, body: Uint8Array.from(bytes) });
    if (!stored.ok) throw new Error(`${stored.status} ${await stored.text()}`);
    // This object store sends no notifications.
    const { files, plans } = makeDeps({ files: filesWrite, plans: planSend }, this.cloud.runtime);
    const job = await files.get({ organizationId: this.owner.organizationId, indexId: this.indexId, jobId: id });
    if (job !== null) await plans.resend(job);
    await this.work();
    return this.call<EndedJob>(getFile, { ...path, job_id: id });
  }

  /** Usage of a job in the API's response. */
  worked(jobId: string): Promise<JobWork> {
    return this.call<JobWork>(getFileProcessing, { index_id: this.indexId, job_id: jobId });
  }

  /** Searches all that was ingested. */
  async search(text: string, mostHits = 10, mode: 'sparse' | 'dense' = 'sparse'): Promise<Hits> {
    const { runtime } = this.cloud;
    const readerDeps = { ...makeDeps(indexReader.uses, runtime), embedders: this.embedders };
    const { reader: _, ...deps } = makeDeps(searchUses(readerInvoke), runtime);
    const reader: Reader = {
      isLocal: () => false,
      execute: async (index, operation) => {
        const request = indexReader.request.parse({
          organization_id: index.organizationId,
          model: index.embeddingModel,
          ref: toIndexRef(index),
          operation,
        });
        // Cast: the response belongs to this operation.
        return (await indexReader.handle({ request, deps: readerDeps, run: this.cloud.run() })) as never;
      },
    };
    const input = { mode, text, top_k: mostHits, include: ['text', 'metadata'], exact: false } as const;
    const index = await requireIndex(deps.indexes, this.owner.organizationId, this.indexId);
    const prefetched = Promise.resolve({ index, counting: Promise.resolve(null), speculative: Promise.resolve(null) });
    // The request has no end, so the search is not counted.
    const call = {
      deps: { ...deps, reader },
      prefetched,
      caller: this.owner,
      onEnd: () => undefined,
      clock: this.cloud.runtime.clock,
    };
    return (await runSearch(call, input)).results;
  }
}
