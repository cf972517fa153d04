import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { branchIndex } from '../../functions/indexes/branch.ts';
import { createIndex } from '../../functions/indexes/create.ts';
import { upsertVectors } from '../../functions/vectors/upsert.ts';
import { indexDeleter } from '../../functions/workers/index-deleter/worker.ts';
import { indexWriterUses } from '../../functions/workers/index-writer/uses.ts';
import { indexWriter } from '../../functions/workers/index-writer/worker.ts';
import { sweep } from '../../functions/workers/sweep/schedule.ts';
import { openTable } from '../../shared/db/table.ts';
import type { Endpoint } from '../../shared/http/endpoint.ts';
import type { Principal } from '../../shared/http/principal.ts';
import { indexesRead, type IndexRecord, toIndexRef } from '../../shared/indexes/index.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { newId } from '../../shared/kernel/ids.ts';
import { engineRead, type EngineReader, type FoundRow, type IndexRef } from '#engine';
import type { Embedders } from '../../shared/platform/models/port.ts';
import { usageRead } from '../../shared/usage/index.ts';
import { call, person } from './call.ts';
import { Cloud, type Fault } from './emulated-cloud.ts';

export interface Answer {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read answers as callers do
  readonly body: any;
}

type Path = Readonly<Record<string, string>>;

/** Endpoints of indexes and vectors with the index writer, in one process that can crash at a chosen request. */
export interface TestApp {
  readonly cloud: Cloud;
  /** Switches to a new organization with the whole quota of its plan. */
  readonly useNewOrganization: () => void;
  /** Calls an endpoint while the writer runs. */
  readonly call: (endpoint: Endpoint, path: Path, body?: unknown, idempotencyKey?: string) => Promise<Answer>;
  /** Runs the writer until all calls have ended. */
  readonly runWriterDuring: <Value>(work: Promise<Value>) => Promise<Value>;
  /** Runs the writer until no message waits. */
  readonly work: () => Promise<void>;
  /** Recovers as after a restart: ends faults, runs the writer, and runs the sweep twice. */
  readonly recover: () => Promise<void>;
  /** Runs `act` until it crashes at the fault. Resolves to whether it reached the fault. */
  readonly dieAt: (fault: Fault, act: () => Promise<unknown>) => Promise<boolean>;
  /** @param more Further fields of its creation. */
  readonly newIndex: (dimensions?: number, more?: object) => Promise<string>;
  readonly newBranch: (parent: string) => Promise<string>;
  readonly upsert: (index: string, items: readonly object[]) => Promise<Answer>;
  readonly record: (index: string) => Promise<IndexRecord>;
  readonly rows: (index: string) => Promise<readonly FoundRow[]>;
  readonly engine: () => EngineReader;
  readonly ref: (index: string) => Promise<IndexRef>;
  /** Compares the figures of an index with what its tables hold. */
  readonly figures: (index: string) => Promise<{ readonly told: object; readonly counted: object }>;
  /** Stored vectors in the usage counters of the organization. */
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

/**
 * Starts an app with an emulated cloud of its own.
 * @param embedders Models of the writer, which embeds rows again after a rebuild. Default: those of the service.
 */
export const openTestApp = async (embedders?: Embedders): Promise<TestApp> => {
  const directory = await mkdtemp(join(tmpdir(), 'strata-branches-'));
  const cloud = new Cloud(directory);
  await cloud.start();
  const { runtime } = cloud;
  const newOwner = (): Principal => person(newId('org', runtime.clock.now()), 'owner');
  let owner = newOwner();
  const engine = (): EngineReader => makeDeps({ engines: engineRead }, runtime).engines(owner.organizationId);
  const work = async (): Promise<void> => {
    const deps = makeDeps(indexWriterUses, runtime);
    const writing = { ...deps, contents: { ...deps.contents, ...(embedders === undefined ? {} : { embedders }) } };
    for (let runs = 1, rounds = 0; runs > 0 && rounds < 5; rounds += 1)
      runs = (await cloud.drain(indexWriter, writing)) + (await cloud.drain(indexDeleter));
  };
  // One writer for all callers, as the queue ensures.
  const callers = new Set<Promise<unknown>>();
  let pump = Promise.resolve();
  const pumpOn = async (): Promise<void> => {
    while (callers.size > 0) await work();
  };
  const during: TestApp['runWriterDuring'] = async (asked) => {
    callers.add(asked);
    const end = asked.finally(() => callers.delete(asked));
    if (callers.size === 1) pump = pump.catch(() => undefined).then(pumpOn);
    // If the writer crashes, the caller receives no response and is dropped.
    const [ended] = await Promise.all([end, pump]);
    return ended;
  };
  const record: TestApp['record'] = async (index) => {
    const found = await makeDeps({ indexes: indexesRead }, runtime).indexes.get(owner.organizationId, index);
    if (found === null) throw new Error(`${index} is gone`);
    return found;
  };
  const app: TestApp = {
    cloud,
    useNewOrganization: () => {
      owner = newOwner();
    },
    call: (endpoint, path, body, idempotencyKey) =>
      during(
        call(runtime, endpoint, owner, { path, body, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) }),
      ),
    runWriterDuring: during,
    work,
    recover: async () => {
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
        // Callers that wait for the writer fail with it at their next poll, before the recovery.
        await Promise.allSettled(callers);
      }),
    newIndex: async (dimensions = 4, more = {}) => {
      const asked = { name: 'main', dimensions, distance_metric: 'euclidean', ...more };
      const { status, body } = await app.call(createIndex, {}, asked);
      if (status !== 201) throw new Error(`no index was made: ${status} ${JSON.stringify(body)}`);
      await work();
      return body.id;
    },
    newBranch: async (parent) => (await app.call(branchIndex, { index_id: parent }, { name: 'branch' })).body.id,
    upsert: (index, items) => app.call(upsertVectors, { index_id: index }, items),
    record,
    rows: async (index) => readAll(engine(), toIndexRef(await record(index))),
    engine,
    ref: async (index) => toIndexRef(await record(index)),
    figures: async (index) => {
      const { state, dimensions } = await record(index);
      const rows = await app.rows(index);
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
  return app;
};
