import assert from 'node:assert/strict';
import { cancelFile } from '../../functions/files/cancel.ts';
import { deleteFile } from '../../functions/files/delete.ts';
import { replaceFile } from '../../functions/files/replace.ts';
import { assertInvariants, assertRunsTold } from './invariants.ts';
import { isRead } from './life.ts';
import { creditsOfFile, type FileSpec } from './stubs.ts';
import type { Fault, Upload, TestApp } from './test-app.ts';

interface Scenario {
  readonly arrange: (app: TestApp, label: string) => Promise<Upload>;
  /** What goes wrong on the way. */
  readonly act: (app: TestApp, stage: Upload) => Promise<unknown>;
  /** Repeats the request of the caller. */
  readonly repeat?: (app: TestApp, stage: Upload) => Promise<unknown>;
  /** What must have come of it, besides what holds always. */
  readonly check: (app: TestApp, stage: Upload) => Promise<void>;
}

/** A file of three tasks: two with text, one with pictures, of which one cannot be read. */
const report = (label: string): FileSpec => ({
  pages: 120,
  texts: { 1: `${label}: of lighthouses`, 30: `${label}: of herring`, 77: `${label}: of comets` },
  pictures: { 110: `${label}: a plate`, 111: `${label}: a chart`, 112: null },
  broken: null,
});

const note = (label: string): FileSpec => ({ pages: 2, texts: { 1: `${label}: a note` }, pictures: {}, broken: null });
const empty: FileSpec = { pages: 0, texts: {}, pictures: {}, broken: null };

const pathOf = ({ address: { indexId, jobId } }: Upload) => ({ index_id: indexId, job_id: jobId });

const completed = async (app: TestApp, spec: FileSpec): Promise<Upload> => {
  const upload = await app.upload(spec);
  await app.work();
  return upload;
};

const statusOf = async (app: TestApp, { address }: Upload) => (await app.job(address))?.status;

const ends =
  (...statuses: readonly string[]) =>
  async (app: TestApp, upload: Upload): Promise<void> =>
    assert.ok(statuses.includes((await statusOf(app, upload)) ?? 'gone'), `${await statusOf(app, upload)}`);

const deleteIt = async (app: TestApp, upload: Upload): Promise<void> => {
  upload.deletion = 'asked';
  await app.noteDeletions();
  await app.callDuring(deleteFile, pathOf(upload));
  upload.deletion = 'done';
};

const cancelIt = async (app: TestApp, upload: Upload): Promise<void> => {
  await app.call(cancelFile, pathOf(upload));
  upload.cancelled = true;
};

const works = (app: TestApp): Promise<void> => app.work();

/** A job that is cancelled just before a call of the work on it. */
const cancelledBefore = (callOfWork: string, fileOf: (label: string) => FileSpec): Scenario => ({
  arrange: async (app, label) => {
    const upload = await app.upload(fileOf(label));
    app.before(callOfWork, () => cancelIt(app, upload).catch(() => undefined));
    return upload;
  },
  act: works,
  repeat: (app, upload) => cancelIt(app, upload).catch(() => undefined),
  check: ends('cancelled', 'completed'),
});

/** Scenarios by what must hold in them. */
export const scenarios: Readonly<Record<string, Scenario>> = {
  'a file is planned, read, embedded, written and completed': {
    arrange: (app, label) => app.upload(report(label)),
    act: works,
    check: ends('completed'),
  },
  'an empty file ends with warnings': {
    arrange: (app) => app.upload(empty),
    act: works,
    check: ends('completed_with_warnings'),
  },
  'a file that cannot be read at all fails': {
    arrange: (app) => app.upload({ ...empty, broken: 'at once' }),
    act: works,
    check: ends('failed'),
  },
  'a file of which a late page cannot be read fails, and what came before leaves': {
    arrange: (app, label) => app.upload({ ...report(label), broken: 118 }),
    act: works,
    check: ends('failed'),
  },
  'a model that refuses twice and then answers': {
    arrange: async (app, label) => {
      const upload = await app.upload(note(label));
      app.models.refusals = 2;
      return upload;
    },
    act: works,
    check: ends('completed'),
  },
  'a model that never answers': {
    arrange: async (app, label) => {
      const upload = await app.upload(note(label));
      app.models.refusals = Infinity;
      return upload;
    },
    act: works,
    check: ends('failed'),
  },
  'a file that needs more credits than are left': {
    arrange: async (app, label) => {
      await app.spendCredits(creditsOfFile(report(label)) - 1);
      return app.upload(report(label));
    },
    act: works,
    check: ends('failed'),
  },
  'a job that is cancelled in the middle': {
    arrange: async (app, label) => {
      const upload = await app.upload(report(label));
      await app.work(['plan', 'tasks']);
      return upload;
    },
    act: cancelIt,
    // It may have been completed meanwhile, which is a refusal.
    repeat: (app, upload) => cancelIt(app, upload).catch(() => undefined),
    check: ends('cancelled', 'completed'),
  },
  'a job that is cancelled while its tasks are made': cancelledBefore('PutItem test-files', report),
  'a job that is cancelled while its text is read by the model': cancelledBefore('embedder.embed', note),
  'a replacement takes the place of what it replaces': {
    arrange: async (app, label) => {
      const old = await completed(app, note(`${label}, first`));
      return app.upload(report(label), replaceFile, old.address);
    },
    act: works,
    check: ends('completed'),
  },
  'an empty file takes the place of what it replaces': {
    arrange: async (app, label) => {
      const old = await completed(app, note(label));
      return app.upload(empty, replaceFile, old.address);
    },
    act: works,
    check: ends('completed_with_warnings'),
  },
  'a file follows one of its name that awaits its upload': {
    arrange: async (app, label) => {
      await app.store(await app.beginNext(note(`${label}, first`), label));
      await app.work();
      await app.beginNext(note(`${label}, second`), label);
      const newest = await app.beginNext(report(label), label);
      await app.store(newest);
      return newest;
    },
    act: works,
    check: ends('completed'),
  },
  'a file follows one of its name that has written a part of its rows': {
    arrange: async (app, label) => {
      const older = await app.beginNext(report(`${label}, first`), label);
      await app.store(older);
      await app.work(['plan']);
      // Its last task is retried only when the other file is done.
      const last = app.fakeQueues.queueMessages.findLast(({ queue }) => queue === 'tasks');
      if (last !== undefined) last.visibleMs += 600_000;
      const newest = await app.beginNext(note(label), label);
      await app.store(newest);
      return newest;
    },
    act: works,
    check: ends('completed'),
  },
  'a completed job is deleted': {
    arrange: (app, label) => completed(app, report(label)),
    act: deleteIt,
    repeat: (app, upload) =>
      upload.deletion === 'done' ? Promise.resolve() : deleteIt(app, upload).catch(() => undefined),
    check: async (app, upload) => assert.equal(await app.job(upload.address), null),
  },
  'a job is deleted in the middle': {
    arrange: async (app, label) => {
      const upload = await app.upload(report(label));
      await app.work(['plan']);
      return upload;
    },
    act: deleteIt,
    repeat: (app, upload) =>
      upload.deletion === 'done' ? Promise.resolve() : deleteIt(app, upload).catch(() => undefined),
    check: async (app, upload) => assert.equal(await app.job(upload.address), null),
  },
};

/**
 * The points of a scenario: every call fails before it has an effect; every one that has an effect also loses its reply, or
 * is the last of its run. (A run that dies before a call does what one does that dies after the call before.)
 */
const pointsOf = (calls: readonly string[]): readonly Fault[] =>
  calls.flatMap((call, at) => {
    const verdicts: Fault['verdict'][] = isRead(call) ? ['not applied'] : ['not applied', 'reply lost', 'dies after'];
    if (at === 0) verdicts.push('dies before');
    return verdicts.map((verdict) => ({ call: at + 1, verdict }));
  });

/** Points after which a new organization begins, so that what is checked at each stays small. */
const pointsPerOrganization = 6;

const explorePoint = async (
  app: TestApp,
  { arrange, act, repeat, check }: Scenario,
  fault: Fault | null,
): Promise<readonly string[]> => {
  if (app.uploads.length >= pointsPerOrganization || app.spentBefore > 0) await app.reset();
  const stage = await arrange(app, fault === null ? 'nothing' : `${fault.verdict} ${fault.call}`);
  const calls = await app.withFault(fault, () => act(app, stage));
  await app.settle();
  app.models.refusals = 0;
  if (repeat !== undefined) {
    await repeat(app, stage);
    await app.settle();
  }
  await check(app, stage);
  await assertInvariants(app);
  await assertRunsTold(app);
  return calls;
};

/** Lets each `step`-th point of a scenario go wrong, from `first` on; how many there were. `fail` throws unless given. */
export const explore = async (
  app: TestApp,
  name: string,
  step = 1,
  first = 0,
  fail: (failure: Error) => void = (failure) => {
    throw failure;
  },
): Promise<number> => {
  const scenario = scenarios[name];
  if (scenario === undefined) throw new Error(`there is no scenario ${name}`);
  await app.reset();
  const all = pointsOf(await explorePoint(app, scenario, null));
  const points = all.filter((_, at) => at % step === first % Math.min(step, all.length));
  for (const { call, verdict } of points) {
    try {
      await explorePoint(app, scenario, { call, verdict });
    } catch (error) {
      await app.reset();
      fail(new Error(`${name}: call ${call}, ${verdict}`, { cause: error }));
    }
  }
  return points.length;
};
