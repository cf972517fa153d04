import assert from 'node:assert/strict';
import { eventsRead } from '../../shared/events/index.ts';
import { bytesOfText, keepsOriginal, toProcessing } from '../../shared/files/index.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import type { Processing } from '../../shared/pipeline/processing.ts';
import { usageRead } from '../../shared/usage/index.ts';
import { creditsOfFile, textsOfFile } from './stubs.ts';
import type { JobState, Upload, TestApp } from './test-app.ts';

const withContent: ReadonlySet<string> = new Set(['completed', 'completed_with_warnings', 'superseded']);
const ended: ReadonlySet<string> = new Set([...withContent, 'failed', 'cancelled', 'expired']);
/** Whether a job has or had content. One that failed can be superseded by the next file of its name. */
const hadContent = ({ status, errorCode }: JobState['job']): boolean => withContent.has(status) && errorCode === null;
const live: ReadonlySet<string> = new Set(['completed', 'completed_with_warnings']);

interface Seen {
  readonly upload: Upload;
  /** Null where the job is gone. */
  readonly now: JobState | null;
}

const sum = <Item>(items: readonly Item[], figure: (item: Item) => number): number =>
  items.reduce((total, item) => total + figure(item), 0);

const observe = (app: TestApp): Promise<readonly Seen[]> =>
  Promise.all(
    app.uploads.map(async (upload) => {
      const job = await app.job(upload.address);
      return { upload, now: job === null ? null : { job, tasks: await app.tasks(upload.address) } };
    }),
  );

/** Every job has ended, as it was asked to, and its tasks with it. */
const assertEnded = ({ upload, now }: Seen): void => {
  if (now === null) {
    assert.notEqual(upload.deletion, 'none', 'a job is gone without a deletion');
    return;
  }
  const { job, tasks } = now;
  assert.ok(ended.has(job.status), `a job hangs in ${job.status}`);
  assert.notEqual(upload.deletion, 'done', 'a deleted job is still there');
  if (upload.cancelled) assert.equal(job.status, 'cancelled', 'a cancelled job goes on');
  const open = tasks.filter(({ status }) => status === 'queued' || status === 'running');
  assert.deepEqual(open, [], `a job is ${job.status}, but not all of its tasks`);
  assert.equal(tasks.length, job.tasksTotal, `a ${job.status} job has other tasks than it reports`);
  const cut = tasks.filter(({ status }) => status !== 'completed');
  const early = cut.filter((task) =>
    [task.createdAt, task.startedAt].some((at) => (at ?? '') > (task.completedAt ?? '')),
  );
  assert.deepEqual(early, [], 'a task has ended before it began');
  if (job.status !== 'expired') assert.equal(job.counted, true, `a ${job.status} job is not in the books`);
};

/** An original is there and counted while its job keeps it. Any other is gone. */
const assertOriginals = async (app: TestApp, seen: readonly Seen[]): Promise<void> => {
  let bytes = 0;
  for (const { now } of seen) {
    if (now === null) continue;
    const { organizationId, indexId, id, status } = now.job;
    const objects = await app.objects(`uploads/${organizationId}/${indexId}/${id}/`);
    if (!keepsOriginal(now.job)) assert.deepEqual(objects, [], `the original of a ${status} job`);
    bytes += now.job.originalCounted;
    const textBytes = now.tasks.reduce((sum, { text }) => sum + bytesOfText(text), 0);
    const expected = keepsOriginal(now.job) ? (now.job.sizeBytes ?? 0) + textBytes : 0;
    assert.equal(now.job.originalCounted, expected, `of a ${status} job`);
  }
  const stored = await makeDeps({ usage: usageRead }, app.runtime).usage.stored(app.owner.organizationId);
  const { usage } = await app.index();
  assert.deepEqual([usage.originalBytes, stored.originalBytes], [bytes, bytes], 'bytes of originals');
  const kept = seen.filter(({ now }) => now !== null && keepsOriginal(now.job)).length;
  const { bytes: reserved = 0, originals = 0, open = null } = await app.allowance();
  assert.deepEqual([reserved, originals, open], [bytes, kept, null], 'allowance of originals');
};

/** A deleted job leaves nothing in the bucket or in its events, regardless of the work that was running when it was deleted. */
const assertCleared = async (app: TestApp, seen: readonly Seen[]): Promise<void> => {
  for (const { upload, now } of seen) {
    if (now !== null) continue;
    const { organizationId, indexId, jobId } = upload.address;
    for (const kind of ['uploads', 'batches'])
      assert.deepEqual(
        await app.objects(`${kind}/${organizationId}/${indexId}/${jobId}/`),
        [],
        'objects of a deleted job',
      );
    assert.deepEqual(await app.texts(upload.address), [], 'an event contains the text of a deleted job');
  }
};

/** What is found is what stands: rows of live jobs, each as its file says, and what was written directly. */
const assertRows = async (app: TestApp, seen: readonly Seen[], direct: ReadonlySet<string>): Promise<void> => {
  const rows = await app.rows();
  assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length, 'a row stands twice');
  for (const { upload, now } of seen) {
    const own = rows.filter(({ jobId }) => jobId === upload.address.jobId);
    if (now === null || !live.has(now.job.status)) {
      assert.equal(own.length, 0, `a ${now?.job.status ?? 'deleted'} job has rows`);
      continue;
    }
    const { job, tasks } = now;
    const texts = own.map(({ text }) => text ?? '').toSorted();
    assert.deepEqual(texts, textsOfFile(upload.spec), 'the rows of a job are not what its file says');
    const written = [job.vectorsWritten, sum(tasks, (task) => task.vectorsWritten), job.done.size];
    assert.deepEqual(written, [own.length, own.length, tasks.length], 'a job, its tasks and its rows disagree');
    assert.equal(job.status === 'completed', own.length > 0);
  }
  const ofJobs = new Set(seen.map(({ upload }) => upload.address.jobId));
  const others = rows.filter(({ jobId }) => jobId === null || !ofJobs.has(jobId)).map(({ id }) => id);
  assert.deepEqual(new Set(others), direct, 'rows that were written directly');
};

/** The job that was there before an upload and all the replacements that led to it. */
const originOf = (seen: readonly Seen[], { address, replaces }: Upload): string => {
  const replaced = seen.find(({ upload }) => upload.address.jobId === replaces?.jobId);
  return replaced === undefined ? address.jobId : originOf(seen, replaced.upload);
};

/** Of a job and its replacements that have content, one stands: each of the others has given way to a replacement. */
const assertReplaced = (seen: readonly Seen[]): void => {
  for (const family of Map.groupBy(seen, ({ upload }) => originOf(seen, upload)).values()) {
    const jobs = family.flatMap(({ now }) => (now !== null && hadContent(now.job) ? now.job : []));
    const replacements = family.flatMap(({ upload }) => (upload.replaces === null ? [] : upload.address.jobId));
    const replaced = jobs.filter(({ status }) => status === 'superseded');
    for (const { id, replacedByJobId } of replaced) {
      const others = replacements.filter((other) => other !== id);
      assert.ok(others.includes(replacedByJobId ?? ''), 'a job has given way to one that does not replace it');
    }
    const standing = jobs.length - replaced.length;
    assert.ok(standing <= 1, 'a replaced job still stands');
    if (jobs.length > 0 && family.every(({ now }) => now !== null))
      assert.equal(standing, 1, 'a job has given way to nothing');
  }
};

const started = 'file.processing.started';
const completed = 'file.processing.completed';
const failed = 'file.processing.failed';

interface FinalEvent {
  readonly data: { readonly processing: Processing };
}

/** Each job has sent its events once, and its final event reports how it ended. */
const assertTold = async (app: TestApp, seen: readonly Seen[]) => {
  const { history } = makeDeps({ history: eventsRead }, app.runtime);
  const events = (await app.items('events', `ORG#${app.owner.organizationId}`)).filter(({ sk }) =>
    sk.startsWith('evt_'),
  );
  for (const { upload, now } of seen) {
    const told = events.filter((event) => event['job_id'] === upload.address.jobId);
    const types = told.map((event) => event['event_type'] as string).toSorted();
    if (now === null) {
      assert.equal(new Set(types).size, types.length, 'a deleted job has sent an event twice');
      assert.ok(types.filter((type) => type !== started).length <= 1, 'a deleted job has ended twice');
      continue;
    }
    const { job } = now;
    const end = job.errorCode !== null ? [failed] : hadContent(job) ? [completed] : [];
    const begun = job.startedAt === null ? [] : [started];
    assert.deepEqual(types, [...end, ...begun], `the events of a ${job.status} job`);
    for (const { sk } of told.filter((event) => event['event_type'] !== started)) {
      const body = JSON.parse((await history.body(app.owner.organizationId, sk)) ?? '') as FinalEvent;
      assert.deepEqual(job.processing, body.data.processing, `figures in the final event of a ${job.status} job`);
    }
  }
  return events;
};

/** An event without the text of its file. */
const untold = (body: string): unknown =>
  JSON.parse(body, (name, value: unknown) => (name.startsWith('sparse_text') ? null : value));

/** Every event has reached every receiver that wants it, under one id and with one body; and nothing else has. */
const assertDelivered = (app: TestApp, seen: readonly Seen[], events: Awaited<ReturnType<typeof assertTold>>): void => {
  const gone = new Set<unknown>(seen.flatMap(({ upload, now }) => (now === null ? upload.address.jobId : [])));
  const ofFiles = events.filter((event) => (event['event_type'] as string).startsWith('file.'));
  for (const { sk, ...event } of ofFiles) {
    const [type, status] = [event['event_type'] as string, event['status'] as string];
    assert.equal(status, 'dispatched', `an event is ${status}`);
    for (const [at, url] of app.receivers.entries()) {
      const wanted = at === 0 || type !== started;
      const got = app.received.filter((one) => one.url === url && one.hookId === sk);
      assert.equal(got.length > 0, wanted, `${type} and receiver ${at}: ${got.length} times`);
      const bodies = [...new Set(got.map(({ body }) => body))];
      // What is sent again after its job was deleted is the same but for the text.
      if (gone.has(event['job_id']))
        for (const body of bodies.slice(1)) assert.deepEqual(untold(body), untold(bodies[0] ?? ''));
      else assert.ok(bodies.length <= 1, 'an event has two bodies');
    }
  }
  const known = new Set(events.map(({ sk }) => sk));
  assert.deepEqual(
    app.received.filter(({ hookId }) => !known.has(hookId)),
    [],
    'news of nothing',
  );
};

/** The books: what the index holds, what its jobs used, each once, and credits as they were used and no more. */
const assertBooks = async (app: TestApp, seen: readonly Seen[], directlyWritten: number | null): Promise<void> => {
  const { organizationId } = app.owner;
  const [index, rows] = [await app.index(), await app.rows()];
  const { totals } = index.usage;
  const stored = await makeDeps({ usage: usageRead }, app.runtime).usage.stored(organizationId);
  assert.deepEqual([index.state.rows, stored.vectors], [rows.length, rows.length], 'what the index holds');
  assert.equal(totals.vectors_written - totals.vectors_deleted, rows.length, 'written less deleted');
  const states = seen.flatMap(({ upload, now }) => now ?? upload.last ?? []);
  const credits = sum(states, ({ tasks }) => sum(tasks, (task) => task.credits.ocr));
  const tokens = sum(states, ({ tasks }) => sum(tasks, (task) => task.tokens)) + app.lateTokens(index);
  assert.deepEqual([totals.ocr_credits, totals.embedding_tokens], [credits, tokens], 'credits and tokens of the tasks');
  for (const { job, tasks } of states.filter((state) => state.job.counted)) {
    const { ocr_credits: told, path } = job.processing ?? toProcessing(job, tasks, job.createdAt);
    const used = sum(tasks, (task) => task.credits.ocr);
    // The event of a failed job contains what its tasks had used by then.
    assert.equal(
      told,
      job.errorCode !== null ? Math.min(told, used) : used,
      `credits that a ${job.status} job reports`,
    );
    const inSteps = sum(path, ({ attributes }) => Number(attributes['ocr_credits'] ?? 0));
    assert.equal(inSteps, told, `credits of the steps of a ${job.status} job`);
  }
  const gone = seen.filter(({ now }) => now === null);
  if (gone.length === 0) {
    const invocations = sum(states, ({ job }) => job.processing?.serverless_invocations ?? 0);
    assert.equal(totals.serverless_invocations, invocations, 'invocations of the jobs');
    const written = sum(states, ({ job }) => (hadContent(job) ? job.vectorsWritten : 0));
    if (directlyWritten !== null) assert.equal(totals.vectors_written, written + directlyWritten, 'rows of the jobs');
  }
  for (const { upload, now } of seen) {
    if (now !== null && hadContent(now.job))
      assert.equal(
        sum(now.tasks, (task) => task.credits.ocr),
        creditsOfFile(upload.spec),
        'a credit for each picture',
      );
  }
  const { taken, reserved } = await app.credits(seen.map(({ upload }) => upload.address.jobId));
  assert.deepEqual(reserved, [], 'credits stay reserved');
  assert.equal(taken, credits + app.spentBefore, 'credits that are taken');
};

/** Rows of direct upserts, as far as the callers received a success. */
export interface Direct {
  /** Ids that must be there. */
  readonly ids: ReadonlySet<string>;
  /** How many rows were written; null where not known, because an answer was lost. */
  readonly written: number | null;
}

/** What holds once faults have stopped and everything has come to rest, whatever went wrong before. */
export const assertInvariants = async (
  app: TestApp,
  direct: Direct = { ids: new Set(), written: 0 },
): Promise<void> => {
  const seen = await observe(app);
  seen.forEach(assertEnded);
  assertReplaced(seen);
  await assertCleared(app, seen);
  await assertOriginals(app, seen);
  await assertRows(app, seen, direct.ids);
  assertDelivered(app, seen, await assertTold(app, seen));
  await assertBooks(app, seen, direct.written);
};

/** A job reports every run that worked on it before it ended, also one that died. */
export const assertRunsTold = async (app: TestApp): Promise<void> => {
  for (const { upload, now } of await observe(app)) {
    if (now === null) continue;
    const { job } = now;
    const told = job.processing?.serverless_invocations ?? job.invocations.size;
    assert.equal(told, app.runs.get(upload.address.jobId)?.size ?? 0, `runs of a ${job.status} job`);
  }
};
