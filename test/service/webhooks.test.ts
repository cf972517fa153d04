import assert from 'node:assert/strict';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { apiOf } from './support/api.ts';
import { startService } from '../support/shared-service.ts';
import { newOrganization } from './support/organization.ts';
import { eventually } from '../support/eventually.ts';

const { baseUrl } = await startService();

interface Received {
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A receiver that drops every connection, and counts them, until it is up. */
const startReceiver = async () => {
  const received: Received[] = [];
  const state = { up: false, refused: 0 };
  const server = createServer((request, response) => {
    if (!state.up) {
      state.refused += 1;
      request.socket.destroy();
      return;
    }
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(parts).toString('utf8') });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return { received, server, state, port: (server.address() as AddressInfo).port };
};

const verify = (secret: string, { headers, body }: Received) =>
  new Webhook(secret).verify(
    body,
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
  );

test('an endpoint that names audit.recorded receives the records of the audit log, and one of all events does not', async () => {
  const { session } = await newOrganization(baseUrl);
  const owner = apiOf(session);
  const [named, all] = await Promise.all([startReceiver(), startReceiver()]);
  for (const { state } of [named, all]) state.up = true;
  const create = (port: number, event_types: readonly 'audit.recorded'[] | null) =>
    owner.post('/v1/organization/webhooks/endpoints', {
      body: { url: `http://localhost:${port}/hook`, event_types: event_types === null ? null : [...event_types] },
    });
  const { secret } = await create(named.port, ['audit.recorded']);
  await create(all.port, null);
  const index = await owner.post('/v1/indexes', { body: { name: 'audited' } });
  const received = await eventually(
    () => Promise.resolve([named.received, all.received] as const),
    ([records, events]) => events.length > 0 && records.some(({ body }) => body.includes(index.id)),
    120,
  );
  const types = received.map((requests) => [...new Set(requests.map(({ body }) => JSON.parse(body).type as string))]);
  assert.deepEqual(types, [['audit.recorded'], ['index.created']]);
  const record = named.received.find(({ body }) => body.includes(index.id)) ?? assert.fail();
  const { data } = verify(secret, record) as { data: { record: { action: string; source_ip: string | null } } };
  assert.equal(data.record.action, 'index.created');
  assert.notEqual(data.record.source_ip, null);
  for (const { server } of [named, all]) server.close();
});

test(
  'a receiver that was down gets its event, signed and with its id, once it is up',
  { timeout: 180_000 },
  async () => {
    const { key, session } = await newOrganization(baseUrl);
    const { received, server, state, port } = await startReceiver();
    const owner = apiOf(session);
    const url = `http://localhost:${port}/hook`;
    const { secret } = await owner.post('/v1/organization/webhooks/endpoints', { body: { url } });
    assert.match(secret, /^whsec_/);
    const index = await apiOf(key).post('/v1/indexes', { body: { name: 'announced' } });
    const history = await eventually(
      () => owner.get('/v1/organization/webhooks/events'),
      ({ events }) => events[0]?.status === 'dispatched',
    );
    await eventually(
      () => Promise.resolve(state.refused),
      (refused) => refused >= 2,
    );
    state.up = true;
    const [delivery] = await eventually(
      () => Promise.resolve(received),
      ({ length }) => length > 0,
      120,
    );
    assert.ok(delivery !== undefined);
    assert.equal(delivery.headers['hook-id'], history.events[0]?.id);
    const envelope = verify(secret, delivery) as { type: string; data: unknown };
    assert.deepEqual(
      [envelope.type, envelope.data],
      ['index.created', { index: { id: index.id, name: 'announced', region: 'us-east-1', dimensions: 1536 } }],
    );

    // Replaced, tried and replayed: both secrets verify, under the ids that the responses and the history contain.
    const [endpoint] = await owner.get('/v1/organization/webhooks/endpoints');
    const params = { path: { endpoint_id: endpoint?.id ?? '' } };
    const rotated = await owner.post('/v1/organization/webhooks/endpoints/{endpoint_id}/rotate-secret', { params });
    const tried = await owner.post('/v1/organization/webhooks/endpoints/{endpoint_id}/test', { params });
    const event_id = history.events[0]?.id ?? '';
    const replayed = await owner.post('/v1/organization/webhooks/events/{event_id}/replay', {
      params: { path: { event_id } },
      body: {},
    });
    assert.deepEqual(replayed, { events: 1, endpoints: 1 });
    const day = { from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' };
    assert.equal((await owner.post('/v1/organization/webhooks/events/replay', { body: day })).events, 1);
    await eventually(
      () => Promise.resolve(received),
      ({ length }) => length >= 4,
      120,
    );
    const [, ...later] = received;
    const ids = later.map(({ headers }) => String(headers['hook-id']));
    assert.deepEqual(new Set(ids), new Set([tried.event_id, event_id]));
    for (const request of later) assert.deepEqual(verify(secret, request), verify(rotated.secret, request));
    const log = await owner.get('/v1/organization/webhooks/endpoints/{endpoint_id}/deliveries', { params });
    const triggers = log.map(({ trigger }) => trigger);
    assert.deepEqual(triggers.toSorted(), ['event', 'replay', 'replay', 'test']);
    server.close();
  },
);
