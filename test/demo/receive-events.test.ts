import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Webhook } from 'svix';
import { openReceiver, type Receiver } from '../../scripts/demo/receive-events.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const envelope = JSON.stringify({ type: 'index.created', data: { index: { id: 'idx_1' } } });

describe('the receiver of the demo', () => {
  let receiver: Receiver;

  beforeEach(async () => {
    receiver = await openReceiver();
  });

  afterEach(() => receiver.close());

  const post = async (id: string, signedWith: string, body = envelope): Promise<number> => {
    const at = new Date();
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(signedWith).sign(id, at, body),
    };
    return (await fetch(receiver.url, { method: 'POST', headers, body })).status;
  };

  const waitForAny = () => receiver.wait('index.created', () => true, 5_000);

  it('defers deliveries until it knows the secret, then accepts those that are signed with it', async () => {
    assert.equal(await post('evt_1', secret), 503);
    receiver.trust(secret);
    const waiting = waitForAny();
    assert.equal(await post('evt_1', secret), 204);
    assert.equal((await waiting).hookId, 'evt_1');
  });

  it('rejects waiting calls when a signature is wrong', async () => {
    receiver.trust(secret);
    const waiting = assert.rejects(waitForAny(), /not signed as it should be/);
    assert.equal(await post('evt_1', 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'), 400);
    await waiting;
  });

  it('names the event that did not arrive', async () => {
    receiver.trust(secret);
    await post('evt_1', secret);
    await assert.rejects(
      receiver.wait('file.processing.completed', () => true, 50),
      /file\.processing\.completed did not come/,
    );
  });
});
