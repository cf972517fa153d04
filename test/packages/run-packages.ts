// `npm run test:packages`: builds what is published, tries each publication, and uses it as a stranger would, in empty folders.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { findPython } from '../../scripts/emulators/python.ts';
import { stopChild } from '../../scripts/support/stop-child.ts';
import { projectDirectory } from '../../scripts/support/project-directory.ts';

const typescript = `import { createClient } from 'strata-client';
const strata = createClient({ baseUrl: process.env.STRATA_URL, token: process.env.STRATA_API_KEY });
const { id } = await strata.getOrCreateIndex({ name: 'stranger', embedding_model: 'default' });
await strata.upsertVectors(id, [{ id: 'tea', text: 'Green tea is brewed at eighty degrees.' }]);
console.log((await strata.post('/v1/indexes/{index_id}/search/hybrid', { params: { path: { index_id: id } }, body: { text: 'tea' } })).results[0].text);
`;

const python = `from strata_client import StrataClient
strata = StrataClient()
index = strata.get_or_create_index(name="stranger", embedding_model="default").id
strata.upload_and_wait(index, b"Black tea takes boiling water.", filename="tea.txt")
print(strata.hybrid_search(index, text="boiling").results[0].text)
`;

await using opened = new AsyncDisposableStack();
const folder = mkdtempSync(join(tmpdir(), 'strata-packages-'));
opened.defer(() => rmSync(folder, { recursive: true, force: true }));
const path = [dirname(process.execPath), process.env['PATH']].join(delimiter);
const run = (cwd: string, program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): string =>
  execFileSync(program, args, { cwd, env: { ...process.env, PATH: path, ...env }, encoding: 'utf8' });

const emptyFolder = (name: string): string => {
  mkdirSync(join(folder, name));
  return join(folder, name);
};

const published = join(folder, 'published');
console.log(run(projectDirectory, process.execPath, ['scripts/build-packages.ts', '--out', published]));
const find = (pattern: string): string =>
  globSync(join(published, pattern))[0] ?? assert.fail(`${pattern} was not built`);
const install = ['install', '--silent', '--no-audit', '--no-fund'];

const server = emptyFolder('service');
run(server, 'npm', [...install, find('npm/strata-service-*.tgz')]);
const program = join(server, 'node_modules', '.bin', 'strata-service');
const child = spawn(program, ['--json', '--port', '0'], {
  cwd: server,
  env: { ...process.env, PATH: path },
  stdio: 'pipe',
});
opened.defer(() => stopChild(child));
const line = await new Promise<string>((resolve, reject) => {
  createInterface({ input: child.stdout }).once('line', resolve);
  child.once('exit', () => reject(new Error('The packed service did not start')));
});
const service = JSON.parse(line) as { readonly base_url: string; readonly api_key: string };
const env = { STRATA_URL: service.base_url, STRATA_API_KEY: service.api_key };
assert.equal((await fetch(`${service.base_url}/guides/filter.html`)).status, 200);
assert.equal((await fetch(`${service.base_url}/console`)).status, 200);

const client = emptyFolder('client');
run(client, 'npm', [...install, find('npm/strata-client-*.tgz')]);
writeFileSync(join(client, 'main.mjs'), typescript);
assert.equal(run(client, 'node', ['main.mjs'], env), 'Green tea is brewed at eighty degrees.\n');
assert.match(run(client, join('node_modules', '.bin', 'strata'), ['index', 'list'], env), /stranger/);

const notebook = emptyFolder('notebook');
run(notebook, findPython(undefined), ['-m', 'venv', '.']);
run(notebook, join(notebook, 'bin', 'pip'), ['install', '--quiet', find('python/strata_vectors-*.whl')]);
writeFileSync(join(notebook, 'main.py'), python);
assert.equal(run(notebook, join(notebook, 'bin', 'python'), ['main.py'], env), 'Black tea takes boiling water.\n');
console.log('Service, client and wheel work in empty folders: 3 passed, 0 failed');
