import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { branchIndex } from '../../functions/indexes/branch.ts';
import { createIndex } from '../../functions/indexes/create.ts';
import { upsertVectors } from '../../functions/vectors/upsert.ts';
import { indexWriter } from '../../functions/workers/index-writer/worker.ts';
import { sweep } from '../../functions/workers/sweep/schedule.ts';
import { openTable } from '../../shared/db/table.ts';
import type { Endpoint } from '../../shared/http/endpoint.ts';
import type { Principal } from '../../shared/http/principal.ts';
import { indexesRead, type IndexRecord, toIndexRef } from '../../shared/indexes/index.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { newId } from '../../shared/kernel/ids.ts';
import { engineRead } from '../../shared/platform/engine/engine-read.ts';
import type { EngineReader, FoundRow, IndexRef } from '../../shared/platform/engine/port.ts';
import { usageRead } from '../../shared/usage/index.ts';
import { call, person } from './call.ts';
import { Cloud, type Fault } from './emulated-cloud.ts';

export interface Answer {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read answers as callers do
  readonly body: any;
}

type Path = Readonly<Record<string, string>>;

/** Endpoints of indexes and vectors with the writer behind them, in one process that can be made to die. */
export interface Desk {
  readonly cloud: Cloud;
  /** From here on all is in a new organization, which has the whole room of its plan. */
  readonly moveOut: () => void;
  /** Calls an endpoint while the writer works. */
  readonly call: (endpoint: Endpoint, path: Path, body?: unknown, idempotencyKey?: string) => Promise<Answer>;
  /** The writer works until all calls have ended. */
  readonly during: <Value>(work: Promise<Value>) => Promise<Value>;
  /** The writer works until nothing waits. */
  readonly work: () => Promise<void>;
  /** As after a restart: faults end, the writer works, and the sweeps look twice. */
  readonly settle: () => Promise<void>;
  /** Runs `act` until it dies at the fault; true where it got that far. */
  readonly dieAt: (fault: Fault, act: () => Promise<unknown>) => Promise<boolean>;
  readonly newIndex: (dimensions?: number) => Promise<string>;
  readonly newBranch: (parent: string) => Promise<string>;
  readonly upsert: (index: string, items: readonly object[]) => Promise<Answer>;
  readonly record: (index: string) => Promise<IndexRecord>;
  readonly rows: (index: string) => Promise<readonly FoundRow[]>;
  readonly engine: () => EngineReader;
  readonly ref: (index: string) => Promise<IndexRef>;
  /** Compares the figures of an index with what its tables hold. */
  readonly figures: (index: string) => Promise<{ readonly told: object; readonly counted: object }>;
  /** Vectors that the books of the organization say that it holds. */
  readonly storedVectors: () => Promise<number>;
  /** Events of a type about an index. */
  readonly events: (index: string, type: string) => Promise<number>;
  readonly close: () => Promise<void>;
}

/** Ids and versions of an index, in order. */
export const contentOf = (rows: readonly FoundRow[]): readonly string[] =>
  rows.map(({ id, version }) => `${id} ${version}`);

const readAll = async (engine: EngineReader, ref: IndexRef): Promise<readonly FoundRow[]> => {
  const rows: FoundRow[] = [];
  for (let after: string | null = null; ;) {
    const page = await engine.list(ref, { after, limit: 1_000 });
    rows.push(...page.rows);
    if (page.next === null) return rows;
    after = page.next;
  }
};

/** Starts a desk of its own. */
export const openDesk = async (): Promise<Desk> => {
  const directory = await mkdtemp(join(tmpdir(), 'strata-branches-'));
  const cloud = new Cloud(directory);
  await cloud.start();
  const { runtime } = cloud;
  const newOwner = (): Principal => person(newId('org', runtime.clock.now()), 'owner');
  let owner = newOwner();
  const engine = (): EngineReader => makeDeps({ engines: engineRead }, runtime).engines(owner.organizationId);
  const work = async (): Promise<void> => {
    for (let runs = 1, rounds = 0; runs > 0 && rounds < 5; rounds += 1) runs = await cloud.drain(indexWriter);
  };
  // One writer for all who wait, as the queue sees to it.
  const callers = new Set<Promise<unknown>>();
  let pump = Promise.resolve();
  const pumpOn = async (): Promise<void> => {
    while (callers.size > 0) await work();
  };
  const during: Desk['during'] = async (asked) => {
    callers.add(asked);
    const end = asked.finally(() => callers.delete(asked));
    if (callers.size === 1) pump = pump.catch(() => undefined).then(pumpOn);
    // Where the writer dies, the caller waits in vain and is not asked any more.
    const [ended] = await Promise.all([end, pump]);
    return ended;
  };
  const record: Desk['record'] = async (index) => {
    const found = await makeDeps({ indexes: indexesRead }, runtime).indexes.get(owner.organizationId, index);
    if (found === null) throw new Error(`${index} is gone`);
    return found;
  };
  const desk: Desk = {
    cloud,
    moveOut: () => {
      owner = newOwner();
    },
    call: (endpoint, path, body, idempotencyKey) =>
      during(
        call(runtime, endpoint, owner, { path, body, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) }),
      ),
    during,
    work,
    settle: async () => {
      cloud.faults.arm(null);
      await work();
      for (let sweeps = 0; sweeps < 2; sweeps += 1) {
        cloud.advance(300);
        await cloud.tick(sweep);
        await work();
      }
    },
    dieAt: (fault, act) =>
      cloud.dieAt(fault, async () => {
        await act().catch(() => undefined);
        // Whoever still waits for the writer dies with it, at the next look, and is not there when all works again.
        await Promise.allSettled(callers);
      }),
    newIndex: async (dimensions = 4) => {
      const asked = { name: 'main', dimensions, distance_metric: 'euclidean' };
      const { status, body } = await desk.call(createIndex, {}, asked);
      if (status !== 201) throw new Error(`no index was made: ${status} ${JSON.stringify(body)}`);
      await work();
      return body.id;
    },
    newBranch: async (parent) => (await desk.call(branchIndex, { index_id: parent }, { name: 'branch' })).body.id,
    upsert: (index, items) => desk.call(upsertVectors, { index_id: index }, items),
    record,
    rows: async (index) => readAll(engine(), toIndexRef(await record(index))),
    engine,
    ref: async (index) => toIndexRef(await record(index)),
    figures: async (index) => {
      const { state, dimensions } = await record(index);
      const rows = await desk.rows(index);
      const sparseBytes = rows.reduce((sum, { text }) => sum + Buffer.byteLength(text ?? ''), 0);
      return {
        told: { rows: state.rows, denseBytes: state.denseBytes, sparseBytes: state.sparseBytes },
        counted: { rows: rows.length, denseBytes: rows.length * dimensions * 4, sparseBytes },
      };
    },
    storedVectors: async () =>
      (await makeDeps({ usage: usageRead }, runtime).usage.stored(owner.organizationId)).vectors,
    events: async (index, type) => {
      let events = 0;
      for await (const item of openTable(runtime, 'events').all(`ORG#${owner.organizationId}`, { prefix: 'evt_' })) {
        if (item['event_type'] === type && item['index_id'] === index) events += 1;
      }
      return events;
    },
    close: async () => {
      await cloud.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
  return desk;
};
