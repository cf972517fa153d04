import { randomBytes } from 'node:crypto';
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type Envelope, eventData, eventTypes } from '../../shared/events/index.ts';
import { newSigningSecret, signatureHeaders } from '../../shared/platform/delivery/sign.ts';

const page = await readFile(new URL('../../docs/webhooks.md', import.meta.url), 'utf8');

const blocksOf = (language: string): string[] =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, block]) => block ?? '');

test('the documented payloads are exactly those of the event types', () => {
  const samples = blocksOf('json').map((block) => JSON.parse(block) as Envelope);
  assert.deepEqual(
    samples.map(({ type }) => type),
    [...eventTypes],
  );
  for (const { type, data } of samples) assert.deepEqual(eventData[type].parse(data), data);
});

test('the documented TypeScript accepts what is signed, and nothing else', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'webhooks-doc-'));
  t.after(() => rm(directory, { recursive: true }));
  const file = join(directory, 'verify.ts');
  await writeFile(file, blocksOf('ts')[0] ?? '');
  const { isFromStrata } = (await import(pathToFileURL(file).href)) as {
    isFromStrata: (secret: string, headers: Record<string, string>, body: string) => boolean;
  };
  const [secret, older, other] = [
    newSigningSecret(randomBytes(32)),
    newSigningSecret(randomBytes(32)),
    newSigningSecret(randomBytes(32)),
  ];
  const body = '{"type":"index.created","text":"ünï 😀"}';
  const headers = signatureHeaders([older, secret], 'evt_1', new Date(), body);
  assert.ok(isFromStrata(secret, headers, body) && isFromStrata(older, headers, body));
  assert.ok(!isFromStrata(other, headers, body));
  assert.ok(!isFromStrata(secret, headers, `${body} `));
  assert.ok(!isFromStrata(secret, { ...headers, 'hook-id': 'evt_2' }, body));
  assert.ok(!isFromStrata(secret, {}, body));
  const old = signatureHeaders([secret], 'evt_1', new Date(Date.now() - 301_000), body);
  assert.ok(!isFromStrata(secret, old, body));
});
