import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { lockData } from '../src/data/data-lock.ts';
import { closeServer, listen } from '../src/data/listen.ts';
import { keepRegions, openSettings } from '../src/data/settings.ts';
import { promisify } from 'node:util';
import { openInvocationLedger } from '../src/host/invocation-ledger.ts';
import { openDatabase } from '../src/object-store/database.ts';
import { openQueueStore } from '../src/queues/queue-store.ts';
import { openTables } from '../src/tables/open-tables.ts';
import { systemClock } from '../../../shared/kernel/clock.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts';

const command = join(import.meta.dirname, '..', 'src', 'start.mjs');

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const start = (args: readonly string[], before: readonly string[] = []): Promise<Ended> =>
  new Promise((resolve) => {
    const child = execFile(process.execPath, [...before, command, ...args], (_, stdout, stderr) => {
      resolve({ code: child.exitCode ?? -1, stdout, stderr });
    });
  });

const assertRefused = ({ code, stdout, stderr }: Ended, line: RegExp): void => {
  assert.equal(code, 1);
  assert.equal(stdout, '');
  assert.match(stderr, line);
  assert.equal(stderr.trimEnd().split('\n').length, 1, stderr);
};

test('a second instance on the same data is refused in one line', async () => {
  const data = temporaryDirectory();
  const lock = lockData(data);
  assertRefused(
    await start(['--data', data, '--port', '0']),
    new RegExp(
      `is in use by another instance \\(process ${process.pid}\\): stop it, or choose another folder with --data\\n$`,
    ),
  );
  lock.release();
});

test('a used port is refused in one line', async () => {
  const server = createServer();
  const port = await listen(server, 0);
  assertRefused(
    await start(['--data', temporaryDirectory(), '--port', String(port)]),
    /^port \d+ is in use; choose another with --port\n$/,
  );
  await closeServer(server);
});

test('options that npm consumed are refused with the right command line', async () => {
  const project = join(import.meta.dirname, '..', '..', '..');
  const run = (file: string, args: readonly string[], variables: NodeJS.ProcessEnv = {}): Promise<Ended> =>
    new Promise((resolve) => {
      const options = { cwd: project, env: { ...process.env, ...variables } };
      const child = execFile(file, args, options, (_, stdout, stderr) => {
        resolve({ code: child.exitCode ?? -1, stdout, stderr: stderr.replaceAll(/^npm .*\n/gm, '') });
      });
    });
  const script = (command: string, path: string, kept: NodeJS.ProcessEnv, args: readonly string[] = []) =>
    run(process.execPath, [path, ...args], { npm_lifecycle_event: command, ...kept });
  const advice = (line: string): RegExp => new RegExp(`Write: ${line}\n$`);
  const [npm, npm11, demo, plan, bench, verify, deploy] = await Promise.all([
    run('npm', ['start', '--silent', '--port', '9001']),
    script('start', command, { npm_config_data: 'true', npm_config_allow_local_webhooks: 'true' }, ['some where']),
    script('demo', 'scripts/demo.ts', { npm_config_ask: 'one\n\ntwo words', npm_config_dimensions: '8' }),
    script('set-plan', 'scripts/set-plan.ts', { npm_config_organization: 'org_1', npm_config_plan: 'scale' }),
    script('bench:flood', 'bench/flood.ts', { npm_config_seconds: 'true', npm_config_rows: 'true' }, ['5', '10']),
    script('verify', 'scripts/verify.ts', { npm_config_only: 'lint' }),
    script('deploy', 'scripts/deploy.ts', { npm_config_parameters: 'strata-api:DeliveryProvider=svix' }),
  ]);
  assertRefused(npm, advice('npm start -- --port 9001'));
  assertRefused(npm11, advice('npm start -- --data "some where" --allow-local-webhooks'));
  assert.match(demo.stderr, advice('npm run demo -- --ask one --ask "two words" --dimensions 8'));
  assertRefused(plan, advice('npm run set-plan -- --organization org_1 --plan scale'));
  assertRefused(bench, advice('npm run bench:flood -- --seconds VALUE --rows VALUE'));
  assertRefused(verify, advice('npm run verify -- --only lint'));
  assertRefused(deploy, advice('npm run deploy -- --parameters strata-api:DeliveryProvider=svix'));
  assert.equal(demo.code, 1);
});

test('an old Node.js is refused in one line before any TypeScript is read', async () => {
  const old = `data:text/javascript,Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.1.0' } })`;
  assertRefused(
    await start([], ['--import', old]),
    /^Strata needs Node\.js 24 or newer to run, and this is 20\.1\.0: /,
  );
});

test('a wrong argument is refused in one line', async () => {
  assertRefused(await start(['--port', 'many']), /^--port many is not a port/);
  assertRefused(await start(['--prot', '1']), /--prot/);
  assertRefused(
    await start(['--speech-model', 'nowhere']),
    /^--speech-model nowhere: there is no speech\.json in it\n$/,
  );
  assertRefused(await start(['--regions', 'mars-1']), /^"mars-1" in regions is not the name of an AWS region/);
});

test('data is opened with no fewer regions than it has, and with the same home', async () => {
  const data = temporaryDirectory();
  keepRegions(openSettings(data), ['us-east-1', 'eu-central-1']);
  for (const regions of ['us-east-1', 'eu-central-1,us-east-1']) {
    assertRefused(
      await start(['--data', data, '--port', '0', '--regions', regions]),
      /^this data lives in us-east-1, eu-central-1: start with --regions us-east-1,eu-central-1\n$/,
    );
  }
  keepRegions(openSettings(data), ['us-east-1', 'eu-central-1', 'eu-west-1']);
  assert.deepEqual(openSettings(data).read().regions, ['us-east-1', 'eu-central-1', 'eu-west-1']);
});

test('data of another format is refused in one line and not changed', async () => {
  const data = temporaryDirectory();
  const file = join(data, 'settings.json');
  const { format, ...known } = openSettings(data).read();
  for (const other of [
    { ...known, format: format - 1 },
    { format: format + 1, keys: [] },
  ]) {
    writeFileSync(file, JSON.stringify(other));
    const refusal = `this data has format ${other.format} and this version knows ${format}: start the version that wrote it, or choose another directory with --data`;
    assertRefused(await start(['--data', data, '--port', '0']), new RegExp(`^${refusal}\\n$`));
    assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), other);
  }
});

test('a damaged settings file and a directory that cannot be locked are refused by name', () => {
  const data = temporaryDirectory();
  for (const text of [
    '{',
    '[]',
    '{"awsPort":1}',
    '{"accessKeyId":"a","secretAccessKey":"b"}',
    '{"format":4,"accessKeyId":"a","secretAccessKey":"b","awsPort":99999999}',
  ]) {
    writeFileSync(join(data, 'settings.json'), text);
    assert.throws(() => openSettings(data), /settings\.json is damaged: restore a copy of it/);
  }
  mkdirSync(join(data, 'lock.sqlite'));
  assert.throws(() => lockData(data), /cannot be written: unable to open database file/);
});

test('data without its settings is refused, because no credential gives access to it', async () => {
  const data = temporaryDirectory();
  mkdirSync(join(data, 'tables'));
  assertRefused(
    await start(['--data', data, '--port', '0']),
    /settings\.json is missing beside existing data: restore a copy of it, /,
  );
});

test('a data directory that is a file, or that cannot be created, is refused by name and reason', async () => {
  const file = join(temporaryDirectory(), 'file');
  writeFileSync(file, '');
  assertRefused(await start(['--data', file]), /file is a file: give the path of a folder with --data\n$/);
  assertRefused(await start(['--data', join(file, 'a', 'b')]), /a\/b cannot be created: ENOTDIR: /);
});

test('a damaged store is refused by the name of its file', async () => {
  const directory = temporaryDirectory();
  const pathOf = (name: string): string => join(directory, name);
  for (const name of ['queues', 'objects', 'ledger', 'tables'])
    writeFileSync(pathOf(name), 'no database at all'.repeat(100));
  const clock = systemClock;
  const refusal = (name: string) => new RegExp(`${name} cannot be opened: [^\\n]+$`);
  assert.throws(
    () => openQueueStore({ file: pathOf('queues'), queues: [], clock, onError: console.error }),
    refusal('queues'),
  );
  assert.throws(() => openDatabase(pathOf('objects')), refusal('objects'));
  assert.throws(() => openInvocationLedger(pathOf('ledger'), clock), refusal('ledger'));
  await assert.rejects(openTables({ file: pathOf('tables'), tables: [], onError: console.error }), refusal('tables'));
});

test('a start with few file descriptors warns', { skip: process.platform === 'win32' }, async () => {
  const few = [
    '-c',
    'ulimit -n 500; exec "$@"',
    'sh',
    process.execPath,
    command,
    '--data',
    join(temporaryDirectory(), 'f'),
  ];
  writeFileSync(few.at(-1) ?? '', '');
  const { stderr } = await promisify(execFile)('sh', few).catch((error: { readonly stderr: string }) => error);
  assert.match(stderr, /^warning: a process may open only 500 files; raise the limit by ulimit -n 4096\n/);
});

test('a data directory can be locked again once its lock is released', () => {
  const data = temporaryDirectory();
  const first = lockData(data);
  assert.throws(() => lockData(data), /in use/);
  first.release();
  const second = lockData(data);
  second.release();
});

test('a service that npm has started stops when npm ends', { skip: process.platform === 'win32' }, async () => {
  // The shell waits for the service, as npm does.
  const serve = ['sh', process.execPath, command, '--data', temporaryDirectory(), '--port', '0', '--json'];
  const npm = spawn('sh', ['-c', '"$@" & wait', ...serve], {
    env: { ...process.env, npm_lifecycle_event: 'start' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [line] = (await once(npm.stdout, 'data')) as [Buffer];
  const { base_url: baseUrl } = JSON.parse(line.toString()) as { readonly base_url: string };
  npm.kill('SIGKILL');
  const isGone = (): Promise<true | null> =>
    fetch(`${baseUrl}/v1/health`).then(
      () => null,
      () => true,
    );
  await eventually(isGone);
});

interface Announced {
  readonly base_url: string;
  readonly api_key: string | null;
  readonly session_token: string | null;
  readonly organization_id: string | null;
  readonly docs_url: string;
  readonly console_url: string;
}

/** Starts the service with `--json`; resolves once its one line is there. */
const startService = async (data: string, args: readonly string[] = []) => {
  const child = spawn(process.execPath, [command, '--data', data, '--port', '0', '--json', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = once(child, 'exit');
  await Promise.race([once(child.stdout, 'data'), ended]);
  assert.equal(child.exitCode, null, stderr);
  const stop = async (): Promise<number | null> => {
    child.kill('SIGTERM');
    await ended;
    assert.equal(stdout.trimEnd().split('\n').length, 1, 'stdout carries one line alone');
    return child.exitCode;
  };
  return { announced: JSON.parse(stdout) as Announced, stop, said: () => stderr };
};

const post = async ({ base_url: baseUrl }: Announced, path: string, bearer: string, body: object) => {
  const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' };
  const response = await fetch(`${baseUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await response.json()) as Readonly<Record<string, unknown>>;
};

/** Organizations of whom an ID token names. */
const organizationsOf = async (service: Announced, idToken: string): Promise<readonly string[]> => {
  const { organizations } = await post(service, '/v1/auth/bootstrap', idToken, {});
  return (organizations as readonly { readonly organization_id: string }[]).map((one) => one.organization_id);
};

/** Signs the owner of the first organization in again. Returns their organizations. */
const signIn = async (service: Announced): Promise<readonly string[]> => {
  const person = { email: 'owner@example.com', name: 'Owner' };
  const { id_token: idToken } = await post(service, '/_local/id-token', '', person);
  return await organizationsOf(service, String(idToken));
};

const statusOf = async ({ base_url: baseUrl, api_key: key }: Announced): Promise<number> =>
  (await fetch(`${baseUrl}/v1/indexes`, { headers: { authorization: `Bearer ${key}` } })).status;

/** An identity provider like that of an operator, with an ID token for a person. */
const openIssuer = async (context: TestContext) => {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const keys = [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256' }];
  const server = createServer((request, response) => {
    const configuration = { issuer, jwks_uri: `${issuer}/keys` };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(request.url === '/keys' ? { keys } : configuration));
  });
  const issuer = `http://127.0.0.1:${await listen(server, 0)}`;
  context.after(() => closeServer(server));
  const idToken = await new SignJWT({ email: 'ada@example.com', email_verified: true, name: 'Ada' })
    .setProtectedHeader({ alg: 'ES256', kid: 'one' })
    .setIssuer(issuer)
    .setAudience('me')
    .setSubject('ada')
    .setExpirationTime('1h')
    .sign(privateKey);
  const args = ['--parameter', `IdentityIssuer=${issuer}`, '--parameter', 'IdentityAudience=me'];
  return { issuer, idToken, args };
};

test('the service starts with a ready organization, stops cleanly, and finds its data after a restart', async () => {
  const data = temporaryDirectory();
  chmodSync(data, 0o755);
  const first = await startService(data);
  assert.equal(statSync(data).mode & 0o777, 0o700);
  const { announced } = first;
  assert.deepEqual(Object.keys(announced), [
    'base_url',
    'api_key',
    'session_token',
    'organization_id',
    'docs_url',
    'console_url',
  ]);
  for (const token of [announced.api_key, announced.session_token]) {
    const response = await fetch(`${announced.base_url}/v1/organization`, {
      headers: { authorization: `Bearer ${token}` },
    });
    assert.equal(
      ((await response.json()) as { readonly organization_id: string }).organization_id,
      announced.organization_id,
    );
  }
  assert.equal(await first.stop(), 0);

  const second = await startService(data);
  const { base_url: _, docs_url: __, console_url: ___, ...kept } = second.announced;
  const { api_key, session_token, organization_id } = announced;
  assert.deepEqual(kept, { api_key, session_token, organization_id });
  assert.notEqual(second.announced.base_url, announced.base_url);
  assert.deepEqual(await signIn(second.announced), [organization_id]);
  assert.equal(await second.stop(), 0);
});

test('with another identity provider the service starts, and a user of that provider creates the first organization', async (t) => {
  const { issuer, idToken, args } = await openIssuer(t);
  const service = await startService(temporaryDirectory(), args);
  const { base_url, docs_url: _, console_url: __, ...nothing } = service.announced;
  assert.deepEqual(nothing, { api_key: null, session_token: null, organization_id: null });
  await eventually(() => (service.said().includes('the first organization.') ? true : null));
  assert.ok(
    service.said().endsWith(`
POST ${base_url}/v1/auth/bootstrap with an ID token of ${issuer} as the bearer makes the first organization.
`),
    service.said(),
  );
  assert.equal((await organizationsOf(service.announced, idToken)).length, 1);
  assert.equal(await service.stop(), 0);
});

test('data created with the local identity provider is served with another, with or without a valid session', async (t) => {
  const data = temporaryDirectory();
  const { args } = await openIssuer(t);
  const local = await startService(data);
  assert.equal(await local.stop(), 0);
  const { base_url: _, docs_url: __, console_url: ___, ...begun } = local.announced;

  const fresh = await startService(data, args);
  assert.partialDeepStrictEqual(fresh.announced, begun);
  assert.equal(await statusOf(fresh.announced), 200);
  assert.equal(await fresh.stop(), 0);

  // What the next day looks like.
  const settings = openSettings(data);
  const { welcome } = settings.read();
  assert.ok(welcome);
  settings.change({ welcome: { ...welcome, sessionExpiresAt: new Date().toISOString() } });
  const later = await startService(data, args);
  assert.partialDeepStrictEqual(later.announced, { ...begun, session_token: null });
  assert.equal(await statusOf(later.announced), 200);
  await eventually(() => (/\nPOST .* opens a session\.\n$/.test(later.said()) ? true : null));
  assert.equal(await later.stop(), 0);
});
