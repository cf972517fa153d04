import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deliver } from '../../functions/workers/deliver/worker.ts';
import { relay } from '../../functions/workers/relay/worker.ts';
import { sweep } from '../../functions/workers/sweep/schedule.ts';
import type { Item, Table } from '../../shared/db/contracts.ts';
import { openTable } from '../../shared/db/table.ts';
import {
  endpointDisabled,
  eventData,
  type EventRecorder,
  fileCompleted,
  fileStarted,
  fillSlot,
  indexUpdated,
  recordEvents,
} from '../../shared/events/index.ts';
import { filesWrite } from '../../shared/files/index.ts';
import { indexesWrite } from '../../shared/indexes/index.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { newId } from '../../shared/kernel/ids.ts';
import { webhooksWrite } from '../../shared/webhooks/index.ts';
import { Cloud, type Fault } from '../support/emulated-cloud.ts';
import { createEndpointFor } from './support/endpoints.ts';
import { Receiver } from './support/receiver.ts';
import { everyPoint } from '../support/every-point.ts';

const cloud = new Cloud();
const receiver = new Receiver();
let url: string;
let files: Table;
let events: Table;
let webhooks: Table;

before(async () => {
  await cloud.start();
  url = await receiver.start();
  files = openTable(cloud.runtime, 'files');
  events = openTable(cloud.runtime, 'events');
  webhooks = openTable(cloud.runtime, 'webhooks');
});

after(async () => {
  await receiver.stop();
  await cloud.stop();
});

/** Restarts after a crash, and runs sweeps and workers until no work is left. */
const recover = async (): Promise<void> => {
  cloud.faults.arm(null);
  for (let minutes = 0; minutes < 2; minutes += 1) {
    cloud.advance(61);
    await cloud.tick(sweep);
    await cloud.drain(relay);
    await cloud.drain(deliver);
  }
};

const all = async (table: Table, pk: string): Promise<Item[]> => {
  const items: Item[] = [];
  for await (const item of table.all(pk)) items.push(item);
  return items;
};

const startedEvent = (organizationId: string, jobId: string) =>
  fileStarted({
    organizationId,
    at: cloud.runtime.clock.now(),
    job: { id: jobId, index_id: 'idx_1', filename: 'handbook.pdf', region: 'us-east-1' },
  });

const completedEvent = (organizationId: string, jobId: string) =>
  fileCompleted({
    organizationId,
    at: cloud.runtime.clock.now(),
    job: {
      id: jobId,
      index_id: 'idx_1',
      filename: 'handbook.pdf',
      status: 'completed',
      vectors_written: 7,
      sparse_text: 'text',
      sparse_text_truncated: false,
    },
    processing: {
      job_id: jobId,
      ocr_credits: 0,
      audio_credits: 0,
      audio_seconds: 0,
      serverless_invocations: 3,
      end_to_end_latency_ms: 900,
      path: [{ phase: 'content.extract', duration_ms: 12, attributes: { pages: 3 } }],
    },
  });

/** Stride of the requests at which a run dies. `npm run test:faults` uses all of them. */
const step = Number(process.env['FAULT_STEP'] ?? 15);

/** Runs the functions from the change of the item to the response of the receiver. A crash may end it at any request. */
const scenario = async (organizationId: string, jobId: string): Promise<void> => {
  const changed = await files.update(
    { pk: `INDEX#${organizationId}#idx_1`, sk: jobId },
    { set: { status: 'processing', ...fillSlot('started', startedEvent(organizationId, jobId)) } },
  );
  if (changed === null) throw new Error('the change did not happen');
  await makeDeps({ recorder: recordEvents('files') }, cloud.runtime).recorder.flush(organizationId, changed);
  await cloud.drain(relay);
  await cloud.drain(deliver);
};

/** Asserts the invariants after faults have stopped and queues are empty. */
const check = async (
  organizationId: string,
  endpoint: { id: string; secret: string },
  context: string,
): Promise<void> => {
  const rows = await all(events, `ORG#${organizationId}`);
  assert.equal(rows.length, 1, `${context}: one event`);
  const [row] = rows;
  assert.equal(row?.['status'], 'dispatched', context);
  assert.equal(row?.['due_pk'], undefined, context);
  const deliveries = await all(webhooks, `ORG#${organizationId}#ENDPOINT#${endpoint.id}`);
  assert.equal(deliveries.length, 1, `${context}: one delivery`);
  assert.equal(deliveries[0]?.['status'], 'delivered', context);
  const received = receiver.received.filter(({ body }) => body.includes(organizationId));
  assert.ok(received.length >= 1 && received.length <= 2, `${context}: ${received.length} requests`);
  assert.deepEqual([...new Set(received.map(({ headers }) => headers['hook-id']))], [row?.sk], context);
  assert.equal(new Set(received.map(({ body }) => body)).size, 1, context);
  for (const table of [files, events, webhooks]) {
    for (const name of ['outbox', 'relay', 'deliver'] as const)
      assert.deepEqual(await table.due(name, '9999', 10), [], context);
  }
};

const prepare = async () => {
  const organizationId = newId('org', new Date());
  const endpoint = await createEndpointFor(cloud.runtime, organizationId, { url });
  return { organizationId, endpoint, jobId: newId('job', new Date()) };
};

test('a crash at any request, applied or not, results in one event and one delivery with a stable id', async () => {
  const whole = await prepare();
  await scenario(whole.organizationId, whole.jobId);
  await check(whole.organizationId, whole.endpoint, 'without a fault');
  const stored = await files.get({ pk: `INDEX#${whole.organizationId}#idx_1`, sk: whole.jobId });
  assert.deepEqual(stored, { pk: `INDEX#${whole.organizationId}#idx_1`, sk: whole.jobId, status: 'processing' });

  await everyPoint({ step, lostFrom: 2 }, async ({ request, kind }) => {
    const { organizationId, endpoint, jobId } = await prepare();
    const reached = await cloud.dieAt({ request, kind }, () => scenario(organizationId, jobId));
    // If the first request was not applied, nothing has changed and no event may follow.
    if (request === 1 && kind === 'not applied') return reached;
    // Every second crash also loses the messages, so only the sweep can continue the work.
    if (request % 2 === 0) await Promise.all([cloud.purge('relay'), cloud.purge('deliver')]);
    await recover();
    await check(organizationId, endpoint, `${kind} at request ${request}`);
    return reached;
  });
});

test('concurrent and repeated flushes of an outbox item record each event once and remove it from the due index', async () => {
  const { organizationId, endpoint, jobId } = await prepare();
  const key = { pk: `INDEX#${organizationId}#idx_1`, sk: jobId };
  const { recorder } = makeDeps({ recorder: recordEvents('files') }, cloud.runtime);
  const first = await files.update(key, { set: fillSlot('started', startedEvent(organizationId, jobId)) });
  const second = await files.update(key, { set: fillSlot('terminal', completedEvent(organizationId, jobId)) });
  assert.ok(first !== null && second !== null);
  const flushed = await Promise.all([first, second, second, first].map((item) => recorder.flush(organizationId, item)));
  assert.deepEqual(flushed, [true, true, true, true]);
  await recover();
  const rows = await all(events, `ORG#${organizationId}`);
  assert.equal(rows.length, 2);
  assert.deepEqual(
    new Set(rows.map((row) => row['event_type'])),
    new Set(['file.processing.started', 'file.processing.completed']),
  );
  const told = rows.find((row) => row['event_type'] === 'file.processing.completed');
  assert.deepEqual(await files.get(key), { ...key, text_event_id: told?.sk });
  const deliveries = await all(webhooks, `ORG#${organizationId}#ENDPOINT#${endpoint.id}`);
  assert.deepEqual(
    deliveries.map((delivery) => delivery['status']),
    ['delivered', 'delivered'],
  );
  for (const request of receiver.received.filter(({ body }) => body.includes(organizationId))) {
    assert.equal(request.headers['content-type'], 'application/json');
    assert.ok(rows.some((row) => row.sk === request.headers['hook-id']));
  }
});

test('a filled outbox slot keeps its event, and two changes within a millisecond are two events', async () => {
  const { organizationId } = await prepare();
  const indexes = openTable(cloud.runtime, 'indexes');
  const key = { pk: `ORG#${organizationId}`, sk: 'idx_1' };
  const { recorder } = makeDeps({ recorder: recordEvents('indexes') }, cloud.runtime);
  const rename = (name: string) => {
    const index = { id: 'idx_1', name, region: 'us-east-1' };
    const event = indexUpdated({ organizationId, at: cloud.runtime.clock.now(), index });
    return indexes.update(key, {
      set: { name, ...fillSlot('updated', event) },
      condition: { outbox_updated: { exists: false } },
    });
  };
  const one = await rename('one');
  assert.ok(one !== null);
  assert.equal(await rename('two'), null);
  await recorder.flush(organizationId, one);
  const two = await rename('two');
  assert.ok(two !== null);
  await recorder.flush(organizationId, two);
  await recorder.flush(organizationId, one);
  assert.equal((await all(events, `ORG#${organizationId}`)).length, 2);
  assert.deepEqual(await indexes.get(key), { ...key, name: 'two' });
  await recover();
});

/** Item with a pending event, and how it is deleted. */
interface Carrier {
  readonly table: Table;
  readonly pk: string;
  readonly set: ReturnType<typeof fillSlot>;
  readonly remove: (recorder: EventRecorder) => Promise<unknown>;
  readonly recorder: EventRecorder;
}

const carriersOf = (organizationId: string, id: string): readonly Carrier[] => {
  const repositories = makeDeps({ indexes: indexesWrite, files: filesWrite, webhooks: webhooksWrite }, cloud.runtime);
  const uses = {
    indexes: recordEvents('indexes'),
    files: recordEvents('files'),
    webhooks: recordEvents('webhooks'),
  };
  const recorders = makeDeps(uses, cloud.runtime);
  const origin = { organizationId, at: cloud.runtime.clock.now() };
  const index = indexUpdated({ ...origin, index: { id, name: 'one', region: 'us-east-1' } });
  const endpoint = endpointDisabled({ ...origin, endpoint: { id, reason: 'gone' } });
  return [
    {
      table: openTable(cloud.runtime, 'indexes'),
      pk: `ORG#${organizationId}`,
      set: fillSlot('updated', index),
      remove: (recorder) => repositories.indexes.remove(organizationId, id, recorder),
      recorder: recorders.indexes,
    },
    {
      table: files,
      pk: `INDEX#${organizationId}#idx_1`,
      set: fillSlot('terminal', completedEvent(organizationId, id)),
      remove: (recorder) => repositories.files.remove({ organizationId, indexId: 'idx_1', jobId: id }, recorder),
      recorder: recorders.files,
    },
    {
      table: webhooks,
      pk: `ORG#${organizationId}`,
      set: fillSlot('disabled', endpoint),
      remove: (recorder) => repositories.webhooks.remove(organizationId, id, recorder),
      recorder: recorders.webhooks,
    },
  ];
};

test('deleting an item with a pending event records the event first, even if a run dies at any request', async () => {
  for (const nth of [0, 1, 2]) {
    const removal = async (fault: Fault | null): Promise<number> => {
      const [organizationId, id] = [newId('org', new Date()), newId('job', new Date())];
      const carrier = carriersOf(organizationId, id)[nth];
      assert.ok(carrier !== undefined);
      const { table, set, remove, recorder } = carrier;
      const key = { pk: carrier.pk, sk: id };
      const item = await table.update(key, { set });
      assert.ok(item !== null);
      await assert.rejects(remove({ ...recorder, flush: () => Promise.resolve(false) }), { code: 'unavailable' });
      assert.ok((await table.get(key)) !== null);

      cloud.faults.arm(fault);
      await remove(recorder).catch(() => undefined);
      const requests = cloud.faults.count;
      cloud.faults.arm(null);
      const context = `carrier ${nth}, ${fault === null ? 'no fault' : `${fault.kind} at request ${fault.request}`}`;
      if ((await table.get(key)) !== null) await remove(recorder);
      assert.equal(await table.get(key), null, context);
      // A concurrent run that started to record the event ends after the deletion.
      await recorder.flush(organizationId, item);
      const [event, ...others] = await all(events, `ORG#${organizationId}`);
      assert.deepEqual(others, [], context);
      const [stored] = await all(events, `ORG#${organizationId}#EVENT#${event?.sk}`);
      const body = stored?.['body'] as string;
      assert.match(body, /"data":/);
      assert.doesNotMatch(body, /"sparse_text":"text"/, context);
      return requests;
    };
    const requests = await removal(null);
    for (let request = 1; request <= requests; request += 1) {
      for (const kind of ['not applied', 'reply lost'] as const) await removal({ request, kind });
    }
  }
  await recover();
});

test('an event that is sent after the deletion of its job does not contain the text of the file', async () => {
  const { organizationId, jobId } = await prepare();
  const event = completedEvent(organizationId, jobId);
  const carrier = carriersOf(organizationId, jobId)[1];
  await files.update({ pk: `INDEX#${organizationId}#idx_1`, sk: jobId }, { set: fillSlot('terminal', event) });
  await carrier?.remove(carrier.recorder);
  await recover();
  const sent = receiver.received.filter(({ body }) => body.includes(organizationId));
  const { data, ...envelope } = JSON.parse(event.body);
  const job = { ...data.job, sparse_text: '', sparse_text_truncated: true };
  assert.deepEqual(
    sent.map(({ headers, body }) => [headers['hook-id'], JSON.parse(body)]),
    [[event.id, { ...envelope, data: { ...data, job } }]],
  );
  eventData['file.processing.completed'].parse(JSON.parse(sent[0]?.body ?? '').data);
});

test('an event that cannot be relayed is retried for a day and is then failed', async () => {
  const { organizationId, jobId } = await prepare();
  const changed = await files.update(
    { pk: 'X', sk: jobId },
    { set: fillSlot('started', startedEvent(organizationId, jobId)) },
  );
  assert.ok(changed !== null);
  await makeDeps({ recorder: recordEvents('files') }, cloud.runtime).recorder.flush(organizationId, changed);
  const [row] = await all(events, `ORG#${organizationId}`);
  const message = { organization_id: organizationId, event_id: row?.sk };
  const terminal = {
    message,
    deps: makeDeps(relay.uses, cloud.runtime),
    run: cloud.run(),
  };
  await relay.onExhausted(terminal);
  assert.deepEqual(
    await events.due('relay', new Date(cloud.runtime.clock.now().getTime() + 60_000).toISOString(), 10),
    [],
  );
  assert.equal((await all(events, `ORG#${organizationId}`))[0]?.['status'], 'recorded');
  cloud.advance(86_401);
  await relay.onExhausted(terminal);
  await relay.onExhausted(terminal);
  await recover();
  const [failed] = await all(events, `ORG#${organizationId}`);
  assert.equal(failed?.['status'], 'failed');
  assert.deepEqual(await events.due('relay', '9999', 10), []);
});
