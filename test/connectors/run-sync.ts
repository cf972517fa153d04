import assert from 'node:assert/strict';
import { listConnectors } from '../../functions/connectors/list.ts';
import { sweepSyncs } from '../../functions/workers/sync/schedule.ts';
import { sync } from '../../functions/workers/sync/worker.ts';
import { makeDeps, type Runtime } from '../../shared/kernel/capability.ts';
import type { ImportsConfig } from '../../shared/kernel/config.ts';
import type { Content, Scenario } from './scenarios.ts';
import type { SyncFixture } from './sync-fixture.ts';

/** Where a source is. */
export type Place = Pick<Scenario, 'addresses'> & Partial<Scenario> & { readonly imports?: ImportsConfig };

/** The ports of a worker that reads the scenario. */
const syncDeps = (fixture: SyncFixture, scenario: Place) => {
  const runtime: Runtime = {
    ...fixture.cloud.runtime,
    config: {
      ...fixture.cloud.runtime.config,
      connectorAddresses: scenario.addresses,
      ...(scenario.imports === undefined ? {} : { imports: scenario.imports }),
      connectorCallbackUrl: 'https://strata.example.com/v1/connectors/callback',
    },
  };
  return { ...makeDeps(sync.uses, runtime), ...fixture.documentDeps() };
};

/** Lets due syncs run once, and what they store be processed. */
export const runDue = async (fixture: SyncFixture, scenario: Place): Promise<void> => {
  await fixture.cloud.tick(sweepSyncs);
  await fixture.cloud.drain(sync, syncDeps(fixture, scenario) as never, 50);
};

interface Overview {
  readonly id: string;
  readonly status: string;
  readonly error: string | null;
  readonly documents: number;
  readonly unread_items: number;
  readonly sync: { readonly items: number; readonly bytes: number } | null;
  readonly next_sync_at: string | null;
}

export const connectionOf = async (fixture: SyncFixture, id: string): Promise<Overview> => {
  const overview = await fixture.call(listConnectors, { index_id: fixture.indexId });
  const found = (overview['connectors'] as readonly Overview[]).find((connection) => connection.id === id);
  if (found === undefined) throw new Error('no such connection');
  return found;
};

/** Lets time pass until the connection has nothing to do. */
export const syncAll = async (fixture: SyncFixture, scenario: Place, id: string): Promise<void> => {
  for (let runs = 0; runs < 12; runs += 1) {
    await runDue(fixture, scenario);
    await fixture.work();
    if ((await connectionOf(fixture, id)).status !== 'syncing') return;
    fixture.cloud.advance(600);
  }
  throw new Error('the sync never ends');
};

/** Content of a connection in the index. */
export const indexed = async (fixture: SyncFixture, id: string): Promise<Content> => {
  const found: Record<string, string[]> = {};
  for (const { text, metadata } of await fixture.rows()) {
    if (metadata['connection_id'] !== id) continue;
    (found[metadata['document_id'] as string] ??= []).push(...(text?.match(/mark\d+x/g) ?? []));
  }
  return Object.fromEntries(Object.entries(found).map(([name, marks]) => [name, marks.toSorted()]));
};

const sorted = (content: Content) => Object.entries(content).toSorted(([a], [b]) => (a < b ? -1 : 1));

/** The index holds exactly what the source does. */
export const assertSynced = async (
  fixture: SyncFixture,
  scenario: Pick<Scenario, 'content'>,
  id: string,
  told: string,
): Promise<void> => {
  const texts = (content: Content) => sorted(content).map(([name, marks]) => [name, [...new Set(marks)]]);
  assert.deepEqual(texts(await indexed(fixture, id)), texts(scenario.content()), told);
};
