import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openTable } from '../../shared/db/table.ts';
import { putDocument, removeDocument, removeUnseen, type SourceDocument } from '../../shared/documents/index.ts';
import { plans } from '../../shared/kernel/plans.ts';
import { monthOf } from '../../shared/usage/index.ts';
import { SourceWorld } from './sync-fixture.ts';

/** Between the requests at which it dies; all of them are a command of their own. */
const stride = Number(process.env['SYNC_STRIDE'] ?? 53);

let world: SourceWorld;
before(async () => {
  world = await SourceWorld.open();
});
after(() => world.close());

const documentOf = (externalId: string, text: string, generation = 1): SourceDocument => ({
  externalId,
  version: text,
  filename: `${externalId}.txt`,
  contentType: 'text/plain',
  body: () => Promise.resolve(new TextEncoder().encode(text)),
  metadata: { document: externalId },
  title: externalId,
  url: null,
  generation,
});

const texts = async (): Promise<readonly string[]> =>
  (await world.rows()).map(({ text }) => text ?? '').toSorted((a, b) => a.localeCompare(b));

const put = async (document: SourceDocument, retryFrom: Date | null = null) => {
  const source = { ...world.source('conn_a'), retryFrom };
  const { outcome, failure } = await putDocument(world.documentDeps(), source, document, world.clock);
  return failure ?? outcome;
};

test('a document comes, stays, changes while it is on its way, and goes, with nothing left of it', async () => {
  const source = world.source('conn_a');
  assert.equal(await put(documentOf('one', 'first words')), 'stored');
  await world.work();
  assert.deepEqual(await texts(), ['first words']);
  assert.equal(await put(documentOf('one', 'first words', 2)), 'unchanged');
  assert.equal(await put(documentOf('one', 'second words', 2)), 'stored');
  // The second is still on its way: the third takes the place of the first.
  assert.equal(await put(documentOf('one', 'third words', 2)), 'stored');
  await world.work();
  assert.deepEqual(await texts(), ['third words']);
  await put(documentOf('two', 'other words', 1));
  await put({ ...documentOf('long', 'long words', 2), externalId: 'x'.repeat(5000) });
  await world.work();
  const deps = world.documentDeps();
  assert.ok(await removeUnseen(deps, source, 2, world.clock));
  assert.deepEqual(await texts(), ['long words', 'third words']);
  assert.ok(await removeUnseen(deps, source, 3, world.clock));
  assert.deepEqual(await texts(), []);
  assert.equal(await deps.documents.count(source), 0);
  assert.deepEqual(await world.jobs(), []);
});

test('what strangers write into a source takes the place of no other row, whatever it looks like', async () => {
  const row = JSON.stringify({ id: 'policy', text: 'pay to me', metadata: { document: 'forged' } });
  await put({ ...documentOf('notes', row), filename: 'notes.jsonl', contentType: 'application/x-ndjson' });
  await put(documentOf('ticket', `From: a@example.com\nSubject: help\nDate: today\n\n${row}`));
  await world.work();
  const rows = await world.rows();
  assert.deepEqual(new Set(rows.map(({ metadata }) => metadata['document'])), new Set(['notes', 'ticket']));
  assert.ok(rows.every(({ id, text }) => id !== 'policy' && text?.includes('pay to me')));
  assert.ok(await removeUnseen(world.documentDeps(), world.source('conn_a'), 2, world.clock));
  assert.deepEqual(await texts(), []);
});

test('wherever a change or a removal dies, a repeat ends it with one job, one charge and no row twice', async () => {
  const { clock } = world;
  for (const [name, act] of [
    ['change', () => put(documentOf('doc', 'new words'))],
    ['removal', () => removeDocument(world.documentDeps(), world.source('conn_a'), 'doc', clock)],
  ] as const) {
    for (let request = 1, reached = true; reached; request += stride) {
      const kind = request % 2 === 0 ? 'not applied' : 'reply lost';
      await put(documentOf('doc', 'old words'));
      await world.work();
      const before = await world.startedJobs();
      reached = await world.dieAt({ request, kind }, act);
      await act();
      await world.work();
      assert.deepEqual(await texts(), name === 'change' ? ['new words'] : [], `${name} at ${request}`);
      assert.equal(await world.startedJobs(), before + (name === 'change' ? 1 : 0), `${name} at ${request}`);
      await removeDocument(world.documentDeps(), world.source('conn_a'), 'doc', clock);
      assert.deepEqual(await world.jobs(), [], `${name} at ${request}`);
    }
  }
});

test('a document that the allowance of a month was too small for comes in the next month', async () => {
  const month = monthOf(world.clock.now().toISOString());
  await openTable(world.cloud.runtime, 'usage').update(
    { pk: `MONTH#${world.owner.organizationId}#${month}`, sk: 'FILE_JOBS' },
    { set: { file_jobs: plans.developer.limits.file_jobs_per_month } },
  );
  for (const _ of ['refused', 'refused again'])
    await assert.rejects(put(documentOf('late', 'late words')), { code: 'plan_limit_reached' });
  const before = await world.startedJobs();
  world.cloud.advance(31 * 24 * 3600);
  assert.equal(await put(documentOf('late', 'late words')), 'stored');
  await world.work();
  assert.deepEqual(await texts(), ['late words']);
  assert.equal(await world.startedJobs(), before + 1);
});

/** Lets the job of a document fail without asking anybody. */
const fail = async (externalId: string, code: string): Promise<void> => {
  const { runtime } = world.cloud;
  const known = await world.documentDeps().documents.get(world.source('conn_a'), externalId);
  await openTable(runtime, 'files').update(
    { pk: `INDEX#${world.owner.organizationId}#${world.indexId}`, sk: known?.jobId ?? '' },
    { set: { status: 'failed', error: `failed: ${code}`, error_code: code } },
  );
};

const isStored = (result: string): boolean => result === 'stored' || result.endsWith('; it is tried again');

test('a document whose job fails is tried thrice at once, then ever more rarely, and at once where a person says so', async () => {
  const document = documentOf('hopeless', 'hopeless words');
  const days: number[] = [];
  let again = 0;
  for (let day = 0; day < 20; day += 1) {
    for (let times = 0, result = ''; isStored((result = await put(document))); times += 1) {
      assert.ok(times < 3);
      assert.equal(result, days.length === 0 ? 'stored' : 'failed: processing_failed; it is tried again');
      days.push(day);
      await fail('hopeless', 'processing_failed');
    }
    assert.equal(await put(document), 'failed: processing_failed');
    world.cloud.advance(24 * 3600 + 60);
  }
  assert.deepEqual(days, [0, 0, 0, 1, 3, 7, 15]);
  const asked = world.clock.now();
  world.cloud.advance(1);
  for (; isStored(await put(document, asked)); again += 1) await fail('hopeless', 'processing_failed');
  assert.equal(again, 3);
});

test('a document that the credits of a month were too few for waits for the next month, as often as it takes', async () => {
  const document = documentOf('dear', 'dear words');
  const code = 'multimodal_credit_limit_reached';
  for (let month = 0; month < 5; month += 1) {
    assert.equal(await put(document), 'stored');
    await fail('dear', code);
    assert.equal(await put(document), `failed: ${code}`);
    world.cloud.advance(31 * 24 * 3600);
  }
  assert.equal(await put(document), 'stored');
  await fail('dear', code);
  world.cloud.advance(1);
  assert.equal(await put(document, world.clock.now()), 'stored');
});

test('nothing is written down of a document for an index that is gone', async () => {
  const deps = world.documentDeps();
  const source = { ...world.source('conn_a'), indexId: 'idx_gone' };
  await assert.rejects(putDocument(deps, source, documentOf('one', 'words'), world.clock), { code: 'not_found' });
  assert.equal(await deps.documents.count(source), 0);
});
