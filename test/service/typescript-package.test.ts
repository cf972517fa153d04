import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { projectDirectory } from '../../scripts/support/project-directory.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { startService } from '../support/whole-service.ts';
import { newOrganization } from './support/organization.ts';

const { baseUrl } = await startService();
const run = promisify(execFile);
const installed = join(projectDirectory, 'node_modules');

const program = `
import { createClient, StrataError, type IndexResponse, type StrataClient } from 'strata-client';

const strata: StrataClient = createClient({ baseUrl: process.env['STRATA_URL'] ?? '', token: process.env['STRATA_API_KEY'] ?? null });
const index: IndexResponse = await strata.post('/v1/indexes', { body: { name: 'packed' } });
const path = { index_id: index.id };
await strata.uploadFile(index.id, { filename: 'a.txt', contentType: 'text/plain', content: new Blob(['Hello.']) });
const names: string[] = [];
for await (const job of strata.pages('/v1/indexes/{index_id}/files', { params: { path } })) names.push(job.filename);
await strata.delete('/v1/indexes/{index_id}', { params: { path } });
const error: unknown = await strata.get('/v1/indexes/{index_id}', { params: { path } }).catch((error: unknown) => error);
console.log(JSON.stringify({ names, code: error instanceof StrataError ? error.code : error }));
// @ts-expect-error -- the API has no such path
await strata.get('/v1/nothing').catch(() => null);
`;

test('the packed TypeScript client passes strict type checks and uploads a file', async (context) => {
  const { key } = await newOrganization(baseUrl);
  const directory = temporaryDirectory(context);
  const source = join(projectDirectory, 'packages', 'typescript');
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
  assert.deepEqual(JSON.parse(stdout), { names: ['a.txt'], code: 'not_found' });
});
