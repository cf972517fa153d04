import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { closeServer, listen } from '#local-cloud';
import { projectDirectory } from '../../scripts/support/project-directory.ts';
import { makePdf } from '../support/make-pdf.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { startService } from '../support/shared-service.ts';
import { call, newOrganization } from './support/organization.ts';

const { baseUrl } = await startService();

/** The blocks of shell commands of a page, but for those that start, deploy or install the service. */
const blocksOf = (page: string): readonly string[] =>
  [...readFileSync(join(projectDirectory, page), 'utf8').matchAll(/^```sh\n([\s\S]*?)^```$/gm)]
    .map(([, block = '']) => block)
    .filter((block) => !/^(?:npm (?:ci|run)|npx|aws|[A-Z]+=\$\(aws)\b/m.test(block));

/** Lines that a reader fills in, such as `KEY=svc_live_…`. */
const placeholders = /^(?:[A-Z_]+=(?:http:\/\/127\.0\.0\.1:8787|\w*…)[ \t]*)+(?:#.*)?$/gm;

interface Ended {
  readonly code: number;
  readonly output: string;
}

/** Runs commands in a directory of their own. A request that is not answered by a success ends them. */
const runInShell = (
  commands: string,
  files: Readonly<Record<string, string | Uint8Array>>,
  variables: NodeJS.ProcessEnv,
): Promise<Ended> => {
  const directory = temporaryDirectory();
  symlinkSync(join(projectDirectory, 'docs'), join(directory, 'docs'));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, name), content);
  writeFileSync(join(directory, '.curlrc'), 'fail-with-body\n');
  const script = `set -eo pipefail; trap 'kill $(jobs -p) 2> /dev/null || true' EXIT\n${commands}`;
  const options = { cwd: directory, env: { ...process.env, CURL_HOME: directory, ...variables } };
  return new Promise((resolve) => {
    const child = execFile('bash', ['-c', script], options, (_, stdout, stderr) => {
      resolve({ code: child.exitCode ?? -1, output: `${stdout}${stderr}` });
    });
  });
};

const freePort = async (): Promise<number> => {
  const server = createServer();
  const port = await listen(server, 0);
  await closeServer(server);
  return port;
};

const idToken = async (): Promise<string> => {
  const person = { email: `reader-${crypto.randomUUID()}@example.com`, name: 'A reader' };
  const answer = await fetch(`${baseUrl}/_local/id-token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(person),
  });
  return ((await answer.json()) as { readonly id_token: string }).id_token;
};

/** Values of the variables that the examples use. */
const values = async () => {
  const { key, session } = await newOrganization(baseUrl);
  const index = (await call(key, 'POST', '/v1/indexes', { name: 'manuals' })).body.id as string;
  return { URL: baseUrl, KEY: key.bearer ?? '', SESSION: session.bearer ?? '', INDEX_ID: index };
};

describe('the examples of a page work from its top on', { concurrency: 3 }, () => {
  for (const page of [
    ...['02-on-one-machine', '03-indexes', '04-branches', '05-vectors', '06-files', '07-search', '09-events'].map(
      (name) => `docs/handbook/${name}.md`,
    ),
    'docs/handbook/10-credentials.md',
    'docs/handbook/15-migration.md',
    'docs/search.md',
    'docs/webhooks.md',
  ])
    test(page, async () => {
      const blocks = blocksOf(page);
      assert.ok(blocks.length > 0);
      const text = blocks.join('\n');
      const named = new Set([...text.matchAll(/\$\{?([A-Z_]+)/g)].map(([, name = '']) => name));
      const set = new Set([...text.matchAll(/(?:^|\s)([A-Z_]+)=/g)].map(([, name = '']) => name));
      assert.deepEqual([...named.difference(set)], [], 'every variable is set on the page itself');
      const variables = { ...(await values()), ID_TOKEN: await idToken() };
      const files = { 'manual.pdf': await makePdf(['Returns are free until day 30.']) };
      const { code, output } = await runInShell(text.replaceAll(placeholders, ''), files, variables);
      assert.equal(code, 0, output);
    });

  test('README.md, beside a service that runs already', async () => {
    const { URL: base_url, KEY: api_key, SESSION: session_token } = await values();
    const commands = blocksOf('README.md')
      .join('\n')
      .replaceAll(/^(?:node_modules\/\.bin\/node packages\/local-cloud|until \[ -s).*$/gm, '')
      .replaceAll('9999', String(await freePort()));
    const files = { 'strata.json': JSON.stringify({ base_url, api_key, session_token }) };
    const { code, output } = await runInShell(commands, files, {});
    assert.equal(code, 0, output);
    for (const shown of [/"status":"completed"/, /"upserted":1/, /"deleted":1/, /"event_type":"index\.updated"/])
      assert.match(output, shown);
  });
});
