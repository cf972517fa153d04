import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { rotateWebhookSecret } from '../../functions/webhooks/rotate-secret.ts';
import { deliver } from '../../functions/workers/deliver/worker.ts';
import { testWebhookEndpoint } from '../../functions/webhooks/send-test.ts';
import { openTable } from '../../shared/db/table.ts';
import { newId } from '../../shared/kernel/ids.ts';
import { callOk, person } from '../support/call.ts';
import { Cloud } from '../support/emulated-cloud.ts';
import { createEndpointFor } from '../events/support/endpoints.ts';
import { Receiver, verifyWithStock } from '../events/support/receiver.ts';

const cloud = new Cloud();
before(() => cloud.start());
after(() => cloud.stop());

test('signing secrets are stored encrypted only, and deliveries are signed with them', async (t) => {
  const receiver = new Receiver((response) => response.writeHead(200).end());
  const url = await receiver.start();
  t.after(() => receiver.stop());
  const organizationId = newId('org', cloud.runtime.clock.now());
  const owner = person(organizationId, 'owner');
  const { id, secret } = await createEndpointFor(cloud.runtime, organizationId, { url });
  const path = { endpoint_id: id };
  const rotated = await callOk(cloud.runtime, rotateWebhookSecret, owner, { path });

  const table = openTable(cloud.runtime, 'webhooks');
  const stored = JSON.stringify(await table.get({ pk: `ORG#${organizationId}`, sk: id }));
  assert.match(stored, /sealed1:.*sealed1:/);
  for (const known of [secret, String(rotated['secret'])]) {
    assert.ok(!stored.includes(known));
    assert.ok(!stored.includes(known.slice('whsec_'.length)));
  }
  await callOk(cloud.runtime, testWebhookEndpoint, owner, { path });
  await cloud.drain(deliver);
  const [request] = receiver.received;
  assert.ok(request !== undefined);
  for (const known of [secret, String(rotated['secret'])]) verifyWithStock(known, request);
});
