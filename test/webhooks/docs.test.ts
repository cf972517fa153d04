import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type Envelope, eventData, eventTypes } from '../../shared/events/index.ts';
import { newSigningSecret, signatureHeaders } from '../../shared/platform/delivery/webhook-signature.ts';

const page = await readFile(new URL('../../docs/webhooks.md', import.meta.url), 'utf8');

const blocksOf = (language: string): string[] =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, block]) => block ?? '');

test('the documented webhook payloads cover all event types and match their schemas', () => {
  const samples = blocksOf('json').map((block) => JSON.parse(block) as Envelope);
  assert.deepEqual(
    samples.map(({ type }) => type),
    [...eventTypes],
  );
  for (const { type, data } of samples) assert.deepEqual(eventData[type].parse(data), data);
});

test('the documented TypeScript verifier accepts signed webhooks only', async (t) => {
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

/** Languages that take long to compile run only in `npm run test:docs`. */
const compiles = process.env['DOCS_COMPILE'] === 'all';

const whyNot = (program: string, probe: string, isCompiled: boolean): string | false => {
  if (isCompiled && !compiles) return 'npm run test:docs compiles it';
  return spawnSync(program, [probe]).status === 0 ? false : `there is no ${program} here`;
};

/** Requests to a receiver, and whether it should accept them. */
const cases = () => {
  const [secret, older] = [newSigningSecret(randomBytes(32)), newSigningSecret(randomBytes(32))];
  const body = '{"type":"index.created","text":"ünï 😀"}';
  const headers = signatureHeaders([older, secret], 'evt_1', new Date(), body);
  const old = signatureHeaders([secret], 'evt_1', new Date(Date.now() - 301_000), body);
  return [
    { secret, headers, body, accepted: true },
    { secret: older, headers, body, accepted: true },
    { secret: newSigningSecret(randomBytes(32)), headers, body, accepted: false },
    { secret, headers, body: `${body} `, accepted: false },
    { secret, headers: { ...headers, 'hook-id': 'evt_2' }, body, accepted: false },
    { secret, headers: { ...headers, 'hook-timestamp': 'x' }, body, accepted: false },
    // Servers pass on headers with any bytes.
    { secret, headers: { ...headers, 'hook-timestamp': '²' }, body, accepted: false },
    { secret, headers: { ...headers, 'hook-signature': 'v1,é' }, body, accepted: false },
    { secret, headers: old, body, accepted: false },
    { secret, headers: {}, body, accepted: false },
  ];
};

const pythonMain = `

import json, sys
print(json.dumps([is_from_strata(c["secret"], c["headers"], c["body"].encode()) for c in json.load(sys.stdin)]))
`;

const goMain = `package main

import (
	"encoding/json"
	"net/http"
	"os"
)

func main() {
	var cases []struct {
		Secret  string            \`json:"secret"\`
		Headers map[string]string \`json:"headers"\`
		Body    string            \`json:"body"\`
	}
	if err := json.NewDecoder(os.Stdin).Decode(&cases); err != nil {
		panic(err)
	}
	accepted := []bool{}
	for _, c := range cases {
		header := http.Header{}
		for name, value := range c.Headers {
			header.Set(name, value)
		}
		accepted = append(accepted, IsFromStrata(c.Secret, header, []byte(c.Body)))
	}
	_ = json.NewEncoder(os.Stdout).Encode(accepted)
}
`;

for (const { language, program, probe, isCompiled, filesOf, run } of [
  {
    language: 'Python',
    program: 'python3',
    probe: '--version',
    isCompiled: false,
    filesOf: () => ({ 'verify.py': `${blocksOf('python')[0]}${pythonMain}` }),
    run: ['verify.py'],
  },
  {
    language: 'Go',
    program: 'go',
    probe: 'version',
    isCompiled: true,
    filesOf: () => ({
      'verify.go': (blocksOf('go')[0] ?? '').replace('package hooks', 'package main'),
      'main.go': goMain,
      'go.mod': 'module verify\n\ngo 1.21\n',
    }),
    run: ['run', '.'],
  },
]) {
  const skip = whyNot(program, probe, isCompiled);
  test(`the documented ${language} verifier accepts signed webhooks only`, { skip }, async (t) => {
    const directory = await mkdtemp(join(tmpdir(), 'webhooks-doc-'));
    t.after(() => rm(directory, { recursive: true }));
    for (const [name, text] of Object.entries(filesOf())) await writeFile(join(directory, name), text);
    const given = cases();
    const { stdout, stderr } = spawnSync(program, run, {
      cwd: directory,
      input: JSON.stringify(given),
      encoding: 'utf8',
    });
    assert.deepEqual(
      stdout === '' ? stderr : JSON.parse(stdout),
      given.map(({ accepted }) => accepted),
    );
  });
}
