import assert from 'node:assert/strict';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { startService } from './support/cloud.ts';
import { call, eventually, newOrganization } from './support/organization.ts';

const { baseUrl } = await startService();

interface Received {
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

const startReceiver = async (port: number) => {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(parts).toString('utf8') });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  return { received, server, port: (server.address() as AddressInfo).port };
};

const verify = (secret: string, { headers, body }: Received) =>
  new Webhook(secret).verify(body, {
    'webhook-id': String(headers['hook-id']),
    'webhook-timestamp': String(headers['hook-timestamp']),
    'webhook-signature': String(headers['hook-signature']),
  });

test('a receiver that was down gets its event once it is up, signed, under the id of the event', { timeout: 180_000 }, async () => {
  const { key, session } = await newOrganization(baseUrl);
  const first = await startReceiver(0);
  first.server.close();
  const made = await call(session, 'POST', '/v1/organization/webhooks/endpoints', { url: `http://localhost:${first.port}/hook` });
  assert.equal(made.status, 201);
  assert.match(made.body.secret, /^whsec_/);
  const index = (await call(key, 'POST', '/v1/indexes', { name: 'announced' })).body;
  const history = await eventually(
    () => call(session, 'GET', '/v1/organization/webhooks/events'),
    ({ body }) => body.events[0]?.status === 'dispatched',
  );
  const second = await startReceiver(first.port);
  const [delivery] = await eventually(() => Promise.resolve(second.received), (received) => received.length > 0, 120);
  assert.ok(delivery !== undefined);
  assert.equal(delivery.headers['hook-id'], history.body.events[0].id);
  const envelope = verify(made.body.secret, delivery) as { type: string; data: unknown };
  assert.deepEqual([envelope.type, envelope.data], ['index.created', { index: { id: index.id, name: 'announced', region: 'us-east-1', dimensions: 1536 } }]);
  second.server.close();
});
