import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { randomFrom } from '../support/random.ts';
import { startService } from '../support/shared-service.ts';
import { makePdf } from '../support/make-pdf.ts';
import { allVectors, finished, upload } from './support/files.ts';
import { type ApiAnswer, call, type Caller, newOrganization } from './support/organization.ts';
import { eventually } from '../support/eventually.ts';

const { baseUrl } = await startService();

const clients = 8;
/** As many as the whole run of the tests can afford. */
const operations = Number(process.env['OPERATIONS'] ?? 50);
const seed = 20261121;

const newIndex = async (key: Caller, name: string): Promise<string> =>
  (await call(key, 'POST', '/v1/indexes', { name, dimensions: 8 })).body.id;

const processingOf = async (key: Caller, index: string, job: string): Promise<ApiAnswer['body']> =>
  (await call(key, 'GET', `/v1/indexes/${index}/files/${job}/processing`)).body;

/** What the answers of a client add up to. */
class Tally {
  written = 0;
  deleted = 0;
  fileJobs = 0;
  invocations = 0;
  tokens = 0;
  readonly searches = { dense: 0, sparse: 0, hybrid: 0 };

  add(detail: ApiAnswer['body']): void {
    this.invocations += detail.job.serverless_invocations;
    for (const task of detail.tasks) this.tokens += task.embedding_tokens;
    this.written += detail.job.vectors_written;
  }
}

const checked = async (answer: Promise<ApiAnswer>, status: number): Promise<ApiAnswer['body']> => {
  const { status: own, body } = await answer;
  assert.equal(own, status, JSON.stringify(body));
  return body;
};

test(
  `usage equals what ${operations} mixed operations of ${clients} clients add up to, with repeats`,
  { timeout: 300_000 },
  async (t) => {
    t.diagnostic(`seed ${seed}`);
    const { key, session } = await newOrganization(baseUrl);
    const indexes = [await newIndex(key, 'kept'), await newIndex(key, 'also kept'), await newIndex(key, 'deleted')];
    const tally = new Tally();
    const random = randomFrom(seed);
    const vector = (): number[] => Array.from({ length: 8 }, () => random() + 0.01);
    const ids = (count: number): string[] => [
      ...new Set(Array.from({ length: count }, () => `v${Math.floor(random() * 200)}`)),
    ];
    const operation = async (): Promise<void> => {
      const index = indexes[Math.floor(random() * indexes.length)] ?? '';
      const kind = random();
      if (kind < 0.45) {
        const items = ids(5).map((id) => ({ id, vector: vector(), text: `note ${id}`, metadata: { id } }));
        const { upserted } = await checked(call(key, 'POST', `/v1/indexes/${index}/vectors`, items), 200);
        tally.written += upserted;
      } else if (kind < 0.6) {
        const body = random() < 0.5 ? { ids: ids(4) } : { filter: { id: { $in: ids(3) } } };
        const { deleted } = await checked(call(key, 'POST', `/v1/indexes/${index}/vectors/delete`, body), 200);
        tally.deleted += deleted;
      } else if (kind < 0.97) {
        const mode = (['dense', 'sparse', 'hybrid'] as const)[Math.floor(random() * 3)] ?? 'dense';
        const body = {
          ...(mode === 'sparse' ? {} : { vector: vector() }),
          ...(mode === 'dense' ? {} : { text: 'note' }),
        };
        await checked(call(key, 'POST', `/v1/indexes/${index}/search/${mode}`, body), 200);
        tally.searches[mode] += 1;
      } else {
        // Asked for three times under one key: one job.
        const headers = { 'idempotency-key': randomUUID() };
        const body = { filename: 'never.txt', content_type: 'text/plain' };
        const made = await Promise.all(
          [1, 2, 3].map(() => checked(call(key, 'POST', `/v1/indexes/${index}/files`, body, headers), 201)),
        );
        assert.equal(new Set(made.map(({ id }) => id)).size, 1);
        tally.fileJobs += 1;
      }
    };
    let left = operations;
    const client = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        await operation();
      }
    };
    await Promise.all(Array.from({ length: clients }, client));

    const [index = '', , doomed = ''] = indexes;
    const write = async (name: string, text: string): Promise<string> => {
      tally.fileJobs += 1;
      return upload(key, index, name, 'text/plain', Buffer.from(text));
    };
    const [keptText, brokenText] = ['A lighthouse keeper counts ships.', '%PDF-1.7 nothing of the kind'];
    const kept = await write('kept.txt', keptText);
    const gone = await write('gone.txt', 'A gardener counts beetles.');
    const broken = await write('broken.pdf', brokenText);
    for (const job of [kept, gone, broken]) await finished(key, index, job);
    for (const job of [kept, gone, broken]) tally.add(await processingOf(key, index, job));
    const rowsOfGone = (await processingOf(key, index, gone)).job.vectors_written;
    await checked(call(key, 'DELETE', `/v1/indexes/${index}/files/${gone}`), 204);
    tally.deleted += rowsOfGone;
    await checked(call(key, 'DELETE', `/v1/indexes/${doomed}`), 204);

    const usage = await eventually(
      async () => (await call(session, 'GET', '/v1/organization/usage')).body,
      ({ serverless_invocations, indexes: count }) => serverless_invocations === tally.invocations && count === 2,
    );
    const stored = (await Promise.all([index, indexes[1] ?? ''].map((id) => allVectors(key, id)))).flat().length;
    const { period_start, period_end, original_bytes, dense_bytes, sparse_bytes, estimated_cost_usd, ...figures } =
      usage;
    assert.deepEqual(figures, {
      indexes: 2,
      vectors_stored: stored,
      vectors_written: tally.written,
      vectors_deleted: tally.deleted,
      searches: tally.searches,
      file_jobs: tally.fileJobs,
      pages: 0,
      ocr_credits: 0,
      audio_credits: 0,
      audio_seconds: 0,
      crawl_pages: 0,
      embedding_tokens: tally.tokens,
      rerank_units: 0,
      serverless_invocations: tally.invocations,
    });
    assert.equal(dense_bytes, stored * 8 * 4);
    // The text that was read is stored twice, as Markdown and plain, and its sections, which are compressed.
    const sectionsBytes = original_bytes - keptText.length * 3 - brokenText.length;
    assert.ok(sectionsBytes > keptText.length && sectionsBytes < keptText.length * 8, `${sectionsBytes} bytes`);
    assert.ok(sparse_bytes > 0 && estimated_cost_usd >= 0);
    assert.ok(period_start < new Date().toISOString() && new Date().toISOString() < period_end);

    const stats = await checked(call(key, 'GET', `/v1/indexes/${index}/stats`), 200);
    const rows = (await allVectors(key, index)).length;
    assert.deepEqual([stats.vectors, stats.documents, stats.status], [rows, 1, 'ready']);
    const history = await checked(call(key, 'GET', `/v1/indexes/${index}/stats/history?days=7`), 200);
    assert.deepEqual([history.length, history.at(-1).vectors, history[0].vectors], [7, rows, 0]);
    const byIndex = await Promise.all(
      indexes.slice(0, 2).map(async (id) => (await call(key, 'GET', `/v1/indexes/${id}/stats/history`)).body),
    );
    // Midnight may have passed meanwhile.
    for (const figure of ['vectors_written', 'searches'])
      assert.ok(byIndex.every((days) => days.some((day: Readonly<Record<string, number>>) => (day[figure] ?? 0) > 0)));
  },
);

test('a replacement takes effect completely or not at all, and cancelled and deleted jobs leave no row', async () => {
  const { key, session } = await newOrganization(baseUrl);
  const index = await newIndex(key, 'replaced');
  const old = await upload(key, index, 'tide.txt', 'text/plain', Buffer.from('The tide table of spring.'));
  assert.equal((await finished(key, index, old)).status, 'completed');
  const replace = async (contentType: string, bytes: Uint8Array): Promise<string> => {
    const body = { filename: 'tide', content_type: contentType };
    const started = await checked(call(key, 'POST', `/v1/indexes/${index}/files/${old}/replace`, body), 201);
    assert.equal(started.replaces_job_id, old);
    const put = await fetch(started.upload_url, {
      method: 'PUT',
      headers: started.upload_headers,
      body: Buffer.from(bytes),
    });
    assert.equal(put.status, 200);
    return started.id;
  };
  const texts = async (): Promise<string[]> => (await allVectors(key, index)).map(({ text }) => text);

  const failing = await replace('application/pdf', Buffer.from('%PDF-1.7 nothing of the kind'));
  assert.equal((await finished(key, index, failing)).status, 'failed');
  assert.deepEqual(await texts(), ['The tide table of spring.']);

  const pages = Array.from({ length: 60 }, (_, at) => `Autumn tide number ${at} is high at noon.`);
  const long = await makePdf(pages);
  const next = await replace('application/pdf', long);
  const seen = new Set<string>();
  const job = await eventually(
    async () => {
      const rows = await texts();
      seen.add(rows.every((text) => text.includes('spring')) ? 'old' : 'new');
      assert.ok(new Set(rows.map((text) => text.includes('spring'))).size === 1, 'old and new rows at the same time');
      return (await call(key, 'GET', `/v1/indexes/${index}/files/${next}`)).body;
    },
    ({ status }) => status === 'completed',
    240,
  );
  assert.ok(seen.has('old') && job.tasks_total > 1);
  const rows = await texts();
  assert.equal(rows.length, job.vectors_written);
  assert.ok(rows.every((text) => text.includes('Autumn')));
  const { path } = (await processingOf(key, index, next)).processing;
  const write = path.find(({ phase }: { readonly phase: string }) => phase === 'index.write');
  assert.equal(write.attributes.batches, job.tasks_total);
  assert.ok(write.duration_ms > 0, 'the commit of all rows takes its time');
  const superseded = (await call(key, 'GET', `/v1/indexes/${index}/files/${old}`)).body;
  assert.deepEqual([superseded.status, superseded.replaced_by_job_id], ['superseded', next]);
  const again = await call(key, 'POST', `/v1/indexes/${index}/files/${old}/replace`, {
    filename: 'b.txt',
    content_type: 'text/plain',
  });
  assert.deepEqual([again.status, again.body.code], [409, 'conflict']);

  const cancelled = await upload(
    key,
    index,
    'cancelled.pdf',
    'application/pdf',
    await makePdf([...pages, ...pages, ...pages]),
  );
  await eventually(
    () => call(key, 'GET', `/v1/indexes/${index}/files/${cancelled}`),
    ({ body }) => body.status === 'processing',
  );
  const stop = (): Promise<ApiAnswer> => call(key, 'POST', `/v1/indexes/${index}/files/${cancelled}/cancel`);
  assert.equal((await checked(stop(), 200)).status, 'cancelled');
  assert.equal((await checked(stop(), 200)).status, 'cancelled');
  assert.equal((await call(key, 'POST', `/v1/indexes/${index}/files/${next}/cancel`)).status, 409);
  await checked(call(key, 'DELETE', `/v1/indexes/${index}/files/${next}`), 204);
  assert.equal((await call(key, 'GET', `/v1/indexes/${index}/files/${next}`)).status, 404);
  await eventually(texts, (left) => left.length === 0);
  const { events } = (await call(session, 'GET', '/v1/organization/webhooks/events?limit=100')).body;
  const ofCancelled = events.filter(({ job_id }: { job_id: string }) => job_id === cancelled);
  assert.deepEqual(
    ofCancelled.map(({ event_type }: { event_type: string }) => event_type),
    ['file.processing.started'],
  );
});

test('a file is found by name and state, downloaded as it was uploaded, and processed again in place of its old rows', async () => {
  const { key } = await newOrganization(baseUrl);
  const index = await newIndex(key, 'again');
  const files = `/v1/indexes/${index}/files`;
  const bytes = Buffer.from('The tide table of spring.');
  const job = await upload(key, index, 'Tide “1” cafe\u0301.txt', 'text/plain', bytes);
  const broken = await upload(key, index, 'broken.pdf', 'application/pdf', Buffer.from('%PDF-1.7 nothing of the kind'));
  for (const id of [job, broken]) await finished(key, index, id);
  const listed = async (query: string): Promise<readonly string[]> => {
    const found: string[] = [];
    let cursor = '';
    do {
      const answer = await call(key, 'GET', `${files}?limit=1&${query}${cursor}`);
      assert.equal(answer.status, 200);
      found.push(...answer.body.map(({ id }: { readonly id: string }) => id));
      const next = answer.headers.get('x-next-cursor');
      cursor = next === null ? '' : `&cursor=${next}`;
    } while (cursor !== '');
    return found;
  };
  assert.deepEqual(await listed('q=tIDE'), [job]);
  for (const accent of ['%C3%A9', 'e%CC%81', '%C3%89']) assert.deepEqual(await listed(`q=caf${accent}`), [job]);
  assert.deepEqual(await listed('status=failed,cancelled'), [broken]);
  assert.deepEqual(await listed('source=upload'), [broken, job]);
  assert.deepEqual(await listed('source=crawl'), []);
  assert.equal((await call(key, 'GET', `${files}?status=lost`)).status, 422);

  const { url } = await checked(call(key, 'GET', `${files}/${job}/download`), 200);
  const original = await fetch(url);
  assert.deepEqual(Buffer.from(await original.arrayBuffer()), bytes);
  assert.match(original.headers.get('content-disposition') ?? '', /^attachment; filename\*=UTF-8''Tide%20/);

  for (const old of [job, broken]) {
    const again = await checked(call(key, 'POST', `${files}/${old}/retry`), 201);
    assert.deepEqual([again.replaces_job_id, again.status], [old, 'awaiting_upload']);
    const { status } = await finished(key, index, again.id);
    const replaced = await checked(call(key, 'GET', `${files}/${old}`), 200);
    if (old === broken) assert.deepEqual([status, replaced.status], ['failed', 'failed']);
    else {
      assert.deepEqual([status, replaced.status, replaced.replaced_by_job_id], ['completed', 'superseded', again.id]);
      assert.equal((await call(key, 'POST', `${files}/${old}/retry`)).status, 409);
      assert.equal((await call(key, 'GET', `${files}/${old}/download`)).status, 409);
    }
  }
  assert.deepEqual(
    (await allVectors(key, index)).map(({ text }) => text),
    ['The tide table of spring.'],
  );
});
