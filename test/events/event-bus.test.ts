import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, beforeEach, test } from 'node:test';
import { relay } from '../../functions/workers/relay/worker.ts';
import { sweep } from '../../functions/workers/sweep/schedule.ts';
import { eventsRead, fileCompleted } from '../../shared/events/index.ts';
import { makeDeps, type Runtime } from '../../shared/kernel/capability.ts';
import { eventBus } from '../../shared/platform/aws/event-bus.ts';
import { Cloud, listening } from '../support/emulated-cloud.ts';
import { isGranted } from '../support/granted.ts';
import { driveOf, newOrganization } from './support/drive.ts';
import { createEndpointFor } from './support/endpoints.ts';

interface Entry {
  readonly EventBusName: string;
  readonly Source: string;
  readonly DetailType: string;
  readonly Detail: string;
  readonly Time: number;
}

const requestLimitBytes = 262_144;

/** Stub of EventBridge that records accepted entries. */
const bus = {
  taken: [] as Entry[],
  /** Entries of each request. */
  requests: [] as number[],
  /** Whether it refuses an entry, and whether it is available. */
  refuses: ((): boolean => false) as (entry: Entry) => boolean,
  down: false,
};

const sizeOf = (entry: Entry): number =>
  14 + [entry.Source, entry.DetailType, entry.Detail].reduce((size, part) => size + Buffer.byteLength(part), 0);

const mayPut = ({ EventBusName }: Entry): boolean =>
  isGranted('bus.put', 'events:PutEvents', `arn:aws:events:us-east-1:000000000000:event-bus/${EventBusName}`);

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const reply = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
    if (request.headers['x-amz-target'] !== 'AWSEvents.PutEvents') reply(400, { __type: 'UnknownOperationException' });
    else if (bus.down) reply(500, { __type: 'InternalException' });
    else {
      const { Entries } = JSON.parse(Buffer.concat(chunks).toString()) as { Entries: Entry[] };
      const bytes = Entries.reduce((size, entry) => size + sizeOf(entry), 0);
      if (Entries.length > 10 || bytes > requestLimitBytes) {
        reply(400, {
          __type: 'ValidationException',
          message: 'Total size of the entries in the request is over the limit',
        });
        return;
      }
      if (!Entries.every(mayPut)) {
        reply(400, { __type: 'AccessDeniedException' });
        return;
      }
      bus.requests.push(Entries.length);
      const results = Entries.map((entry) =>
        bus.refuses(entry) ? { ErrorCode: 'ThrottlingException', ErrorMessage: 'Rate exceeded' } : { EventId: 'x' },
      );
      bus.taken.push(...Entries.filter((_, nth) => results[nth]?.EventId !== undefined));
      reply(200, { FailedEntryCount: results.filter(({ EventId }) => EventId === undefined).length, Entries: results });
    }
  });
});

const cloud = new Cloud();
const { record, eventsOf, deliveriesOf } = driveOf(cloud);
let runtime: Runtime;

before(async () => {
  await cloud.start();
  process.env['AWS_ENDPOINT_URL_EVENTBRIDGE'] = await listening(server);
  const { config } = cloud.runtime;
  runtime = { ...cloud.runtime, config: { ...config, delivery: { ...config.delivery, eventBus: 'audit' } } };
});

beforeEach(() => {
  Object.assign(bus, { taken: [], requests: [], refuses: () => false, down: false });
});

after(async () => {
  server.closeAllConnections();
  server.close();
  await cloud.stop();
});

/** Runs the relay once. Failed messages stay in the queue. */
const relayOnce = () => cloud.drain(relay, makeDeps(relay.uses, runtime), 1);
const detailsOf = () => bus.taken.map(({ Detail }) => JSON.parse(Detail) as { id: string });
const statusesOf = async (organizationId: string) =>
  new Map((await eventsOf(organizationId)).map(({ sk, status }) => [sk, status]));

test('every event is put on the event bus with its id, if a bus is configured', async () => {
  const organizationId = newOrganization();
  await record(organizationId);
  await cloud.drain(relay);
  assert.equal(bus.requests.length, 0);
  const id = await record(organizationId, 'index.updated');
  await relayOnce();
  const [entry] = bus.taken;
  assert.ok(entry !== undefined);
  const body = (await makeDeps({ events: eventsRead }, runtime).events.body(organizationId, id)) ?? '';
  assert.deepEqual(JSON.parse(entry.Detail), { id, ...(JSON.parse(body) as object) });
  assert.deepEqual([entry.EventBusName, entry.Source, entry.DetailType], ['audit', 'test', 'index.updated']);
  assert.equal((await statusesOf(organizationId)).get(id), 'dispatched');
});

test('events that the event bus refuses are put again, and no others', async () => {
  const organizationId = newOrganization();
  const ids: string[] = [];
  for (let nth = 0; nth < 6; nth += 1) ids.push(await record(organizationId));
  const refused = new Set([ids[1], ids[4]]);
  bus.refuses = ({ Detail }) => refused.has((JSON.parse(Detail) as { id: string }).id);
  await relayOnce();
  const first = await statusesOf(organizationId);
  assert.deepEqual(new Set(ids.filter((id) => first.get(id) === 'recorded')), refused);
  bus.refuses = () => false;
  await relayOnce();
  assert.deepEqual(bus.requests, [6, 2]);
  assert.deepEqual(
    detailsOf()
      .map(({ id }) => id)
      .toSorted(),
    ids.toSorted(),
  );
  assert.ok([...(await statusesOf(organizationId)).values()].every((status) => status === 'dispatched'));
});

test('an event bus that is unavailable for hours delays no webhook and misses no event', async () => {
  const organizationId = newOrganization();
  const { id: endpointId } = await createEndpointFor(runtime, organizationId, { url: 'http://localhost:1/' });
  bus.down = true;
  const id = await record(organizationId);
  await relayOnce();
  assert.equal((await deliveriesOf(organizationId, endpointId)).length, 1);
  await cloud.purge('relay');
  const message = { organization_id: organizationId, event_id: id };
  await relay.onExhausted({ message, deps: makeDeps(relay.uses, runtime), run: cloud.run() });
  cloud.advance(3 * 3_600);
  bus.down = false;
  await cloud.tick(sweep);
  await relayOnce();
  assert.deepEqual(
    detailsOf().map((detail) => detail.id),
    [id],
  );
  assert.equal((await statusesOf(organizationId)).get(id), 'dispatched');
  assert.equal((await deliveriesOf(organizationId, endpointId)).length, 1);
});

test('requests with the largest envelopes stay within the limits of EventBridge', async () => {
  const deps = makeDeps({ bus: eventBus }, runtime);
  const job = {
    id: 'job_1',
    index_id: 'idx_1',
    filename: 'a.pdf',
    status: 'completed' as const,
    vectors_written: 1,
    sparse_text: '字'.repeat(4_000),
    sparse_text_truncated: false,
  };
  const step = (nth: number) => ({ phase: `${nth} ${'é'.repeat(500)}`, duration_ms: 1, attributes: {} });
  const processing = {
    job_id: 'job_1',
    ocr_credits: 0,
    audio_credits: 0,
    audio_seconds: 0,
    serverless_invocations: 1,
    end_to_end_latency_ms: 1,
    path: Array.from({ length: 45 }, (_, nth) => step(nth)),
  };
  const events = Array.from({ length: 25 }, () =>
    fileCompleted({ organizationId: newOrganization(), at: cloud.runtime.clock.now(), job, processing }),
  );
  assert.ok(events.every(({ body }) => Buffer.byteLength(body) > 59_000));
  assert.equal((await deps.bus.put(events)).size, 0);
  assert.equal(bus.taken.length, 25);
  assert.ok(bus.requests.every((entries) => entries === 4 || entries === 1));
});
