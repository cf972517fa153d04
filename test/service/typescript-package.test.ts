import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { projectDirectory } from '../../scripts/support/project-directory.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { startService } from '../support/shared-service.ts';
import { newOrganization } from './support/organization.ts';

const { baseUrl } = await startService();
const run = promisify(execFile);
const installed = join(projectDirectory, 'node_modules');

const source = join(projectDirectory, 'packages', 'typescript');
const [, tour = ''] = /^```ts\n([^]*?)^```/m.exec(readFileSync(join(source, 'README.md'), 'utf8')) ?? [];
const program = `${tour}
import type { IndexResponse, StrataClient } from 'strata-client';
const client: StrataClient = strata;
const index: IndexResponse = await client.post('/v1/indexes', { body: { name: 'packed' } });
console.log(index.name);
// @ts-expect-error -- the API has no such path
await strata.get('/v1/nothing').catch(() => null);
`;

test('the tour of the packed TypeScript client passes strict type checks and runs', async () => {
  const { key } = await newOrganization(baseUrl);
  const directory = temporaryDirectory();
  const { stdout: packed } = await run('npm', ['pack', '--silent', '--pack-destination', directory], { cwd: source });
  const folder = join(directory, 'node_modules', 'strata-client');
  mkdirSync(folder, { recursive: true });
  await run('tar', [
    '-xzf',
    join(directory, packed.trim().split('\n').at(-1) ?? ''),
    '--strip-components=1',
    '-C',
    folder,
  ]);
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers', '@types'])
    symlinkSync(join(installed, name), join(directory, 'node_modules', name));
  writeFileSync(join(directory, 'package.json'), '{"type":"module"}');
  writeFileSync(join(directory, 'main.ts'), program);
  const compilerOptions = [
    '--strict',
    '--skipLibCheck',
    'false',
    '--module',
    'nodenext',
    '--target',
    'es2023',
    '--lib',
    'es2023,dom',
  ];
  await run(join(installed, '.bin', 'tsc'), [...compilerOptions, '--types', 'node', 'main.ts'], {
    cwd: directory,
  }).catch(({ stdout }: { readonly stdout: string }) => assert.fail(stdout));
  const env = { ...process.env, STRATA_URL: baseUrl, STRATA_API_KEY: key.bearer ?? '' };
  const { stdout } = await run(process.execPath, ['main.js'], { cwd: directory, env });
  const [tea, rail] = ['Green tea is brewed at eighty degrees.', 'Trains run on rails.'];
  const [found, ...rest] = stdout.trim().split('\n');
  assert.equal(found, `completed tea.txt ${tea}`);
  // Rows are listed in order of their ids, and that of the file is random.
  assert.deepEqual(rest.toSorted(), [tea, rail, 'not_found', 'packed'].toSorted());
});
