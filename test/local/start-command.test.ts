import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { lockData } from '../../local/data/data-lock.ts';
import { closeServer, listen } from '../../local/data/listen.ts';
import { temporaryDirectory } from './fixture-cloud.ts';

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const start = (args: readonly string[], before: readonly string[] = []): Promise<Ended> =>
  new Promise((resolve) => {
    const script = join(import.meta.dirname, '..', '..', 'local', 'start.mjs');
    const child = execFile(process.execPath, [...before, script, ...args], (_, stdout, stderr) => {
      resolve({ code: child.exitCode ?? -1, stdout, stderr });
    });
  });

const assertRefused = ({ code, stdout, stderr }: Ended, line: RegExp): void => {
  assert.equal(code, 1);
  assert.equal(stdout, '');
  assert.match(stderr, line);
  assert.equal(stderr.trimEnd().split('\n').length, 1, stderr);
};

test('a second instance on the same data is refused in one line', async (t) => {
  const data = temporaryDirectory(t);
  const lock = lockData(data);
  assertRefused(
    await start(['--data', data, '--port', '0']),
    new RegExp(`is in use by another instance \\(process ${process.pid}\\)\\n$`),
  );
  lock.release();
});

test('a used port is refused in one line', async (t) => {
  const server = createServer();
  const port = await listen(server, 0);
  assertRefused(
    await start(['--data', temporaryDirectory(t), '--port', String(port)]),
    /^port \d+ is in use; choose another with --port\n$/,
  );
  await closeServer(server);
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
});

test('a data directory is free again as soon as its holder gives it back', (t) => {
  const data = temporaryDirectory(t);
  const first = lockData(data);
  assert.throws(() => lockData(data), /in use/);
  first.release();
  const second = lockData(data);
  assert.equal(second.afterCrash, false);
  second.release();
});
