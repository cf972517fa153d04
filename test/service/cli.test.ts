import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import { Webhook } from 'standardwebhooks';
import type { AuthorizationCreate } from '#client';
import { closeServer, listen } from '../../local/data/listen.ts';
import type { Credentials } from '../../packages/typescript/src/cli/credentials.ts';
import { projectDirectory } from '../../scripts/support/project-directory.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { startService } from '../support/shared-service.ts';
import { apiOf } from './support/api.ts';
import { type Caller, newOrganization } from './support/organization.ts';

const { baseUrl } = await startService();
const packageDirectory = join(projectDirectory, 'packages', 'typescript');
const { bin } = JSON.parse(readFileSync(join(packageDirectory, 'package.json'), 'utf8')) as { bin: { strata: string } };
/** Source of the program that npm installs. */
const program = join(packageDirectory, bin.strata.replace(/^dist/, 'src').replace(/js$/, 'ts'));

const environment = ({ bearer }: Caller): NodeJS.ProcessEnv => ({
  ...process.env,
  STRATA_URL: baseUrl,
  STRATA_API_KEY: bearer ?? '',
});

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const strata = (env: NodeJS.ProcessEnv, args: readonly string[], input = ''): Promise<Ended> =>
  new Promise((resolve) => {
    const child = execFile(process.execPath, [program, ...args], { env }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
    child.stdin?.end(input);
  });

const start = (context: TestContext, env: NodeJS.ProcessEnv, args: readonly string[]): ChildProcess => {
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  context.after(() => child.kill('SIGKILL'));
  return child;
};

test('strata push that was killed creates no second job for a file when it is repeated', async (context) => {
  const { key } = await newOrganization(baseUrl);
  const env = environment(key);
  const directory = join(temporaryDirectory(context), 'files');
  mkdirSync(join(directory, 'inner'), { recursive: true });
  const names = Array.from({ length: 12 }, (_, at) => (at % 2 === 0 ? `${at}.txt` : `inner/${at}.txt`));
  for (const name of names) writeFileSync(join(directory, name), `The lighthouse ${name} stands alone.`);
  const indexId = (await strata(env, ['index', 'create', 'pushed'])).stdout.trim();
  const path = { index_id: indexId };
  const jobs = () => Array.fromAsync(apiOf(key).pages('/v1/indexes/{index_id}/files', { params: { path } }));
  const killed = start(context, env, ['push', directory, '--index', 'pushed', '--concurrency', '2']);
  while ((await jobs()).length < 2) assert.equal(killed.exitCode, null);
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  const repeated = await strata(env, ['push', directory, '--index', indexId, '--json']);
  assert.equal(repeated.code, 0, repeated.stderr);
  assert.deepEqual((await jobs()).map(({ filename }) => filename).toSorted(), names.toSorted());
  writeFileSync(join(directory, '0.txt'), 'The harbour has no ferry.');
  assert.equal((await strata(env, ['jobs', '--watch', '--index', indexId])).code, 0);
  const changed = await strata(env, ['push', directory, '--index', indexId, '--json']);
  assert.deepEqual(JSON.parse(changed.stdout), { index_id: indexId, uploaded: 1, unchanged: 11, failed: 0 });
  await strata(env, ['jobs', '--watch', '--index', indexId]);
  const found = await strata(env, ['search', 'ferry in the harbour', '--index', indexId, '--top-k', '1', '--json']);
  assert.equal((JSON.parse(found.stdout) as { text: string }).text, 'The harbour has no ferry.');
  const exported = await strata(env, ['export', '--index', indexId]);
  await strata(env, ['index', 'create', 'copy']);
  const imported = await strata(env, ['import', '-', '--index', 'copy', '--json'], exported.stdout);
  assert.equal((JSON.parse(imported.stdout) as { rows: number }).rows, 12, imported.stderr);
  const copied = await strata(env, ['export', '--index', 'copy']);
  assert.equal(copied.stdout, exported.stdout);
  const files = join(directory, '.parquet');
  const downloaded = await strata(env, ['export', files, '--format', 'parquet', '--index', indexId]);
  assert.equal(downloaded.code, 0, downloaded.stderr);
  const { stdout: thirdId } = await strata(env, ['index', 'create', 'third']);
  await strata(env, ['alias', 'set', 'live', '--index', 'third']);
  const { stdout: aliases } = await strata(env, ['alias', 'list']);
  assert.equal(aliases, `live  ${thirdId}`);
  const uploaded = await strata(env, ['import', join(files, 'part-00001.parquet'), '--index', 'live']);
  assert.equal(uploaded.code, 0, uploaded.stderr);
  assert.equal((await strata(env, ['export', '--index', 'live'])).stdout, exported.stdout);
});

test('strata events listen forwards an event with a signature that the standard verifier accepts', async (context) => {
  const { session, key } = await newOrganization(baseUrl);
  let secret = '';
  const received = Promise.withResolvers<unknown>();
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      response.end();
      const entries = ['id', 'timestamp', 'signature'].map((name) => [
        `webhook-${name}`,
        String(request.headers[`hook-${name}`]),
      ]);
      try {
        received.resolve(new Webhook(secret).verify(body, Object.fromEntries(entries) as Record<string, string>));
      } catch (error) {
        received.reject(error);
      }
    });
  });
  const port = await listen(server, 0);
  context.after(() => closeServer(server));
  const address = `http://127.0.0.1:${port}/hook`;
  const listener = start(context, environment(session), ['events', 'listen', '--forward-to', address, '--json']);
  assert.ok(listener.stdout);
  for await (const line of createInterface({ input: listener.stdout })) {
    ({ secret } = JSON.parse(line) as { secret: string });
    break;
  }
  await apiOf(key).post('/v1/indexes', { body: { name: 'heard' } });
  assert.equal(((await received.promise) as { type: string }).type, 'index.created');
});

test('strata login stores a credential that works for its owner alone, and errors have exit codes', async (context) => {
  const { key } = await newOrganization(baseUrl);
  const home = temporaryDirectory(context);
  const env = { ...environment(key), XDG_CONFIG_HOME: home, STRATA_API_KEY: undefined };
  assert.equal((await strata(env, ['index', 'list'])).code, 2);
  assert.equal((await strata(env, ['login'], 'svc_live_wrong\n')).code, 3);
  assert.equal((await strata(env, ['login', '--key'])).code, 2);
  assert.equal((await strata(env, ['login'], `${key.bearer}\n`)).code, 0);
  const file = join(home, 'strata', 'credentials.json');
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.ok(readFileSync(file, 'utf8').includes(key.bearer ?? '-'));
  const doctor = await strata(env, ['doctor', '--json']);
  assert.equal(doctor.code, 0, doctor.stdout);
  assert.equal((await strata(env, ['index', 'show', '--index', 'idx_00000000000000000000000000'])).code, 4);
  assert.equal((await strata(env, ['index', 'list', '--url', 'http://127.0.0.1:1'])).code, 2);
  assert.equal((await strata({ ...env, STRATA_API_KEY: 'x' }, ['index', 'list', '--colour'])).code, 2);
  assert.match((await strata(env, ['completion', 'bash'])).stdout, /complete .* strata/);
});

/** Starts a login, grants the access as the page of the console does, and returns where the browser goes then. */
const grantLogin = async (
  context: TestContext,
  env: NodeJS.ProcessEnv,
  session: Caller,
): Promise<{ readonly child: ChildProcess; readonly redirect: string }> => {
  const child = spawn(process.execPath, [program, 'login', '--no-browser'], { env });
  context.after(() => child.kill('SIGKILL'));
  assert.ok(child.stderr);
  for await (const line of createInterface({ input: child.stderr })) {
    if (!line.startsWith(baseUrl)) continue;
    const page = await fetch(line);
    assert.equal(page.status, 200);
    assert.match(await page.text(), /"clientName":"Strata command line","clientHost":null/);
    const query = Object.fromEntries(new URL(line).searchParams) as unknown as AuthorizationCreate;
    const body = { ...query, permissions: ['read', 'write'], index_ids: null } satisfies AuthorizationCreate;
    const { redirect_to: redirect } = await apiOf(session).post('/v1/oauth/authorize', { body });
    return { child, redirect };
  }
  return assert.fail('no address');
};

test('strata login by browser renews its access once for concurrent commands, and logout revokes it', async (context) => {
  const { session } = await newOrganization(baseUrl);
  const home = temporaryDirectory(context);
  const env = { ...environment(session), XDG_CONFIG_HOME: home, STRATA_API_KEY: undefined };
  const { child, redirect } = await grantLogin(context, env, session);
  assert.equal((await fetch(redirect.replace(/state=[^&]*/, 'state=x'))).status, 400);
  const exited = once(child, 'exit');
  assert.equal((await fetch(redirect)).status, 200);
  assert.deepEqual(await exited, [0, null]);
  const file = join(home, 'strata', 'credentials.json');
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.equal((await strata(env, ['index', 'create', 'mine'])).code, 0);
  const first = JSON.parse(readFileSync(file, 'utf8')) as Credentials;
  writeFileSync(file, JSON.stringify({ ...first, renewal: { ...first.renewal, expiresAtMs: 0 } }));
  const listed = await Promise.all(Array.from({ length: 3 }, () => strata(env, ['index', 'list'])));
  for (const { code, stdout, stderr } of listed) {
    assert.equal(code, 0, stderr);
    assert.match(stdout, /mine/);
  }
  const second = JSON.parse(readFileSync(file, 'utf8')) as Credentials;
  assert.notEqual(second.token, first.token);
  assert.equal((await strata(env, ['logout'])).code, 0);
  assert.equal((await strata({ ...env, STRATA_API_KEY: second.token }, ['index', 'list'])).code, 3);
  assert.equal((await strata(env, ['index', 'list'])).code, 2);

  const pasted = await grantLogin(context, env, session);
  const pastedExited = once(pasted.child, 'exit');
  pasted.child.stdin?.end(`${pasted.redirect}\n`);
  assert.deepEqual(await pastedExited, [0, null]);
});
