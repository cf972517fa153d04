import { createHash } from 'node:crypto';
import { createReadStream, openAsBlob } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import { putContent } from '../../files.ts';
import type { FileJobResponse } from '../../schema.ts';
import { StrataError } from '../../strata-error.ts';
import {
  argument,
  type Call,
  type Command,
  countOption,
  exitCodes,
  jsonOption,
  manyRetries,
  textOptions,
  UsageError,
} from '../command.ts';
import { isCompleted, isOpen, listJobs, rowOf, waitForJobs } from '../file-jobs.ts';
import { findLocalFiles, type LocalFiles } from '../local-files.ts';

type Outcome = 'uploaded' | 'unchanged' | 'failed' | 'deleted';

/** Jobs of each file name, newest first. */
type JobsByName = ReadonlyMap<string, readonly FileJobResponse[]>;

/** Number of times that the jobs are read. A file whose jobs change meanwhile is tried again after each read. */
const maxRounds = 10;
const roundMs = 1_000;

const isStatus = (error: unknown, ...statuses: readonly number[]): error is StrataError =>
  error instanceof StrataError && statuses.includes(error.status);

const checksumOf = async (path: string): Promise<string> => {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
};

/** Whether a job is of a content. A job has its checksum in the format in which it was given. */
const isOf = ({ checksum_sha256: given }: FileJobResponse, checksum: string): boolean =>
  given === checksum || given === Buffer.from(checksum, 'hex').toString('base64');

/** Newest job that has the content of a file or will have it; undefined if there is none. */
const currentOf = (jobs: readonly FileJobResponse[]): FileJobResponse | undefined =>
  jobs.find((job) => isOpen(job) || isCompleted(job));

/** Jobs of uploads. Those of crawls and connectors can have the same file names. */
const readJobs = async (call: Call, indexId: string): Promise<JobsByName> => {
  const byName = new Map<string, FileJobResponse[]>();
  for (const job of await listJobs(call, indexId, { source: 'upload' })) {
    const named = byName.get(job.filename);
    if (named === undefined) byName.set(job.filename, [job]);
    else named.push(job);
  }
  return byName;
};

/** A push of files to an index. */
class Push {
  readonly #call: Call;
  readonly #indexId: string;
  readonly #paths: LocalFiles['paths'];
  readonly #metadata: Readonly<Record<string, never>>;
  /** Checksums of the files by their names, each read once. */
  readonly #checksums = new Map<string, string>();
  /** Jobs that this push was given for its files. `sent`: now; `found`: by an earlier run; `refused`: its URL has expired. */
  readonly #given = new Map<string, { readonly id: string; readonly state: 'sent' | 'found' | 'refused' }>();

  constructor(call: Call, indexId: string, paths: LocalFiles['paths'], metadata: Readonly<Record<string, never>> = {}) {
    this.#call = call;
    this.#metadata = metadata;
    this.#indexId = indexId;
    this.#paths = paths;
  }

  /** Checksum of a file, which is read once. */
  async checksum(name: string): Promise<string> {
    const known = this.#checksums.get(name) ?? (await checksumOf(this.#paths.get(name) ?? name));
    this.#checksums.set(name, known);
    return known;
  }

  /** Cancels jobs. Returns whether it could: a job that is just completing stays. */
  async #cancel(ids: readonly string[]): Promise<boolean> {
    let isDone = true;
    for (const id of ids) {
      const params = { path: { index_id: this.#indexId, job_id: id } };
      await this.#call
        .client()
        .post('/v1/indexes/{index_id}/files/{job_id}/cancel', { params })
        .catch((error: unknown) => {
          if (!isStatus(error, 404, 409)) throw error;
          isDone = false;
        });
    }
    return isDone;
  }

  /**
   * Sends a file as a job that replaces the content of another. The key depends on the last job of the file: a repeat after a
   * kill continues the job of the first attempt, and never a job that has ended.
   */
  async #send(name: string, last: string | undefined, replaced: FileJobResponse | undefined): Promise<void> {
    const checksum = await this.checksum(name);
    const content = await openAsBlob(this.#paths.get(name) ?? name);
    const key = JSON.stringify([this.#indexId, name, checksum, last ?? '', replaced?.id ?? '', this.#metadata]);
    const request = {
      headers: { 'idempotency-key': createHash('sha256').update(key).digest('hex') },
      body: {
        filename: name,
        content_type: 'application/octet-stream',
        checksum_sha256: checksum,
        size_bytes: content.size,
        metadata: this.#metadata,
      },
    };
    const path = { index_id: this.#indexId };
    const client = this.#call.client();
    const upload =
      replaced === undefined
        ? await client.post('/v1/indexes/{index_id}/files', { params: { path }, ...request })
        : await client.post('/v1/indexes/{index_id}/files/{job_id}/replace', {
            params: { path: { ...path, job_id: replaced.id } },
            ...request,
          });
    // Only uploads that skip equal files have another response.
    if (!('upload_url' in upload)) return;
    const { id } = upload;
    try {
      await putContent(upload, { filename: name, content }, { retries: manyRetries, signal: null });
      this.#given.set(name, { id, state: 'sent' });
    } catch (error) {
      if (!isStatus(error, 403, 412)) throw error;
      this.#given.set(name, { id, state: error.status === 412 ? 'found' : 'refused' });
      // A job whose URL has expired would wait for nothing.
      if (error.status === 403) await this.#cancel([id]);
    }
  }

  /** Takes the next step for a file. Returns its outcome; null if the jobs have to be read again. */
  async step(name: string, jobs: readonly FileJobResponse[]): Promise<Outcome | null> {
    const checksum = await this.checksum(name);
    const given = this.#given.get(name);
    const own = jobs.find(({ id }) => id === given?.id);
    const current = currentOf(jobs);
    if (own?.status === 'failed') throw new Error(own.error ?? 'The job failed.');
    const isCurrent = current !== undefined && isOf(current, checksum);
    // Another push has replaced what this one sent.
    if (given?.state === 'sent' && own !== undefined && current !== undefined && !isCurrent) return 'uploaded';
    // Of jobs that have not ended, only one of this content may add its rows.
    const obsolete = jobs.filter((job) => isOpen(job) && !(isCurrent && job === current));
    if (!(await this.#cancel(obsolete.map(({ id }) => id)))) return null;
    if (isCurrent && (current.status !== 'awaiting_upload' || (own === current && given?.state !== 'refused')))
      return own === current && given?.state === 'sent' ? 'uploaded' : 'unchanged';
    if (isCurrent) {
      // An earlier run was killed before the file had arrived.
      const replaced = jobs.find(({ id }) => id === current.replaces_job_id);
      await this.#send(name, jobs[jobs.indexOf(current) + 1]?.id, replaced);
      return null;
    }
    const [newest] = jobs;
    if (newest?.status === 'failed' && given === undefined)
      this.#call.note(`${name}: is sent again, because it failed: ${newest.error ?? newest.id}`);
    // A job that this push was given and that is not listed was deleted.
    const last = given !== undefined && own === undefined ? given.id : newest?.id;
    await this.#send(name, last, jobs.find(isCompleted)).catch((error: unknown) => {
      // The job to replace is no longer the current one.
      if (!isStatus(error, 409)) throw error;
    });
    return null;
  }
}

/** Pushes files, as many at a time as there are workers. Returns the outcome of each. */
const pushFiles = async (
  call: Call,
  indexId: string,
  { paths }: LocalFiles,
  workers: number,
  metadata: Readonly<Record<string, never>>,
): Promise<Map<string, Outcome>> => {
  const push = new Push(call, indexId, paths, metadata);
  const outcomes = new Map<string, Outcome>();
  const started = new Set<string>();
  let pending: readonly string[] = [...paths.keys()];
  for (let round = 1; pending.length > 0; round += 1) {
    // The second read shows the jobs of the first. Later ones wait for other jobs of a file.
    if (round > 2) await setTimeout(roundMs);
    const jobs = await readJobs(call, indexId);
    const next: string[] = [];
    const names = pending.values();
    const work = async (): Promise<void> => {
      for (const name of names) {
        try {
          const outcome = await push.step(name, jobs.get(name) ?? []);
          if (outcome === null && round === maxRounds) throw new Error('Its jobs change at the same time. Push again.');
          if (outcome === null) next.push(name);
          else outcomes.set(name, outcome);
        } catch (error) {
          if (isStatus(error, 401, 403) || error instanceof UsageError) throw error;
          outcomes.set(name, 'failed');
          call.note(`${name}: ${error instanceof Error ? error.message : String(error)}`);
        }
        started.add(name);
        call.note(`${started.size}/${paths.size} files`, true);
      }
    };
    await Promise.all(Array.from({ length: workers }, work));
    pending = next;
  }
  return outcomes;
};

/** Files of the index that a push does not send. */
const absentFiles = (jobs: JobsByName, { paths }: LocalFiles): readonly string[] =>
  [...jobs.keys()].filter((name) => !paths.has(name) && currentOf(jobs.get(name) ?? []) !== undefined);

/** Deletes the files of the index that only it has. */
const deleteAbsent = async (call: Call, indexId: string, files: LocalFiles): Promise<readonly string[]> => {
  const jobs = await readJobs(call, indexId);
  const absent = absentFiles(jobs, files);
  for (const name of absent)
    for (const { id } of (jobs.get(name) ?? []).filter((job) => isOpen(job) || isCompleted(job)))
      await call
        .client()
        .delete('/v1/indexes/{index_id}/files/{job_id}', { params: { path: { index_id: indexId, job_id: id } } });
  return absent;
};

/** Waits until the jobs of files have ended. Returns the newest jobs that failed. */
const waitForFiles = async (
  call: Call,
  indexId: string,
  { paths }: LocalFiles,
): Promise<readonly FileJobResponse[]> => {
  const newestJobs = async (): Promise<readonly FileJobResponse[]> => {
    const jobs = await readJobs(call, indexId);
    return [...paths.keys()].flatMap((name) => jobs.get(name)?.[0] ?? []);
  };
  const open = (await newestJobs()).filter(isOpen);
  await waitForJobs(call, indexId, new Set(open.map(({ id }) => id)));
  return (await newestJobs()).filter(({ status }) => status === 'failed');
};

/** Prints what a push would do. */
const printPlan = async (call: Call, indexId: string, files: LocalFiles, deletes: boolean): Promise<void> => {
  const jobs = await readJobs(call, indexId);
  const push = new Push(call, indexId, files.paths);
  const counts = { upload: 0, replace: 0, unchanged: 0, delete: 0 };
  const add = (action: keyof typeof counts, file: string): void => {
    counts[action] += 1;
    if (action !== 'unchanged') call.print({ action, file }, `${action.padEnd(7)}  ${file}`);
  };
  for (const name of files.paths.keys()) {
    const current = currentOf(jobs.get(name) ?? []);
    if (current === undefined) add('upload', name);
    else add(isOf(current, await push.checksum(name)) ? 'unchanged' : 'replace', name);
  }
  if (deletes) for (const name of absentFiles(jobs, files)) add('delete', name);
  call.print(
    { index_id: indexId, dry_run: true, ...counts },
    `${counts.upload} to upload, ${counts.replace} to replace, ${counts.unchanged} unchanged, ${counts.delete} to delete`,
  );
};

export const push: Command = {
  usage: 'push PATH… [--exclude PATTERN] [--metadata JSON] [--delete] [--wait] [--dry-run]',
  summary: 'uploads new and changed files; resumes after an interruption',
  options: {
    concurrency: { type: 'string' },
    exclude: { type: 'string', multiple: true },
    metadata: { type: 'string' },
    delete: { type: 'boolean' },
    wait: { type: 'boolean' },
    'dry-run': { type: 'boolean' },
  },
  retries: manyRetries,
  run: async (call) => {
    argument(call, 0, 'PATH, a file or a folder,');
    const workers = countOption(call, 'concurrency', 8);
    const metadata = jsonOption(call, 'metadata', '{"topic":"tea"}') ?? {};
    const deletes = call.options['delete'] === true;
    const files = await findLocalFiles(call.args, textOptions(call, 'exclude'));
    // A wrong path would otherwise delete everything.
    if (deletes && files.paths.size === 0) throw new UsageError('There are no files, so --delete would delete all.');
    if (deletes && !files.hasFolder) throw new UsageError('--delete needs a folder.');
    const indexId = await call.indexId();
    for (const link of files.links) call.note(`${link}: skipped, because it is a symbolic link`);
    if (call.options['dry-run'] === true) {
      await printPlan(call, indexId, files, deletes);
      return 0;
    }
    const outcomes = await pushFiles(call, indexId, files, workers, metadata);
    const failed = call.options['wait'] === true ? await waitForFiles(call, indexId, files) : [];
    for (const job of failed) {
      outcomes.set(job.filename, 'failed');
      call.note(rowOf(job));
    }
    const isWhole = ![...outcomes.values()].includes('failed');
    if (deletes && !isWhole) call.note('Nothing is deleted, because files failed.');
    else if (deletes) for (const name of await deleteAbsent(call, indexId, files)) outcomes.set(name, 'deleted');
    const counts: Record<Outcome, number> = { uploaded: 0, unchanged: 0, failed: 0, deleted: 0 };
    for (const outcome of outcomes.values()) counts[outcome] += 1;
    const texts = Object.entries(counts).map(([outcome, count]) => `${count} ${outcome}`);
    call.print({ index_id: indexId, ...counts }, texts.join(', '));
    return isWhole ? 0 : exitCodes.failed;
  },
};
