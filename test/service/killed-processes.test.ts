import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { call } from './support/organization.ts';
import { startProcess } from './support/process.ts';

/** Rounds in each of which every process is killed once; `STRATA_KILL_ROUNDS=20` for more. */
const rounds = Number(process.env['STRATA_KILL_ROUNDS'] ?? 2);

test('no acknowledged row is lost if the service and each of its processes are killed while clients write', async (t) => {
  const data = join(temporaryDirectory(), 'data');
  let service = await startProcess(data);
  t.after(() => service.kill());
  const { body: index } = await call(service.key, 'POST', '/v1/indexes', { name: 'killed', dimensions: 2 });
  const path = `/v1/indexes/${index.id}`;
  const acknowledged: string[] = [];
  const state = { isWriting: true };
  const write = async (writer: number): Promise<void> => {
    for (let at = 0; state.isWriting; at += 1) {
      const id = `${writer}-${at}`;
      const row = [{ id, vector: [1, at], text: `row ${at}` }];
      // A refused or unanswered row may be there or not.
      const status = await call(service.key, 'POST', `${path}/vectors`, row).then(
        (response) => response.status,
        () => 0,
      );
      if (status === 200) acknowledged.push(id);
      else await delay(50);
    }
  };
  const writers = [0, 1, 2].map(write);
  const moreThan = async (count: number): Promise<void> => {
    while (acknowledged.length <= count) await delay(20);
  };
  const processes = async (): Promise<ReadonlySet<number>> => {
    const { body } = await call({ baseUrl: service.baseUrl, bearer: null }, 'GET', '/_local/health');
    return new Set(body.processes.map(({ pid }: { readonly pid: number }) => pid));
  };
  await moreThan(5);
  let killed = 0;
  for (let round = 0; round < rounds; round += 1) {
    for (const pid of await processes()) {
      process.kill(pid, 'SIGKILL');
      killed += 1;
      await moreThan(acknowledged.length + 2);
    }
    await service.kill();
    service = await startProcess(data);
    await moreThan(acknowledged.length + 2);
  }
  state.isWriting = false;
  await Promise.all(writers);
  assert.ok(killed >= 2 * rounds, String(killed));
  for (let from = 0; from < acknowledged.length; from += 500) {
    const ids = acknowledged.slice(from, from + 500);
    const { body: found } = await call(service.key, 'POST', `${path}/vectors/fetch`, { ids });
    assert.deepEqual(
      ids.filter((id) => !found.vectors.some((row: { readonly id: string }) => row.id === id)),
      [],
    );
  }
});
