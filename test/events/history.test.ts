import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listEvents } from '../../functions/events/list.ts';
import { relay } from '../../functions/workers/relay/worker.ts';
import { openTable } from '../../shared/db/table.ts';
import {
  type EventHistory,
  fileCompleted,
  fileFailed,
  fileStarted,
  fillSlot,
  type NewEvent,
  recordEvents,
} from '../../shared/events/index.ts';
import { filesWrite, type TaskRecord } from '../../shared/files/index.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { newId } from '../../shared/kernel/ids.ts';
import type { TraceStep } from '../../shared/pipeline/steps.ts';
import { call, person } from '../support/call.ts';
import { Cloud } from '../support/emulated-cloud.ts';

const cloud = new Cloud();
before(() => cloud.start());
after(() => cloud.stop());

const newOrganization = (): string => newId('org', new Date());

const record = async (slot: Parameters<typeof fillSlot>[0], event: NewEvent): Promise<void> => {
  const key = { pk: `INDEX#${event.organizationId}#${event.indexId}`, sk: event.jobId ?? event.id };
  const item = await openTable(cloud.runtime, 'files').update(key, { set: fillSlot(slot, event) });
  assert.ok(item !== null);
  assert.ok(
    await makeDeps({ recorder: recordEvents('files') }, cloud.runtime).recorder.flush(event.organizationId, item),
  );
};

const processingOf = (jobId: string) => ({
  job_id: jobId,
  ocr_credits: 0,
  audio_credits: 0,
  audio_seconds: 0,
  serverless_invocations: 3,
  end_to_end_latency_ms: 900,
  path: [{ phase: 'content.extract', duration_ms: 12, attributes: { pages: 3 } }],
});

const jobOf = (jobId: string) => ({ id: jobId, index_id: 'idx_1', filename: 'handbook.pdf' });

const started = (organizationId: string, jobId: string) =>
  record(
    'started',
    fileStarted({ organizationId, at: cloud.runtime.clock.now(), job: { ...jobOf(jobId), region: 'us-east-1' } }),
  );

const completed = (organizationId: string, jobId: string, text: string) =>
  record(
    'terminal',
    fileCompleted({
      organizationId,
      at: cloud.runtime.clock.now(),
      job: {
        ...jobOf(jobId),
        status: 'completed',
        vectors_written: 2,
        sparse_text: text,
        sparse_text_truncated: false,
      },
      processing: processingOf(jobId),
    }),
  );

const page = async (organizationId: string, query: Record<string, string> = {}): Promise<EventHistory> => {
  const answer = await call(cloud.runtime, listEvents, person(organizationId, 'member'), { query });
  assert.equal(answer.status, 200);
  return answer.body as EventHistory;
};

const addTask = async (organizationId: string, jobId: string, ordinal: number): Promise<string> => {
  const { files } = makeDeps({ files: filesWrite }, cloud.runtime);
  const task = {
    id: newId('task', new Date()),
    organizationId,
    jobId,
    ordinal,
    status: 'queued',
    unitStart: 1,
    unitEnd: 2,
    paged: true,
    cut: 'first',
    span: null,
  };
  await files.addTask({ ...task, createdAt: cloud.runtime.clock.now().toISOString() } as TaskRecord);
  const at = (seconds: number) => new Date(Date.UTC(2030, 0, 1, 0, ordinal, seconds)).toISOString();
  const trace: readonly TraceStep[] = [
    { attempt: 1, phase: 'content.extract', started_at: at(0), duration_ms: 5, attributes: { failed: true } },
    {
      attempt: 2,
      phase: 'content.extract',
      started_at: at(9),
      duration_ms: 7,
      attributes: { pages: 2, ocr_credits: 0 },
    },
  ];
  await files.saveWork({ organizationId, jobId, ordinal }, { trace, sparseText: '', sparseLength: 0, warning: '' });
  return task.id;
};

test('a member reads the event history newest first, with traces and telemetry of ended jobs', async () => {
  const organizationId = newOrganization();
  const [done, failed] = [newId('job', new Date()), newId('job', new Date())];
  const second = await addTask(organizationId, done, 2);
  const first = await addTask(organizationId, done, 1);
  await started(organizationId, done);
  cloud.advance(1);
  await completed(organizationId, done, 'Chapter 1');
  await cloud.drain(relay);
  cloud.advance(1);
  await record(
    'terminal',
    fileFailed({
      organizationId,
      at: cloud.runtime.clock.now(),
      job: { ...jobOf(failed), error: 'The file is encrypted', error_code: 'processing_failed' },
      processing: processingOf(failed),
    }),
  );
  const history = await page(organizationId);
  assert.deepEqual(Object.keys(history), ['events', 'total', 'limit', 'offset', 'traces', 'telemetry']);
  assert.deepEqual([history.total, history.limit, history.offset], [3, 25, 0]);
  assert.deepEqual(
    history.events.map(({ event_type, status, job_id, index_id }) => [event_type, status, job_id, index_id]),
    [
      ['file.processing.failed', 'recorded', failed, 'idx_1'],
      ['file.processing.completed', 'dispatched', done, 'idx_1'],
      ['file.processing.started', 'dispatched', done, 'idx_1'],
    ],
  );
  const [failure, success] = history.events;
  assert.deepEqual(success?.payload, {
    type: 'file.processing.completed',
    created_at: success?.created_at,
    organization_id: organizationId,
    data: {
      job: {
        ...jobOf(done),
        status: 'completed',
        vectors_written: 2,
        sparse_text: 'Chapter 1',
        sparse_text_truncated: false,
      },
      processing: processingOf(done),
    },
  });
  assert.deepEqual(history.traces, [
    { event_id: failure?.id, job_id: failed, processing: processingOf(failed) },
    { event_id: success?.id, job_id: done, processing: processingOf(done) },
  ]);
  assert.deepEqual(
    history.telemetry.map(({ event_id, job_id, task_id, attempt, phase, duration_ms }) => [
      event_id,
      job_id,
      task_id,
      attempt,
      phase,
      duration_ms,
    ]),
    [first, second].flatMap((task) => [
      [success?.id, done, task, 1, 'content.extract', 5],
      [success?.id, done, task, 2, 'content.extract', 7],
    ]),
  );
  assert.deepEqual(Object.keys(history.telemetry[0] ?? {}), [
    'event_id', 'job_id', 'task_id', 'attempt', 'phase', 'started_at', 'duration_ms', 'attributes',
  ]); // prettier-ignore

  await makeDeps({ files: filesWrite }, cloud.runtime).files.removeTasks(organizationId, done);
  const { traces, telemetry } = await page(organizationId);
  assert.deepEqual([traces, telemetry], [history.traces, []]);

  assert.deepEqual(
    (await page(organizationId, { status: 'recorded' })).events.map(({ id }) => id),
    [failure?.id],
  );
  const filtered = await page(organizationId, { event_type: 'file.processing.started', status: 'dispatched' });
  assert.deepEqual([filtered.total, filtered.events.length, filtered.traces.length], [1, 1, 0]);
  assert.equal((await page(newOrganization())).total, 0);
});

test('clients that paginate the event history by its rules miss no event while new events arrive', async () => {
  const organizationId = newOrganization();
  const emit = async () => {
    cloud.advance(1);
    await started(organizationId, newId('job', new Date()));
  };
  for (let event = 0; event < 12; event += 1) await emit();
  const there = new Set((await page(organizationId, { limit: '100' })).events.map(({ id }) => id));
  const seen = new Set<string>();
  let offset = 0;
  for (;;) {
    const { events, total } = await page(organizationId, { limit: '5', offset: String(offset) });
    for (const { id } of events) seen.add(id);
    if (offset + 5 >= total) break;
    offset += 5;
    if (offset < 16) await emit();
  }
  assert.equal(there.size, 12);
  assert.deepEqual(
    [...there].filter((id) => !seen.has(id)),
    [],
  );
  assert.equal((await page(organizationId, { offset: '1000' })).events.length, 0);
  cloud.advance(31 * 86_400);
  assert.deepEqual([(await page(organizationId)).total], [0]);
});

test('the event history returns every existing event for any page size while new and older events are added', async () => {
  const organizationId = newOrganization();
  const recordAgo = (seconds: number) =>
    record(
      'started',
      fileStarted({
        organizationId,
        at: new Date(cloud.runtime.clock.now().getTime() - seconds * 1_000),
        job: { ...jobOf(newId('job', new Date())), region: 'us-east-1' },
      }),
    );
  await Promise.all(Array.from({ length: 40 }, (_, nth) => recordAgo(nth)));
  const there = (await page(organizationId, { limit: '100' })).events.map(({ id }) => id);
  assert.equal(there.length, 40);
  const state = { reading: true, written: 0 };
  const writer = async (): Promise<void> => {
    while (state.reading) {
      state.written += 1;
      // An event that the sweep records is added to the history after newer ones.
      await recordAgo((state.written * 7) % 45);
    }
  };
  const reader = async (limit: number): Promise<readonly string[]> => {
    const seen = new Set<string>();
    for (let offset = 0, total = 1; offset < total; offset += limit) {
      const read = await page(organizationId, { limit: String(limit), offset: String(offset) });
      for (const { id } of read.events) seen.add(id);
      total = read.total;
    }
    return there.filter((id) => !seen.has(id));
  };
  const writers = [writer(), writer()];
  const missed: (readonly string[])[] = [];
  do {
    missed.push(...(await Promise.all([3, 7, 10, 25].map(reader))));
  } while (state.written < 10);
  state.reading = false;
  await Promise.all(writers);
  assert.deepEqual(missed.flat(), []);
});

test('an event history of several table pages is listed and counted as one list', async () => {
  const organizationId = newOrganization();
  const events = openTable(cloud.runtime, 'events');
  // A page of the table ends after 1 MB.
  const filler = 'x'.repeat(100_000);
  const all: { readonly id: string; readonly type: string }[] = [];
  for (let nth = 0; nth < 40; nth += 1) {
    // Minutes to weeks after the previous one.
    cloud.advance(60 * 3 ** (nth % 10));
    const at = cloud.runtime.clock.now();
    const event = { id: newId('evt', at), type: nth % 3 === 0 ? 'file.processing.started' : 'index.updated' };
    await events.put({
      pk: `ORG#${organizationId}`,
      sk: event.id,
      event_type: event.type,
      status: 'dispatched',
      created_at: at.toISOString(),
      expires_at_epoch: at.getTime() / 1000 + 365 * 86_400,
      filler,
    });
    all.unshift(event);
  }
  assert.notEqual((await events.query(`ORG#${organizationId}`)).next, null);
  for (const type of [null, 'file.processing.started', 'index.created']) {
    const matching = all.filter((event) => type === null || event.type === type).map(({ id }) => id);
    const query: Record<string, string> = type === null ? {} : { event_type: type };
    for (const window of ['0 25', '1 100', '8 3', '13 1', '19 21', '39 1', '40 5']) {
      const [offset = 0, limit = 0] = window.split(' ').map(Number);
      const read = await page(organizationId, { ...query, offset: String(offset), limit: String(limit) });
      const context = `${limit} of type ${type} from ${offset} on`;
      const ids = read.events.map(({ id }) => id);
      assert.deepEqual(ids, matching.slice(offset, offset + limit), context);
      assert.equal(read.total, matching.length, context);
    }
  }
});

test('a page of the largest events stays below the payload limit of a function', async () => {
  const organizationId = newOrganization();
  await Promise.all(
    Array.from({ length: 100 }, () => completed(organizationId, newId('job', new Date()), '\u0001'.repeat(9_000))),
  );
  const whole = await page(organizationId, { limit: '25' });
  const [largest] = whole.events;
  assert.ok(largest !== undefined);
  const { sparse_text } = largest.payload.data['job'] as { sparse_text: string };
  assert.equal(sparse_text.length, 4_000);
  const most = await page(organizationId, { limit: '100' });
  assert.equal(most.events.length, 100);
  assert.ok(Buffer.byteLength(JSON.stringify(JSON.stringify(most))) < 6_000_000);
});

test('the event history refuses an invalid query and a caller without a session', async () => {
  const organizationId = newOrganization();
  const ask = (query: Record<string, string>) =>
    call(cloud.runtime, listEvents, person(organizationId, 'owner'), { query });
  for (const [name, value] of [
    ['limit', '0'],
    ['limit', '101'],
    ['limit', 'x'],
    ['limit', '1.5'],
    ['limit', ''],
    ['offset', '-1'],
    ['event_type', 'x'],
    ['status', 'sent'],
  ] as const) {
    const answer = await ask({ [name]: value });
    assert.equal(answer.status, 422, `${name}=${value}`);
    assert.deepEqual(
      (answer.body as { detail: { loc: string[] }[] }).detail.map(({ loc }) => loc),
      [['query', name]],
    );
  }
  const both = await ask({ limit: '0', offset: '-1', event_type: 'x' });
  assert.equal((both.body as { detail: unknown[] }).detail.length, 3);
  const key = { ...person(organizationId, 'owner'), kind: 'api_key', role: null } as const;
  assert.equal((await call(cloud.runtime, listEvents, key)).status, 403);
});
