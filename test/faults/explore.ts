import assert from 'node:assert/strict';
import { cancelFile } from '../../functions/files/cancel.ts';
import { deleteFile } from '../../functions/files/delete.ts';
import { replaceFile } from '../../functions/files/replace.ts';
import { assertInvariants, assertRunsTold } from './invariants.ts';
import { isRead } from './life.ts';
import { creditsOfFile, type FileSpec } from './stubs.ts';
import type { Fault, Upload, World } from './world.ts';

interface Scenario {
  readonly arrange: (world: World, label: string) => Promise<Upload>;
  /** What goes wrong on the way. */
  readonly act: (world: World, stage: Upload) => Promise<unknown>;
  /** What whoever asked does again. */
  readonly repeat?: (world: World, stage: Upload) => Promise<unknown>;
  /** What must have come of it, besides what holds always. */
  readonly check: (world: World, stage: Upload) => Promise<void>;
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

const completed = async (world: World, spec: FileSpec): Promise<Upload> => {
  const upload = await world.upload(spec);
  await world.work();
  return upload;
};

const statusOf = async (world: World, { address }: Upload) => (await world.job(address))?.status;

const ends =
  (...statuses: readonly string[]) =>
  async (world: World, upload: Upload): Promise<void> =>
    assert.ok(statuses.includes((await statusOf(world, upload)) ?? 'gone'), `${await statusOf(world, upload)}`);

const deleteIt = async (world: World, upload: Upload): Promise<void> => {
  upload.deletion = 'asked';
  await world.noteDeletions();
  await world.callDuring(deleteFile, pathOf(upload));
  upload.deletion = 'done';
};

const cancelIt = async (world: World, upload: Upload): Promise<void> => {
  await world.call(cancelFile, pathOf(upload));
  upload.cancelled = true;
};

const works = (world: World): Promise<void> => world.work();

/** A job that is cancelled just before a call of the work on it. */
const cancelledBefore = (callOfWork: string, fileOf: (label: string) => FileSpec): Scenario => ({
  arrange: async (world, label) => {
    const upload = await world.upload(fileOf(label));
    world.before(callOfWork, () => cancelIt(world, upload).catch(() => undefined));
    return upload;
  },
  act: works,
  repeat: (world, upload) => cancelIt(world, upload).catch(() => undefined),
  check: ends('cancelled', 'completed'),
});

/** Scenarios by what must hold in them. */
export const scenarios: Readonly<Record<string, Scenario>> = {
  'a file is planned, read, embedded, written and completed': {
    arrange: (world, label) => world.upload(report(label)),
    act: works,
    check: ends('completed'),
  },
  'an empty file ends with warnings': {
    arrange: (world) => world.upload(empty),
    act: works,
    check: ends('completed_with_warnings'),
  },
  'a file that cannot be read at all fails': {
    arrange: (world) => world.upload({ ...empty, broken: 'at once' }),
    act: works,
    check: ends('failed'),
  },
  'a file of which a late page cannot be read fails, and what came before leaves': {
    arrange: (world, label) => world.upload({ ...report(label), broken: 118 }),
    act: works,
    check: ends('failed'),
  },
  'a model that refuses twice and then answers': {
    arrange: async (world, label) => {
      const upload = await world.upload(note(label));
      world.models.refusals = 2;
      return upload;
    },
    act: works,
    check: ends('completed'),
  },
  'a model that never answers': {
    arrange: async (world, label) => {
      const upload = await world.upload(note(label));
      world.models.refusals = Infinity;
      return upload;
    },
    act: works,
    check: ends('failed'),
  },
  'a file that needs more credits than are left': {
    arrange: async (world, label) => {
      await world.spendCredits(creditsOfFile(report(label)) - 1);
      return world.upload(report(label));
    },
    act: works,
    check: ends('failed'),
  },
  'a job that is cancelled in the middle': {
    arrange: async (world, label) => {
      const upload = await world.upload(report(label));
      await world.work(['plan', 'tasks']);
      return upload;
    },
    act: cancelIt,
    // It may have been completed meanwhile, which is a refusal.
    repeat: (world, upload) => cancelIt(world, upload).catch(() => undefined),
    check: ends('cancelled', 'completed'),
  },
  'a job that is cancelled while its tasks are made': cancelledBefore('PutItem test-files', report),
  'a job that is cancelled while its text is read by the model': cancelledBefore('embedder.embed', note),
  'a replacement takes the place of what it replaces': {
    arrange: async (world, label) => {
      const old = await completed(world, note(`${label}, first`));
      return world.upload(report(label), replaceFile, old.address);
    },
    act: works,
    check: ends('completed'),
  },
  'an empty file takes the place of what it replaces': {
    arrange: async (world, label) => {
      const old = await completed(world, note(label));
      return world.upload(empty, replaceFile, old.address);
    },
    act: works,
    check: ends('completed_with_warnings'),
  },
  'a completed job is deleted': {
    arrange: (world, label) => completed(world, report(label)),
    act: deleteIt,
    repeat: (world, upload) =>
      upload.deletion === 'done' ? Promise.resolve() : deleteIt(world, upload).catch(() => undefined),
    check: async (world, upload) => assert.equal(await world.job(upload.address), null),
  },
  'a job is deleted in the middle': {
    arrange: async (world, label) => {
      const upload = await world.upload(report(label));
      await world.work(['plan']);
      return upload;
    },
    act: deleteIt,
    repeat: (world, upload) =>
      upload.deletion === 'done' ? Promise.resolve() : deleteIt(world, upload).catch(() => undefined),
    check: async (world, upload) => assert.equal(await world.job(upload.address), null),
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
  world: World,
  { arrange, act, repeat, check }: Scenario,
  fault: Fault | null,
): Promise<readonly string[]> => {
  if (world.uploads.length >= pointsPerOrganization || world.spentBefore > 0) await world.reset();
  const stage = await arrange(world, fault === null ? 'nothing' : `${fault.verdict} ${fault.call}`);
  const calls = await world.withFault(fault, () => act(world, stage));
  await world.settle();
  world.models.refusals = 0;
  if (repeat !== undefined) {
    await repeat(world, stage);
    await world.settle();
  }
  await check(world, stage);
  await assertInvariants(world);
  await assertRunsTold(world);
  return calls;
};

/** Lets each `step`-th point of a scenario go wrong, from `first` on; how many there were. `fail` throws unless given. */
export const explore = async (
  world: World,
  name: string,
  step = 1,
  first = 0,
  fail: (failure: Error) => void = (failure) => {
    throw failure;
  },
): Promise<number> => {
  const scenario = scenarios[name];
  if (scenario === undefined) throw new Error(`there is no scenario ${name}`);
  await world.reset();
  const all = pointsOf(await explorePoint(world, scenario, null));
  const points = all.filter((_, at) => at % step === first % Math.min(step, all.length));
  for (const { call, verdict } of points) {
    try {
      await explorePoint(world, scenario, { call, verdict });
    } catch (error) {
      await world.reset();
      fail(new Error(`${name}: call ${call}, ${verdict}`, { cause: error }));
    }
  }
  return points.length;
};
