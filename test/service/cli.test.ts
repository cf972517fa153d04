import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import { Webhook } from 'standardwebhooks';
import type { AuthorizationCreate } from '#client';
import { closeServer, listen } from '#local-cloud';
import type { Credentials } from '../../packages/typescript/src/cli/credentials.ts';
import { projectDirectory } from '../../scripts/support/project-directory.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { startService } from '../support/shared-service.ts';
import { apiOf } from './support/api.ts';
import { type Caller, newOrganization } from './support/organization.ts';

const { baseUrl, siteUrl } = await startService();
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
  const directory = join(temporaryDirectory(), 'files');
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
  assert.deepEqual(JSON.parse(changed.stdout), {
    index_id: indexId,
    uploaded: 1,
    unchanged: 11,
    failed: 0,
    deleted: 0,
  });
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

/** A folder of files, an index for them and what the tests look at. */
const openFolder = async (files: Readonly<Record<string, string>>) => {
  const { key } = await newOrganization(baseUrl);
  const env = environment(key);
  const directory = join(temporaryDirectory(), 'files');
  const write = (changed: Readonly<Record<string, string>>): void => {
    for (const [name, content] of Object.entries(changed)) {
      mkdirSync(dirname(join(directory, name)), { recursive: true });
      writeFileSync(join(directory, name), content);
    }
  };
  write(files);
  const { id } = await apiOf(key).post('/v1/indexes', { body: { name: 'pushed', dimensions: 8 } });
  const params = { path: { index_id: id } };
  const jobs = () => Array.fromAsync(apiOf(key).pages('/v1/indexes/{index_id}/files', { params }));
  /** Texts of the index with the names of their files. */
  const texts = async () => {
    const rows = await Array.fromAsync(apiOf(key).pages('/v1/indexes/{index_id}/vectors', { params }));
    return rows.map(({ file, text }) => `${file?.filename}: ${text}`).toSorted();
  };
  const args = (more: readonly string[]) => ['push', directory, '--index', id, '--json', ...more];
  const push = async (...more: readonly string[]) => {
    const { code, stdout, stderr } = await strata(env, args(more));
    const line = stdout.trimEnd().split('\n').at(-1) ?? '';
    const counts = JSON.parse(line === '' ? '{}' : line) as {
      uploaded?: number;
      unchanged?: number;
      failed?: number;
      deleted?: number;
    };
    return { code, stdout, stderr, ...counts };
  };
  return { key, env, directory, id, params, write, jobs, texts, push, args };
};

test('strata push of changed files leaves the newest text of each once, repeated at once and after a kill', async (context) => {
  const names = Array.from({ length: 6 }, (_, at) => `inner/${at}.txt`);
  const versionOf = (version: number, count: number) =>
    Object.fromEntries(names.slice(0, count).map((name) => [name, `Text ${version} of ${name}.`]));
  const { env, write, jobs, texts, push, args } = await openFolder(versionOf(1, 6));
  assert.equal((await push('--wait')).code, 0);
  write(versionOf(2, 6));
  assert.deepEqual((await push()).uploaded, 6);
  // The jobs of the first push are under way.
  const repeated = await push();
  assert.deepEqual([repeated.code, repeated.uploaded, repeated.unchanged], [0, 0, 6], repeated.stderr);
  write(versionOf(3, 5));
  const before = (await jobs()).length;
  const killed = start(context, env, args(['--concurrency', '2']));
  while ((await jobs()).length < before + 2) assert.equal(killed.exitCode, null);
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  write(versionOf(4, 4));
  const last = await push('--wait');
  assert.equal(last.code, 0, last.stderr);
  const newest = { ...versionOf(2, 6), ...versionOf(3, 5), ...versionOf(4, 4) };
  assert.deepEqual(
    await texts(),
    Object.entries(newest).map(([name, text]) => `${name}: ${text}`),
  );
  const ended = await jobs();
  assert.equal(ended.filter(({ status }) => status === 'completed').length, 6);
  assert.ok(ended.every(({ status }) => /^(?:completed|superseded|cancelled)$/.test(status)));
});

test('strata push sends deleted and failed files again, and names the reason of a failure', async () => {
  const { key, env, id, params, write, jobs, texts, push } = await openFolder({
    'walrus.txt': 'The walrus sleeps.',
    'broken.pdf': '%PDF-1.7 nothing of the kind',
  });
  const first = await push('--wait');
  assert.deepEqual([first.code, first.uploaded, first.failed], [1, 1, 1]);
  assert.match(first.stderr, /broken\.pdf {2}The PDF is/);
  const walrus = (await jobs()).find(({ filename }) => filename === 'walrus.txt');
  const path = { ...params.path, job_id: walrus?.id ?? '' };
  await apiOf(key).delete('/v1/indexes/{index_id}/files/{job_id}', { params: { path } });
  assert.deepEqual(await texts(), []);
  const again = await push('--wait');
  assert.deepEqual([again.code, again.uploaded, again.failed], [1, 1, 1]);
  assert.deepEqual(await texts(), ['walrus.txt: The walrus sleeps.']);
  const watched = await strata(env, ['jobs', '--watch', '--status', 'failed', '--index', id]);
  assert.equal(watched.code, 1);
  assert.match(watched.stdout, /failed .*broken\.pdf {2}The PDF is/);
  write({ 'broken.pdf': 'It is a text now.' });
  const mended = await push('--wait');
  assert.deepEqual([mended.code, mended.uploaded, mended.unchanged], [0, 1, 1], mended.stderr);
  assert.equal((await strata(env, ['jobs', '--watch', '--index', id])).code, 0);
});

test('strata push leaves out what ignore files and options exclude, and deletes only what it is asked to', async () => {
  const { directory, env, id, jobs, write, push } = await openFolder({
    '.gitignore': 'build/\n*.log\n!keep.log\n',
    'a.md': 'A.',
    'keep.log': 'Kept.',
    'old.log': 'Old.',
    'build/out.txt': 'Out.',
    'inner/.strataignore': '/drafts\n',
    'inner/b.md': 'B.',
    'inner/drafts/c.md': 'C.',
    'inner/drafts.md': 'D.',
  });
  symlinkSync(join(directory, 'a.md'), join(directory, 'link.md'));
  const planned = await push('--dry-run', '--exclude', 'inner/drafts.*');
  assert.deepEqual(planned.stdout.trim().split('\n').slice(0, -1), [
    '{"action":"upload","file":"a.md"}',
    '{"action":"upload","file":"inner/b.md"}',
    '{"action":"upload","file":"keep.log"}',
  ]);
  assert.match(planned.stderr, /link\.md: skipped, because it is a symbolic link/);
  assert.deepEqual(await jobs(), []);
  assert.equal((await push()).uploaded, 4);
  const single = await strata(env, ['push', join(directory, 'old.log'), '--index', id, '--wait', '--json']);
  assert.deepEqual([single.code, (JSON.parse(single.stdout) as { uploaded: number }).uploaded], [0, 1], single.stderr);
  write({ 'a.md': 'A is new.' });
  const removed = await push('--exclude', 'inner', '--delete', '--wait');
  assert.deepEqual([removed.uploaded, removed.unchanged, removed.deleted], [1, 1, 3], removed.stderr);
  const left = (await jobs()).filter(({ status }) => status === 'completed').map(({ filename }) => filename);
  assert.deepEqual(left.toSorted(), ['a.md', 'keep.log']);
  assert.equal((await strata(env, ['push', join(directory, 'none'), '--index', id])).code, 2);
  assert.equal((await push('--exclude', '*', '--delete')).code, 2);
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

test('strata login stores a credential that works for its owner alone, and errors have exit codes', async () => {
  const { key } = await newOrganization(baseUrl);
  const home = temporaryDirectory();
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
  await apiOf(key).post('/v1/indexes', { body: { name: 'harbour' } });
  const unknown = await strata(env, ['search', 'x', '--index', 'harbor']);
  assert.deepEqual([unknown.code, unknown.stderr], [4, 'strata: There is no index "harbor". You have: harbour.\n']);
  assert.equal((await strata(env, ['index', 'list', '--url', 'http://127.0.0.1:1'])).code, 2);
  assert.equal((await strata({ ...env, STRATA_API_KEY: 'x' }, ['index', 'list', '--colour'])).code, 2);
  for (const [shell, form] of Object.entries({ bash: /complete .* strata/, powershell: /'crawl' = 'start list show/ }))
    assert.match((await strata(env, ['completion', shell])).stdout, form);
  assert.match((await strata(env, ['--help'])).stdout, /--version/);
});

test('strata logout works without a login and after one by key, and every output is JSON with --json', async () => {
  const { key } = await newOrganization(baseUrl);
  const env = { ...environment(key), XDG_CONFIG_HOME: temporaryDirectory(), STRATA_API_KEY: undefined };
  const without = await strata(env, ['logout', '--json']);
  assert.deepEqual([without.code, without.stderr, without.stdout], [0, '', '{"revoked":false}\n']);
  assert.equal((await strata(env, ['login', '--url', `${baseUrl}/v1/`], `${key.bearer}\n`)).code, 0);
  assert.equal((await strata(env, ['index', 'list', '--json'])).code, 0);
  const after = await strata(env, ['logout']);
  assert.deepEqual([after.code, after.stderr], [0, '']);
  assert.match(after.stdout, /The credential is removed here/);
  const version = await strata(env, ['--version', '--json']);
  assert.match((JSON.parse(version.stdout) as { version: string }).version, /^\d/);
  const help = JSON.parse((await strata(env, ['--json', '--help'])).stdout) as { commands: { name: string }[] };
  assert.ok(help.commands.some(({ name }) => name === 'push'));
  assert.match((await strata(env, ['push', '--help', '--json'])).stdout, /^\{"name":"push"/);
  const failures = [
    [2, ['nothing', '--json']],
    [2, ['search', '--colour', '--json']],
    [2, ['index', 'list', '--json']],
    [5, ['index', 'list', '--json', '--url', 'http://127.0.0.1:2']],
  ] as const;
  for (const [code, args] of failures) {
    const failed = await strata({ ...env, ...(code === 5 && { STRATA_API_KEY: 'x' }) }, args);
    const { error } = JSON.parse(failed.stderr) as { error: { message: string; exit_code: number } };
    assert.deepEqual([failed.code, error.exit_code, failed.stdout], [code, code, ''], failed.stderr);
  }
  const denied = await strata({ ...env, STRATA_API_KEY: 'svc_live_x' }, ['index', 'list', '--json']);
  const { error } = JSON.parse(denied.stderr) as { error: Record<string, unknown> };
  assert.deepEqual([error['status'], error['code'], error['exit_code']], [401, 'unauthenticated', 3]);
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
    assert.match(await page.text(), /"client_id":"strata-cli"/);
    const query = Object.fromEntries(new URL(line).searchParams) as unknown as AuthorizationCreate;
    const body = { ...query, permissions: ['read', 'write'], index_ids: null } satisfies AuthorizationCreate;
    const { redirect_to: redirect } = await apiOf(session).post('/v1/oauth/authorize', { body });
    return { child, redirect };
  }
  return assert.fail('no address');
};

test('strata login by browser renews its access once for concurrent commands, and logout revokes it', async (context) => {
  const { session } = await newOrganization(baseUrl);
  const home = temporaryDirectory();
  const env = { ...environment(session), XDG_CONFIG_HOME: home, STRATA_API_KEY: undefined };
  const { child, redirect } = await grantLogin(context, env, session);
  assert.equal((await fetch(redirect.replace(/state=[^&]*/, 'state=x'))).status, 400);
  const exited = once(child, 'exit');
  // As browsers open one ahead.
  const idle = connect(Number(new URL(redirect).port), '127.0.0.1');
  context.after(() => idle.destroy());
  await once(idle, 'connect');
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

test('strata keys, branch, usage and index show what the service has, and a key restricted to an index is made', async () => {
  const { key } = await newOrganization(baseUrl);
  const env = environment(key);
  const run = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await strata(env, args);
    assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
    return stdout.trim();
  };
  const indexId = await run('index', 'create', 'harbour');
  const made = JSON.parse(
    await run('keys', 'create', 'reader', '--permissions', 'read', '--only', 'harbour', '--json'),
  ) as {
    readonly id: string;
    readonly index_ids: readonly string[];
    readonly permissions: readonly string[];
    readonly token: string;
  };
  assert.deepEqual([made.index_ids, made.permissions], [[indexId], ['read']]);
  const reader = { ...env, STRATA_API_KEY: made.token };
  assert.equal((await strata(reader, ['index', 'delete', '--index', indexId])).code, 3);
  assert.match(await run('keys', 'list'), new RegExp(`${made.id} .*reader {2}used`));
  await run('keys', 'revoke', made.id);
  assert.equal((await strata(reader, ['search', 'quay', '--index', indexId])).code, 3);

  const branchId = await run('branch', 'create', 'trial', '--index', 'harbour');
  await apiOf(key).post('/v1/indexes/{index_id}/vectors', {
    params: { path: { index_id: branchId } },
    body: [{ id: 'quay', text: 'The quay is long.' }],
  });
  assert.match(await run('branch', 'diff', '--index', 'trial'), /^\S+ +quay$/);
  assert.equal(await run('branch', 'promote', '--index', 'trial'), `Promoted to ${indexId}.`);
  assert.match(await run('search', 'quay', '--index', 'harbour'), /The quay is long\./);
  const usage = JSON.parse(await run('usage', '--json')) as { readonly indexes: number };
  assert.ok(usage.indexes >= 2);
  assert.equal((await strata(env, ['branch', 'merge', '--index', 'trial'])).code, 2);
});

test('strata push sends metadata, and files and jobs show, read, download and cancel what was pushed', async () => {
  const { key } = await newOrganization(baseUrl);
  const env = environment(key);
  const directory = temporaryDirectory();
  writeFileSync(join(directory, 'tide.txt'), 'High water is at noon.');
  const run = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await strata(env, [...args, '--index', 'tides']);
    assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
    return stdout.trim();
  };
  await run('index', 'create', 'tides');
  const wrong = await strata(env, ['push', directory, '--index', 'tides', '--metadata', 'sea']);
  assert.deepEqual([wrong.code, /--metadata is sea\./.test(wrong.stderr)], [2, true]);
  await run('push', directory, '--metadata', '{"sea":"north"}', '--wait');
  const job = JSON.parse(await run('files', 'show', 'tide.txt')) as { readonly id: string; readonly metadata: unknown };
  assert.deepEqual(job.metadata, { sea: 'north' });
  assert.match(await run('search', 'high water', '--filter', '{"sea":"north"}'), /noon/);
  assert.match(await run('files', 'list'), /tide\.txt/);
  assert.match(await run('files', 'text', 'tide.txt'), /High water is at noon\./);
  assert.equal((JSON.parse(await run('jobs', 'show', job.id)) as typeof job).id, job.id);
  const copy = join(directory, 'copy.txt');
  await run('files', 'download', 'tide.txt', copy);
  assert.equal(readFileSync(copy, 'utf8'), 'High water is at noon.');
  const again = await strata(env, ['files', 'download', 'tide.txt', copy, '--index', 'tides']);
  assert.deepEqual([again.code, /exists\. Give another PATH\./.test(again.stderr)], [2, true]);
  assert.equal((await strata(env, ['jobs', 'cancel', job.id, '--index', 'tides'])).code, 1);
  await run('files', 'delete', 'tide.txt');
  const crawl = (await run('crawl', 'start', 'https://site.invalid', '--pages', '3')).split(' ')[0] ?? '';
  assert.match(await run('crawl', 'list'), new RegExp(`^${crawl} .* https://site\\.invalid`));
  const shown = JSON.parse(await run('crawl', 'show', crawl)) as { readonly page_limit: number };
  assert.equal(shown.page_limit, 3);
  const absent = await strata(env, ['files', 'show', 'ebb.txt', '--index', 'tides']);
  assert.deepEqual([absent.code, /There is no file "ebb\.txt"/.test(absent.stderr)], [4, true]);
});

test('strata crawl waits for its pages or cancels, jobs retry reads a file again, and an alias names an index', async () => {
  const { key } = await newOrganization(baseUrl);
  const env = environment(key);
  const run = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await strata(env, [...args, '--index', 'site']);
    assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
    return stdout.trim();
  };
  await run('index', 'create', 'site');
  assert.match(await run('crawl', 'start', siteUrl, '--wait'), /^\S+ {2}completed +3 /);
  const endless = (await run('crawl', 'start', 'https://site.invalid')).split(' ')[0] ?? '';
  assert.match(await run('crawl', 'cancel', endless), new RegExp(endless));
  assert.match(await run('crawl', 'show', endless), /"status": "cancelled"/);

  const directory = temporaryDirectory();
  writeFileSync(join(directory, 'broken.pdf'), '%PDF-1.4 broken');
  assert.equal((await strata(env, ['push', directory, '--index', 'site', '--wait'])).code, 1);
  const failed = (await run('jobs', '--status', 'failed')).split(' ')[0] ?? '';
  const retried = (await run('jobs', 'retry', failed)).split(' ')[0] ?? '';
  assert.notEqual(retried, failed);
  assert.equal((await strata(env, ['jobs', '--watch', '--index', 'site'])).code, 1);
  assert.match(await run('jobs', 'show', retried), /"status": "failed"/);

  await run('alias', 'set', 'harbour-office');
  const { code, stdout } = await strata(env, ['search', 'mooring for a night', '--index', 'harbour-office']);
  assert.deepEqual([code, /twelve euros/.test(stdout)], [0, true]);
});

test('strata source-credentials stores, lists and deletes credentials, and shows no value', async () => {
  const { key } = await newOrganization(baseUrl);
  const env = environment(key);
  const stored = JSON.stringify({ provider: 'azure_blob', credentials: { sas_token: 'sv=1&sig=hunter2' } });
  const set = await strata(env, ['source-credentials', 'set', 'acme', '-'], stored);
  assert.deepEqual([set.code, /^acme {2}azure_blob /.test(set.stdout)], [0, true], set.stderr);
  assert.match((await strata(env, ['source-credentials', 'list'])).stdout, /^acme {2}azure_blob /);
  assert.ok(!set.stdout.includes('hunter2'));
  assert.equal((await strata(env, ['source-credentials', 'delete', 'acme'])).code, 0);
  assert.equal((await strata(env, ['source-credentials', 'list'])).stdout, '');
  assert.equal((await strata(env, ['source-credentials', 'set', 'acme', '-'], 'sig=hunter2')).code, 2);
});

test('strata keys creates a key that is bound to rows', async () => {
  const { key } = await newOrganization(baseUrl);
  const env = environment(key);
  await strata(env, ['index', 'create', 'shared']);
  const bounds = ['--only', 'shared', '--filter', '{"tenant": "acme"}', '--id-prefix', 'acme:'];
  const made = await strata(env, ['keys', 'create', 'acme', ...bounds]);
  const acme = { ...env, STRATA_API_KEY: made.stdout.trim() };
  const rows = ['{"id":"acme:lamp","text":"A blue lamp."}', '{"id":"other:lamp","text":"A red lamp."}'];
  assert.equal((await strata(acme, ['import', '-', '--index', 'shared'], `${rows[0]}\n`)).code, 0);
  assert.equal((await strata(acme, ['import', '-', '--index', 'shared'], `${rows[1]}\n`)).code, 1);
  assert.match((await strata(env, ['export', '--index', 'shared'])).stdout, /"tenant":"acme"/);
});

test('strata golden-set stores questions, and strata eval ends with 1 if a branch loses', async () => {
  const { key } = await newOrganization(baseUrl);
  const env = environment(key);
  const index = (await strata(env, ['index', 'create', 'golden'])).stdout.trim();
  const ofIndex = ['--index', index];
  const rows = ['tea', 'rail', 'harbour', 'violin', 'glacier', 'comet'].map((id) => ({
    id,
    text: `a note about ${id}`,
  }));
  const linesOf = (list: readonly object[]): string => list.map((each) => `${JSON.stringify(each)}\n`).join('');
  assert.equal((await strata(env, ['import', '-', ...ofIndex], linesOf(rows))).code, 0);
  const file = join(temporaryDirectory(), 'questions.jsonl');
  const questions = rows.map(({ id }) => ({ query: id, relevant: [{ id, grade: 1 }] }));
  writeFileSync(file, `${linesOf(questions)}{"query": }\n`);
  const broken = await strata(env, ['golden-set', 'put', 'main', file, ...ofIndex]);
  assert.equal(broken.code, 2);
  assert.match(broken.stderr, /Line 7 of .* is no JSON/);
  writeFileSync(file, linesOf(questions));
  const stored = await strata(env, ['golden-set', 'put', 'main', file, ...ofIndex]);
  assert.equal(stored.stdout.trim(), 'Stored main version 1, 6 questions, 6 relevant items.');
  assert.equal((await strata(env, ['golden-set', 'get', 'main', ...ofIndex])).stdout, linesOf(questions));
  assert.match((await strata(env, ['golden-set', 'list', ...ofIndex])).stdout, /^main version 1, 6 questions/);
  const evaluate = (...more: readonly string[]) =>
    strata(env, ['eval', 'main', '--mode', 'sparse', ...ofIndex, ...more]);
  const alone = await evaluate();
  assert.equal(alone.code, 0, alone.stderr);
  assert.match(alone.stdout, /^6 questions\nsparse index ndcg_at_10 1\.0000 \(1\.0000 to 1\.0000\)$/m);

  const branch = (await strata(env, ['branch', 'create', 'faulty', ...ofIndex])).stdout.trim();
  assert.equal((await evaluate('--compare', branch)).code, 0);
  const lost = rows.slice(0, 5).map((row) => ({ ...row, text: 'TODO' }));
  assert.equal((await strata(env, ['import', '-', '--index', branch], linesOf(lost))).code, 0);
  const worse = await evaluate('--compare', branch);
  assert.equal(worse.code, 1);
  assert.match(worse.stdout, /^sparse compared mrr 0\.1667 .*, -0\.8333 \(-1\.0000 to -0\.5000\)$/m);
  const promote = (maxLoss: string) =>
    strata(env, ['branch', 'promote', '--index', branch, '--require', 'main', '--max-loss', maxLoss]);
  const refused = await promote('0.3');
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /It loses 0\.\d+ of ndcg_at_10 over 6 questions/);
  assert.equal((await promote('0')).code, 2);
  assert.equal((await strata(env, ['import', '-', '--index', branch], linesOf(rows))).code, 0);
  assert.match((await promote('0.3')).stdout, /^Promoted to idx_\w+\. Detectable loss: 0\.2353\.$/m);
  assert.equal((await strata(env, ['golden-set', 'delete', 'main', ...ofIndex])).code, 0);
  assert.equal((await evaluate()).code, 4);
});

test('strata versions lists and restores former versions, and strata search reads one', async () => {
  const { key } = await newOrganization(baseUrl);
  const env = environment(key);
  const index = (await strata(env, ['index', 'create', 'kept'])).stdout.trim();
  const ofIndex = ['--index', index];
  const write = (text: string) => strata(env, ['import', '-', ...ofIndex], `${JSON.stringify({ id: 'tea', text })}\n`);
  assert.equal((await write('green tea')).code, 0);
  const listed = await strata(env, ['versions', 'list', ...ofIndex, '--json']);
  const newest = JSON.parse(listed.stdout.split('\n')[0] ?? '') as { readonly version: number };
  assert.equal((await write('black coffee')).code, 0);
  const search = async (...more: readonly string[]) =>
    (await strata(env, ['search', 'tea', '--mode', 'sparse', ...ofIndex, ...more])).stdout;
  assert.equal(await search(), '');
  assert.match(await search('--as-of', String(newest.version)), /green tea/);
  const restored = await strata(env, ['versions', 'restore', String(newest.version), ...ofIndex]);
  assert.match(restored.stdout, /^Restored version \d+: 1 rows are back, 0 are gone\.$/m);
  assert.match(await search(), /green tea/);
  const unknown = await strata(env, ['versions', 'restore', '2001-01-01T00:00:00Z', ...ofIndex]);
  assert.equal(unknown.code, 1);
  assert.match(unknown.stderr, /no kept version/);
});

test('strata erase removes a person, shows what was found, and refuses what it cannot understand', async () => {
  const { key } = await newOrganization(baseUrl);
  const env = environment(key);
  const index = (await strata(env, ['index', 'create', 'people'])).stdout.trim();
  const ofIndex = ['--index', index];
  for (const person of ['anna', 'ben']) {
    const row = { id: person, text: `${person} likes tea`, metadata: { person } };
    assert.equal((await strata(env, ['import', '-', ...ofIndex], `${JSON.stringify(row)}\n`)).code, 0);
  }
  const erased = await strata(env, ['erase', ...ofIndex, '--subject', 'person=anna', '--json']);
  const { id } = JSON.parse(erased.stdout) as { readonly id: string };
  assert.equal((await strata(env, ['search', 'anna', '--mode', 'sparse', ...ofIndex])).stdout, '');
  assert.match((await strata(env, ['search', 'ben', '--mode', 'sparse', ...ofIndex])).stdout, /ben likes tea/);
  assert.match((await strata(env, ['erase', 'list', ...ofIndex])).stdout, new RegExp(`^${id} running`, 'm'));
  assert.match((await strata(env, ['erase', 'show', id, ...ofIndex])).stdout, /to be verified/);
  const early = await strata(env, ['erase', 'show', id, ...ofIndex, '--out', 'receipt.json']);
  assert.deepEqual([early.code, /has no receipt yet/.test(early.stderr)], [2, true]);
  assert.equal((await strata(env, ['erase', ...ofIndex])).code, 2);
  assert.equal((await strata(env, ['erase', ...ofIndex, '--file', 'a', '--document', 'b'])).code, 2);
  const [{ id: keyId }] = (await (await fetch(`${baseUrl}/v1/receipt-keys`)).json()) as [{ id: string }];
  const file = join(temporaryDirectory(), 'receipt.json');
  writeFileSync(file, JSON.stringify({ text: '{}', signature: Buffer.alloc(64).toString('base64'), key_id: keyId }));
  const invalid = await strata(env, ['erase', '--verify', file]);
  assert.deepEqual([invalid.code, invalid.stdout.trim()], [1, 'The receipt is not valid.']);
});
