import { randomBytes } from 'node:crypto';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { newSigningSecret, signatureHeaders } from '../../shared/platform/delivery/webhook-signature.ts';
import { attemptDelaysMs, nextAttemptAt } from '../../shared/webhooks/retry-schedule.ts';

test('the signature equals the example of the Standard Webhooks specification', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const at = new Date(1_614_265_330_999);
  assert.deepEqual(signatureHeaders([secret], 'msg_p5jXN8AQM9LWM0D4loKWxJek', at, '{"test": 2432232314}'), {
    'hook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'hook-timestamp': '1614265330',
    'hook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test('the standard verifier accepts either of two secrets, and refuses another secret, body or time', () => {
  const [first, second, other] = [
    newSigningSecret(randomBytes(32)),
    newSigningSecret(randomBytes(32)),
    newSigningSecret(randomBytes(32)),
  ];
  assert.match(first, /^whsec_[A-Za-z0-9+/]{43}=$/);
  const body = JSON.stringify({ text: 'ünï 😀' });
  const signed = (at: Date) => signatureHeaders([first, second], 'evt_1', at, body);
  const headers = signed(new Date());
  for (const secret of [first, second]) assert.deepEqual(new Webhook(secret).verify(body, headers), JSON.parse(body));
  assert.throws(() => new Webhook(other).verify(body, headers));
  assert.throws(() => new Webhook(first).verify(`${body} `, headers));
  assert.throws(() => new Webhook(first).verify(body, signed(new Date(Date.now() - 6 * 60_000))));
});

const now = new Date('2030-01-01T00:00:00.000Z');
const delayOf = (attempt: number, retryAfter: string | null = null, deliveryId = 'dlv_1'): number | null => {
  const at = nextAttemptAt({ deliveryId, attempt, retryAfter }, now);
  return at === null ? null : at.getTime() - now.getTime();
};

test('delivery attempts follow the schedule with a deterministic jitter of 20 % and end after more than 75 hours', () => {
  for (const [attempt, base] of attemptDelaysMs.entries()) {
    if (attempt === 0) continue;
    const delays = Array.from({ length: 100 }, (_, id) => delayOf(attempt, null, `dlv_${id}`) ?? -1);
    assert.ok(delays.every((delay) => delay >= base * 0.8 - 1 && delay <= base * 1.2 + 1));
    assert.ok(new Set(delays).size > 90);
    assert.equal(delayOf(attempt), delayOf(attempt));
  }
  assert.equal(delayOf(attemptDelaysMs.length), null);
  const hours = attemptDelaysMs.reduce((total, ms) => total + ms, 0) / 3_600_000;
  assert.ok(hours > 75 && hours < 76);
  const promised = [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400].map((seconds) => seconds * 1000);
  assert.deepEqual(
    promised.filter((ms) => !attemptDelaysMs.includes(ms)),
    [],
  );
});

test('Retry-After delays a delivery attempt by at most a day and never makes it earlier', () => {
  assert.equal(delayOf(1, '120'), 120_000);
  assert.equal(delayOf(1, 'Tue, 01 Jan 2030 00:10:00 GMT'), 600_000);
  for (const value of ['999999999', '99999999999', '9'.repeat(400), 'Wed, 21 Oct 9999 07:28:00 GMT'])
    assert.equal(delayOf(1, value), 86_400_000);
  for (const value of ['0', '-5', 'soon', '', 'Mon, 31 Dec 2029 00:00:00 GMT', '1e9'])
    assert.equal(delayOf(6, value), delayOf(6));
});
