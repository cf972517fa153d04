import { setImmediate as turn } from 'node:timers/promises';
import { cancelFile } from '../../functions/files/cancel.ts';
import { deleteFile } from '../../functions/files/delete.ts';
import { replaceFile } from '../../functions/files/replace.ts';
import { deleteVectors } from '../../functions/vectors/delete.ts';
import { upsertVectors } from '../../functions/vectors/upsert.ts';
import { sweep } from '../../functions/workers/sweep/schedule.ts';
import { sweepFiles } from '../../functions/workers/sweep-files/schedule.ts';
import { randomFrom } from '../support/random.ts';
import { assertInvariants } from './invariants.ts';
import { live, type Life, type Verdict } from './life.ts';
import type { QueueMessage } from './fake-queues.ts';
import type { FileSpec } from './stubs.ts';
import type { Invocation, Upload, TestApp } from './test-app.ts';

interface Waiting {
  readonly call: string;
  readonly go: (verdict: Verdict) => Promise<void>;
}

/** A run that goes on call by call, as the simulation lets it. */
interface Actor {
  readonly name: string;
  readonly life: Life;
  readonly waiting: Waiting[];
  readonly invocation: Invocation | null;
  readonly startedMs: number;
  over: boolean;
}

/** How often what goes wrong, 0 to 1. */
interface Weather {
  readonly fault: number;
  readonly throttled: number;
  readonly duplicate: number;
  readonly lost: number;
  readonly refusal: number;
}

const calm: Weather = { fault: 0, throttled: 0, duplicate: 0, lost: 0, refusal: 0 };
const tenMinutesMs = 600_000;
const mostRuns = 6;
const receiptRead = 'GetItem test-indexes';

/** One sequence of everything that can go wrong at a time, decided by its seed alone. */
class Simulation {
  readonly trace: string[] = [];
  readonly direct = new Map<string, 'there' | 'gone' | 'unknown'>();
  calls = 0;
  faults = 0;
  /** Upserts that were begun, and how many of them returned success. */
  private readonly upserts = { begun: 0, done: 0 };
  private readonly app: TestApp;
  private readonly random: () => number;
  private readonly actors: Actor[] = [];
  private weather: Weather = calm;
  private lost = 0;
  private wake: () => void = () => undefined;

  constructor(app: TestApp, seed: number) {
    this.app = app;
    this.random = randomFrom(seed);
  }

  private chance(share: number): boolean {
    return this.random() < share;
  }

  private pick<Item>(items: readonly Item[]): Item | undefined {
    return items[Math.floor(this.random() * items.length)];
  }

  private below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  private note(what: string): void {
    this.trace.push(what);
  }

  /** Begins a run; from here on it does nothing that `release` does not let it do. */
  private start(name: string, act: () => Promise<unknown>, invocation: Invocation | null = null): void {
    const skewMs = this.weather === calm ? 0 : Math.round((2 * this.random() - 1) * tenMinutesMs);
    const waiting: Waiting[] = [];
    const end = (): void => {
      actor.over = true;
      this.wake();
    };
    const ask: Life['ask'] = (call) =>
      new Promise((resolve) => {
        waiting.push({
          call,
          go: (verdict) =>
            new Promise<void>((happened) => {
              resolve({ verdict, done: happened });
              // A run that has died asks for nothing more, and its call is over.
            }),
        });
        this.wake();
      });
    const die = (): void => {
      // What it had asked for at the same time never leaves it.
      waiting.length = 0;
      invocation?.abandon();
      end();
    };
    const actor: Actor = {
      name,
      life: { name, skewMs, ask, die },
      waiting,
      invocation,
      startedMs: this.app.fakeQueues.nowMs(),
      over: false,
    };
    this.actors.push(actor);
    this.note(`begins: ${name}`);
    live(actor.life, act).then(end, end);
  }

  /** Waits until every run waits to be let go on, or is over. */
  private async quiet(): Promise<void> {
    while (this.actors.some(({ over, waiting }) => !over && waiting.length === 0)) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    // What one run asks for side by side arrives within a few turns.
    for (let turns = 0; turns < 4; turns += 1) await turn();
    const left = this.actors.filter(({ over, waiting }) => !over || waiting.length > 0);
    this.actors.splice(0, this.actors.length, ...left);
    this.app.fakeQueues.collect();
  }

  private verdict(call: string): Verdict {
    if (call.startsWith('embedder') && this.chance(this.weather.refusal)) return 'not applied';
    if (this.chance(this.weather.throttled)) return 'throttled';
    if (!this.chance(this.weather.fault)) return 'goes on';
    return this.pick(['dies before', 'dies after', 'not applied', 'reply lost'] as const) ?? 'goes on';
  }

  private async release(actor: Actor): Promise<void> {
    actor.waiting.sort((one, other) => one.call.localeCompare(other.call));
    const [next] = actor.waiting.splice(this.below(actor.waiting.length), 1);
    if (next === undefined) return;
    // A pause advances the clock of all actors.
    if (next.call === receiptRead && !actor.name.startsWith('index-writer')) this.app.cloud.advance(0.08);
    const verdict = this.verdict(next.call);
    this.calls += 1;
    if (verdict !== 'goes on') this.faults += 1;
    this.note(`${actor.name}: ${next.call}${verdict === 'goes on' ? '' : ` — ${verdict}`}`);
    await next.go(verdict);
    await turn();
  }

  /** Whether a run has had more time than its platform gives it. */
  private isTooLate({ invocation, startedMs }: Actor): boolean {
    return invocation !== null && this.app.fakeQueues.nowMs() - startedMs > invocation.timeoutSeconds * 1000;
  }

  /**
   * Where time has run out for a run, it is killed; but of an unordered queue it may have been only slow to notice, and go
   * on beside the next run with its message.
   */
  private endLate(): void {
    for (const actor of this.actors.filter((one) => !one.over && this.isTooLate(one))) {
      if (actor.invocation?.queueMessages.some(({ groupId }) => groupId !== null) || this.chance(0.5)) {
        this.note(`out of time: ${actor.name}`);
        actor.life.die();
      } else {
        actor.invocation?.queueMessages.forEach((queueMessage) => this.app.fakeQueues.duplicate(queueMessage));
      }
    }
  }

  private handOut(queueMessages: readonly QueueMessage[]): void {
    const head = this.pick(queueMessages);
    if (head === undefined) return;
    if (head.groupId === null && !this.app.hasExhaustedRetries(head)) {
      if (this.chance(this.weather.lost) && this.lost < 2) {
        this.lost += 1;
        this.note(`lost: a message of ${head.queue}`);
        this.app.fakeQueues.remove(head);
        return;
      }
      if (this.chance(this.weather.duplicate)) {
        this.note(`twice: a message of ${head.queue}`);
        this.app.fakeQueues.duplicate(head);
      }
    }
    const invocation = this.app.invocation(head, this.below(2));
    this.start(invocation.name, invocation.run, invocation);
  }

  /** Lets time pass until something can go on. */
  private passTime(seconds: number): void {
    this.app.cloud.advance(seconds);
    this.endLate();
  }

  /** One step: a run goes on or begins, or time passes. False where there is nothing to do. */
  private async step(): Promise<boolean> {
    // So that no two identifiers are made at the same moment.
    this.app.cloud.advance(0.001);
    await this.quiet();
    await this.app.noteDeletions();
    const { fakeQueues } = this.app;
    const going = this.actors.filter(({ waiting }) => waiting.length > 0);
    const ready = fakeQueues.ready();
    const begins = ready.length > 0 && this.actors.length < mostRuns;
    if (going.length > 0 && !(begins && this.chance(0.3))) {
      // An actor that waits for the writer seldom gets a turn.
      const busy = going.filter(({ waiting }) => waiting[0]?.call !== receiptRead || this.chance(0.1));
      const actor = this.pick(busy.length > 0 && (begins || busy.length < going.length) ? busy : going);
      if (busy.length === 0 && begins) this.handOut(ready);
      else if (actor !== undefined) await this.release(actor);
      return true;
    }
    if (begins) {
      this.handOut(ready);
      return true;
    }
    const nextMs = fakeQueues.nextMs();
    if (nextMs === null) return this.actors.length > 0;
    const waitMs = nextMs - fakeQueues.nowMs();
    if (waitMs > 3_600_000) return false;
    this.passTime(Math.max(0, waitMs) / 1000);
    return true;
  }

  private async drain(): Promise<void> {
    this.weather = calm;
    for (let steps = 0; await this.step(); steps += 1) {
      // Beside a clock that is ten minutes ahead, deliveries ask every second or two for as long.
      if (steps > 100_000) throw new Error('the workers never come to an end');
    }
    // It would block its group, and what waits behind it would look like work that the service lost.
    if (this.app.fakeQueues.queueMessages.some(({ inFlight }) => inFlight))
      throw new Error('a message is in flight, but no run handles it');
  }

  private specOf(label: string): FileSpec {
    const file = { pages: 2, texts: { 1: `${label}: a note` }, pictures: {}, broken: null };
    const report = { ...file, pages: 120, texts: { 1: `${label}: one`, 77: `${label}: two`, 78: `${label}: three` } };
    const scan = { ...report, pictures: { 3: `${label}: a plate`, 110: `${label}: a chart`, 111: null } };
    const kinds: readonly FileSpec[] = [
      file,
      report,
      scan,
      scan,
      { ...scan, broken: 118 },
      { ...file, broken: 'at once' as const },
      { ...file, pages: 0, texts: {} },
      { ...file, texts: {} },
    ];
    return this.pick(kinds) ?? file;
  }

  private call(name: string, act: () => Promise<void>): void {
    this.start(name, act);
  }

  private pathOf({ address: { indexId, jobId } }: Upload) {
    return { index_id: indexId, job_id: jobId };
  }

  private cancel(upload: Upload): void {
    this.call('cancel', async () => {
      await this.app.call(cancelFile, this.pathOf(upload));
      upload.cancelled = true;
    });
  }

  private delete(upload: Upload): void {
    upload.deletion = 'asked';
    this.call('delete', async () => {
      await this.app.call(deleteFile, this.pathOf(upload));
      upload.deletion = 'done';
    });
  }

  private upsert(id: string): void {
    // A row that is written over counts twice.
    if (this.direct.has(id) && this.direct.get(id) !== 'gone') return;
    this.direct.set(id, 'unknown');
    const vector = [1, 2, 3, 4, 5, 6, 7, 8];
    this.upserts.begun += 1;
    this.call('upsert', async () => {
      await this.app.call(upsertVectors, { index_id: this.app.indexId }, [{ id, vector, text: id }]);
      this.direct.set(id, 'there');
      this.upserts.done += 1;
    });
  }

  private remove(id: string): void {
    if (this.direct.get(id) !== 'there') return;
    this.direct.set(id, 'unknown');
    this.call('remove', async () => {
      await this.app.call(deleteVectors, { index_id: this.app.indexId }, { ids: [id] });
      this.direct.set(id, 'gone');
    });
  }

  /** A user uploads the next version of a file while the last one may be unfinished. */
  private async uploadNext(): Promise<void> {
    const upload = await this.app.beginNext(this.specOf('the next edition'), 'file');
    this.note('begins: the next edition');
    if (this.chance(0.8)) await this.app.store(upload);
  }

  /** Something that a user or the clock does in the middle of it all. */
  private async interfere(): Promise<void> {
    const upload = this.pick(this.app.uploads.filter(({ deletion, cancelled }) => deletion === 'none' && !cancelled));
    const act = this.pick([
      'cancel',
      'delete',
      'next',
      'upsert',
      'remove',
      'sweep',
      'sweep-files',
      'time',
      'time',
    ] as const);
    if (act === 'cancel' && upload !== undefined) this.cancel(upload);
    if (act === 'delete' && upload !== undefined) this.delete(upload);
    if (act === 'next') await this.uploadNext();
    if (act === 'upsert') this.upsert(`row-${this.below(3)}`);
    if (act === 'remove') this.remove(`row-${this.below(3)}`);
    if (act === 'sweep') this.start('sweep', () => this.app.tick(sweep));
    if (act === 'sweep-files') this.start('sweep-files', () => this.app.tick(sweepFiles));
    if (act === 'time') this.passTime(this.pick([5, 61, 400, 2_000, 4_000]) ?? 0);
  }

  /** Jobs of all kinds, some in place of others, some without their file, some of whose news get lost. */
  private async begin(): Promise<void> {
    const { app } = this;
    if (this.chance(0.2)) await app.spendCredits(this.below(4));
    const jobs = 2 + this.below(3);
    for (let at = 0; at < jobs; at += 1) {
      const upload = await app.begin(this.specOf(`file ${at}`));
      if (this.chance(0.9)) await app.store(upload);
    }
    if (this.chance(0.4)) {
      const old = await app.upload({ pages: 1, texts: { 1: 'the first edition' }, pictures: {}, broken: null });
      await app.work();
      await app.upload(this.specOf('the second edition'), replaceFile, old.address);
    }
    app.fakeQueues.collect();
    for (const queueMessage of app.fakeQueues.ready().filter(() => this.chance(0.1))) {
      this.note('lost: the news of an upload');
      app.fakeQueues.remove(queueMessage);
    }
  }

  /** Time passes, the sweeps look, and old messages come once more. */
  private async settle(): Promise<void> {
    const { app } = this;
    await this.drain();
    const old = app.fakeQueues.sent.filter(() => this.chance(0.3));
    for (const hours of [2, 2, 25, 2]) {
      app.cloud.advance(hours * 3_600);
      this.start('sweep', () => app.tick(sweep));
      this.start('sweep-files', () => app.tick(sweepFiles));
      await this.drain();
      if (hours !== 25) continue;
      // A log takes no message twice.
      old.filter(({ groupId }) => groupId === null).forEach((queueMessage) => app.fakeQueues.duplicate(queueMessage));
      await this.drain();
    }
  }

  async run(): Promise<void> {
    const { app } = this;
    await this.begin();
    this.weather = {
      fault: this.pick([0.005, 0.02, 0.05]) ?? 0,
      // 30 % of all requests, each made three times by the clients of the services.
      throttled: this.pick([0, 0, 0.3 ** 3, 0.1]) ?? 0,
      duplicate: this.pick([0, 0.2, 0.5]) ?? 0,
      lost: this.pick([0, 0.05]) ?? 0,
      refusal: this.pick([0, 0.3, 0.9]) ?? 0,
    };
    app.answer = () => (this.weather !== calm && this.chance(0.3) ? 500 : 204);
    const steps = 150 + this.below(250);
    for (let at = 0; at < steps && (await this.step()); at += 1) if (this.chance(0.03)) await this.interfere();
    await this.settle();
    await this.askAgain();
    const ids = [...this.direct].flatMap(([id, state]) => (state === 'there' ? [id] : []));
    const { begun, done } = this.upserts;
    await assertInvariants(app, { ids: new Set(ids), written: begun === done ? done : null });
  }

  /** Callers that received no result repeat their request. */
  private async askAgain(): Promise<void> {
    for (const upload of this.app.uploads.filter(({ deletion }) => deletion === 'asked')) this.delete(upload);
    await this.drain();
    for (const upload of this.app.uploads.filter(({ deletion }) => deletion === 'asked'))
      upload.deletion = (await this.app.job(upload.address)) === null ? 'done' : 'none';
    const unknown = [...this.direct].filter(([, state]) => state === 'unknown').map(([id]) => id);
    for (const id of unknown) {
      this.direct.set(id, 'there');
      this.remove(id);
    }
    await this.drain();
  }
}

const startMs = Date.UTC(2026, 0, 15);

/** Runs `act` at a time that is the same each time, with identifiers that a seed gives again: by them lists are in order. */
const repeatably = async (app: TestApp, seed: number, act: () => Promise<void>): Promise<void> => {
  const random = randomFrom(seed);
  const fill = (bytes: Uint8Array): Uint8Array => bytes.map(() => Math.floor(random() * 256));
  Object.assign(globalThis.crypto, {
    getRandomValues: (bytes: Uint8Array) => (bytes.set(fill(bytes)), bytes),
  });
  app.cloud.advance((startMs - app.fakeQueues.nowMs()) / 1000);
  try {
    await act();
  } finally {
    // What it stood in front of is a method of the prototype.
    Reflect.deleteProperty(globalThis.crypto, 'getRandomValues');
  }
};

/** What a sequence came to. */
export interface Simulated {
  readonly calls: number;
  readonly faults: number;
  readonly trace: readonly string[];
}

/** Plays the sequence of a seed and checks what must hold at its end. Throws with the seed and the sequence. */
export const simulate = async (app: TestApp, seed: number): Promise<Simulated> => {
  const simulation = new Simulation(app, seed);
  try {
    await repeatably(app, seed, async () => {
      await app.reset();
      await simulation.run();
    });
  } catch (error) {
    throw new Error(`seed ${seed}\n${simulation.trace.join('\n')}\nseed ${seed}`, { cause: error });
  }
  const { calls, faults, trace } = simulation;
  return { calls, faults, trace };
};
