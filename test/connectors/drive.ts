import assert from 'node:assert/strict';
import { listConnectors } from '../../functions/connectors/list.ts';
import { sweepSyncs } from '../../functions/workers/sync/schedule.ts';
import { sync } from '../../functions/workers/sync/worker.ts';
import { makeDeps, type Runtime } from '../../shared/kernel/capability.ts';
import type { Content, Scenario } from './scenarios.ts';
import type { SourceWorld } from './sync-fixture.ts';

/** The ports of a worker that reads the scenario. */
const syncDeps = (world: SourceWorld, scenario: Scenario) => {
  const runtime: Runtime = {
    ...world.cloud.runtime,
    config: {
      ...world.cloud.runtime.config,
      connectorAddresses: scenario.addresses,
      connectorCallbackUrl: 'https://strata.example.com/v1/connectors/callback',
    },
  };
  return { ...makeDeps(sync.uses, runtime), ...world.documentDeps() };
};

/** Lets due syncs run once, and what they store be processed. */
export const runDue = async (world: SourceWorld, scenario: Scenario): Promise<void> => {
  await world.cloud.tick(sweepSyncs);
  await world.cloud.drain(sync, syncDeps(world, scenario) as never, 50);
};

interface Overview {
  readonly id: string;
  readonly status: string;
  readonly error: string | null;
  readonly documents: number;
}

export const connectionOf = async (world: SourceWorld, id: string): Promise<Overview> => {
  const overview = await world.call(listConnectors, { index_id: world.indexId });
  const found = (overview['connectors'] as readonly Overview[]).find((connection) => connection.id === id);
  if (found === undefined) throw new Error('no such connection');
  return found;
};

/** Lets time pass until the connection has nothing to do. */
export const syncAll = async (world: SourceWorld, scenario: Scenario, id: string): Promise<void> => {
  for (let runs = 0; runs < 12; runs += 1) {
    await runDue(world, scenario);
    await world.work();
    if ((await connectionOf(world, id)).status !== 'syncing') return;
    world.cloud.advance(600);
  }
  throw new Error('the sync never ends');
};

/** What the index holds of a connection. */
export const indexed = async (world: SourceWorld, id: string): Promise<Content> => {
  const found: Record<string, string[]> = {};
  for (const { text, metadata } of await world.rows()) {
    if (metadata['connection_id'] !== id) continue;
    (found[metadata['document_id'] as string] ??= []).push(...(text?.match(/mark\d+x/g) ?? []));
  }
  return Object.fromEntries(Object.entries(found).map(([name, marks]) => [name, marks.toSorted()]));
};

const sorted = (content: Content) => Object.entries(content).toSorted(([a], [b]) => (a < b ? -1 : 1));

/** The index holds exactly what the source does. */
export const assertInStep = async (world: SourceWorld, scenario: Scenario, id: string, told: string): Promise<void> => {
  const texts = (content: Content) => sorted(content).map(([name, marks]) => [name, [...new Set(marks)]]);
  assert.deepEqual(texts(await indexed(world, id)), texts(scenario.content()), told);
};
