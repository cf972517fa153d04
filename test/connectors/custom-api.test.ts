import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noScope } from '../../shared/connectors/scope.ts';
import type { JsonObject } from '../../shared/kernel/json.ts';
import { customApiSource } from '../../shared/platform/connectors/custom-api.ts';
import type { StepInput } from '../../shared/platform/connectors/port.ts';
import { openPublicGet } from '../../shared/platform/connectors/public-http.ts';
import { FakeApi } from './fake-api.ts';

const now = new Date('2026-06-15T12:00:00Z');

test('where a list goes on is kept without what the caller gave, and a place that has expired is given up', async (context) => {
  const api = new FakeApi(2);
  await api.server.start();
  context.after(() => api.server.stop());
  for (const id of ['a', 'b', 'c', 'd', 'e']) api.items.set(id, { title: id, text: id, version: 1, isFile: false });
  const source = customApiSource(openPublicGet(true));
  const described = api.description(false);
  const item = { file_url: null, ...described.item };
  const input = (state: JsonObject | null): StepInput => ({
    scope: noScope,
    credentials: { ...described, item, list: { method: 'GET', ...described.list } },
    state,
    now,
    known: () => Promise.resolve([]),
  });
  const ids: string[] = [];
  let state: JsonObject | null = null;
  let kept: JsonObject | null = null;
  for (let done = false; !done;) {
    const step = await source.step(input(state));
    ids.push(...step.changes.flatMap((change) => (change.kind === 'upsert' ? [change.item.externalId] : [])));
    ({ state, done } = step);
    kept ??= state;
    // A value of the query may be a key, and a state is not sealed.
    assert.doesNotMatch(JSON.stringify(state), /published|secret/);
  }
  assert.deepEqual(ids, ['a', 'b', 'c', 'd', 'e']);
  for (const status of [400, 404, 410]) {
    api.server.trouble.push({ status, body: {} });
    await assert.rejects(source.step(input(kept)), { kind: 'refused', forgetsPlace: true, message: /Resume/ });
    api.server.trouble.push({ status, body: {} });
    await assert.rejects(source.step(input(null)), { kind: 'refused', forgetsPlace: false, message: /check/ });
  }
  api.server.trouble.push({ status: 401, body: {} });
  await assert.rejects(source.step(input(kept)), { kind: 'token_expired', forgetsPlace: false });
});
