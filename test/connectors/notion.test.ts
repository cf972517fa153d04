import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../shared/kernel/json.ts';
import { notionSource } from '../../shared/platform/connectors/notion.ts';
import type { StepInput } from '../../shared/platform/connectors/port.ts';
import { FakeNotion } from './fake-notion.ts';

const waitingIn = (state: JsonObject | null): number => ((state?.['waiting'] ?? []) as readonly unknown[]).length;

test('a page with more pages in it than a record holds is read as far as they fit, and tells of the rest', async (context) => {
  const notion = new FakeNotion(5_000);
  await notion.server.start();
  context.after(() => notion.server.stop());
  const editedAt = '2026-01-01T00:00:00.000Z';
  const titled = { title: 'x'.repeat(200), text: 'text', editedAt };
  notion.pages.set('root', { ...titled, id: 'root', parent: null });
  const children = 2_000;
  for (let child = 0; child < children; child += 1) {
    const id = String(child).padStart(32, '0');
    notion.pages.set(id, { ...titled, id, parent: 'root' });
  }
  const input: StepInput = {
    scope: {
      folders: [],
      files: [],
      folder_labels: {},
      notion_pages: ['root'],
      notion_data_sources: [],
      notion_labels: {},
      gmail_after: null,
      calendar_after: null,
      slack_channels: [],
    },
    credentials: { token: notion.token },
    state: null,
    now: new Date(editedAt),
    known: () => Promise.resolve([]),
  };
  const source = notionSource(notion.server.url);
  const { changes, state } = await source.step(input);
  const waiting = waitingIn(state);
  assert.ok(waiting > 500 && JSON.stringify(state).length < 257 * 1024);
  const [page, failed] = changes;
  assert.equal(page?.kind, 'upsert');
  assert.ok(failed?.kind === 'failed');
  const message = `The page root holds ${children - waiting} pages more than can be read: move them into a database`;
  assert.deepEqual(failed, { kind: 'failed', externalId: null, message, passing: false });
  const next = await source.step({ ...input, state });
  assert.equal(waitingIn(next.state), waiting - 1);
});
