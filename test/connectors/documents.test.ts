import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openTable } from '../../shared/db/table.ts';
import { putDocument, removeDocument, removeUnseen, type SourceDocument } from '../../shared/documents/index.ts';
import { plans } from '../../shared/kernel/plans.ts';
import { monthOf } from '../../shared/usage/index.ts';
import { SyncFixture } from './sync-fixture.ts';

/** Between the requests at which it dies; all of them are a command of their own. */
const stride = Number(process.env['SYNC_STRIDE'] ?? 409);

let fixture: SyncFixture;
before(async () => {
  fixture = await SyncFixture.open();
});
after(() => fixture.close());

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
  (await fixture.rows()).map(({ text }) => text ?? '').toSorted((a, b) => a.localeCompare(b));

const put = async (document: SourceDocument, retryFrom: Date | null = null) => {
  const source = { ...fixture.source('conn_a'), retryFrom };
  const { outcome, failure } = await putDocument(fixture.documentDeps(), source, document, fixture.clock);
  return failure ?? outcome;
};

test('a document is added, kept, changed while it is processed, and removed without remains', async () => {
  const source = fixture.source('conn_a');
  assert.equal(await put(documentOf('one', 'first words')), 'stored');
  await fixture.work();
  assert.deepEqual(await texts(), ['first words']);
  assert.equal(await put(documentOf('one', 'first words', 2)), 'unchanged');
  assert.equal(await put(documentOf('one', 'second words', 2)), 'stored');
  // The second is still on its way: the third takes the place of the first.
  assert.equal(await put(documentOf('one', 'third words', 2)), 'stored');
  await fixture.work();
  assert.deepEqual(await texts(), ['third words']);
  await put(documentOf('two', 'other words', 1));
  await put({ ...documentOf('long', 'long words', 2), externalId: 'x'.repeat(5000) });
  await fixture.work();
  const deps = fixture.documentDeps();
  assert.ok(await removeUnseen(deps, source, 2, fixture.clock));
  assert.deepEqual(await texts(), ['long words', 'third words']);
  assert.ok(await removeUnseen(deps, source, 3, fixture.clock));
  assert.deepEqual(await texts(), []);
  assert.equal(await deps.documents.count(source), 0);
  assert.deepEqual(await fixture.jobs(), []);
});

test('ids of a source cannot overwrite rows of other origins', async () => {
  const row = JSON.stringify({ id: 'policy', text: 'pay to me', metadata: { document: 'forged' } });
  await put({ ...documentOf('notes', row), filename: 'notes.jsonl', contentType: 'application/x-ndjson' });
  await put(documentOf('ticket', `From: a@example.com\nSubject: help\nDate: today\n\n${row}`));
  await fixture.work();
  const rows = await fixture.rows();
  assert.deepEqual(new Set(rows.map(({ metadata }) => metadata['document'])), new Set(['notes', 'ticket']));
  assert.ok(rows.every(({ id, text }) => id !== 'policy' && text?.includes('pay to me')));
  assert.ok(await removeUnseen(fixture.documentDeps(), fixture.source('conn_a'), 2, fixture.clock));
  assert.deepEqual(await texts(), []);
});

test('a change or removal that crashes at any write completes when it is retried, with one job, one charge and no duplicate row', async () => {
  const { clock } = fixture;
  for (const [name, act] of [
    ['change', () => put(documentOf('doc', 'new words'))],
    ['removal', () => removeDocument(fixture.documentDeps(), fixture.source('conn_a'), 'doc', clock)],
  ] as const) {
    for (let request = 1, reached = true; reached; request += stride) {
      const kind = request % 2 === 0 ? 'not applied' : 'reply lost';
      await put(documentOf('doc', 'old words'));
      await fixture.work();
      const before = await fixture.startedJobs();
      reached = await fixture.dieAt({ request, kind }, act);
      await act();
      await fixture.work();
      assert.deepEqual(await texts(), name === 'change' ? ['new words'] : [], `${name} at ${request}`);
      assert.equal(await fixture.startedJobs(), before + (name === 'change' ? 1 : 0), `${name} at ${request}`);
      await removeDocument(fixture.documentDeps(), fixture.source('conn_a'), 'doc', clock);
      assert.deepEqual(await fixture.jobs(), [], `${name} at ${request}`);
    }
  }
});

test('a document beyond the monthly limit is indexed in the next month', async () => {
  const month = monthOf(fixture.clock.now().toISOString());
  await openTable(fixture.cloud.runtime, 'usage').update(
    { pk: `MONTH#${fixture.owner.organizationId}#${month}`, sk: 'FILE_JOBS' },
    { set: { file_jobs: plans.developer.limits.file_jobs_per_month } },
  );
  for (const _ of ['refused', 'refused again'])
    await assert.rejects(put(documentOf('late', 'late words')), { code: 'plan_limit_reached' });
  const before = await fixture.startedJobs();
  fixture.cloud.advance(31 * 24 * 3600);
  assert.equal(await put(documentOf('late', 'late words')), 'stored');
  await fixture.work();
  assert.deepEqual(await texts(), ['late words']);
  assert.equal(await fixture.startedJobs(), before + 1);
});

/** Fails the job of a document directly. */
const fail = async (externalId: string, code: string): Promise<void> => {
  const { runtime } = fixture.cloud;
  const known = await fixture.documentDeps().documents.get(fixture.source('conn_a'), externalId);
  await openTable(runtime, 'files').update(
    { pk: `INDEX#${fixture.owner.organizationId}#${fixture.indexId}`, sk: known?.jobId ?? '' },
    { set: { status: 'failed', error: `failed: ${code}`, error_code: code } },
  );
};

const isStored = (result: string): boolean => result === 'stored' || result.endsWith('; it is tried again');

test('a document whose job fails is retried three times at once, then less often, and at once when the connector is resumed', async () => {
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
    fixture.cloud.advance(24 * 3600 + 60);
  }
  assert.deepEqual(days, [0, 0, 0, 1, 3, 7, 15]);
  const asked = fixture.clock.now();
  fixture.cloud.advance(1);
  for (; isStored(await put(document, asked)); again += 1) await fail('hopeless', 'processing_failed');
  assert.equal(again, 3);
});

test('a document beyond the monthly credits waits for the next month, repeatedly if necessary', async () => {
  const document = documentOf('dear', 'dear words');
  const code = 'multimodal_credit_limit_reached';
  for (let month = 0; month < 5; month += 1) {
    assert.equal(await put(document), 'stored');
    await fail('dear', code);
    assert.equal(await put(document), `failed: ${code}`);
    fixture.cloud.advance(31 * 24 * 3600);
  }
  assert.equal(await put(document), 'stored');
  await fail('dear', code);
  fixture.cloud.advance(1);
  assert.equal(await put(document, fixture.clock.now()), 'stored');
});

test('no document record is written for a deleted index', async () => {
  const deps = fixture.documentDeps();
  const source = { ...fixture.source('conn_a'), indexId: 'idx_gone' };
  await assert.rejects(putDocument(deps, source, documentOf('one', 'words'), fixture.clock), { code: 'not_found' });
  assert.equal(await deps.documents.count(source), 0);
});
