import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectDirectory } from '../../scripts/support/project-directory.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { call } from './support/organization.ts';
import { startProcess } from './support/process.ts';

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const runScript = (name: string, args: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    const script = join(projectDirectory, 'scripts', `${name}.ts`);
    const child = execFile(process.execPath, [script, ...args], (_, stdout, stderr) => {
      resolve({ code: child.exitCode ?? -1, stdout, stderr });
    });
  });

const assertRefused = ({ code, stderr }: Ended, line: RegExp): void => {
  assert.equal(code, 1);
  assert.match(stderr, line);
  assert.equal(stderr.trimEnd().split('\n').length, 1, stderr);
};

test('a copy that was made while rows were written has all that was acknowledged before, and serves it after a restore', async (t) => {
  const directory = temporaryDirectory();
  const [data, copy, restored] = ['data', 'copy', 'restored'].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ];
  const first = await startProcess(data);
  t.after(first.kill);
  const local = ['--local', first.baseUrl];
  const { body: index } = await call(first.key, 'POST', '/v1/indexes', { name: 'copied', dimensions: 2 });
  const path = `/v1/indexes/${index.id}`;
  const acknowledged: string[] = [];
  const state = { isWriting: true };
  const write = async (writer: number): Promise<void> => {
    for (let at = 0; state.isWriting; at += 1) {
      const id = `${writer}-${at}`;
      const { status } = await call(first.key, 'POST', `${path}/vectors`, [{ id, vector: [1, at], text: `row ${id}` }]);
      assert.equal(status, 200);
      acknowledged.push(id);
    }
  };
  const writers = [0, 1, 2].map(write);
  while (acknowledged.length < 20) await call(first.key, 'GET', path);
  const before = [...acknowledged];
  const made = await runScript('backup', ['--to', copy, ...local]);
  assert.equal(made.code, 0, made.stderr);
  state.isWriting = false;
  await Promise.all(writers);
  assert.ok(acknowledged.length > before.length);
  assertRefused(await runScript('backup', ['--to', copy, ...local]), /copy exists: give the path of a new folder\n$/);
  assertRefused(
    await runScript('backup', ['--to', join(data, 'copy'), ...local]),
    /is in the data directory: give the path of a folder outside of it\n$/,
  );
  const forged = await fetch(`${first.baseUrl}/_local/backup`, { method: 'POST', body: JSON.stringify({ directory }) });
  assert.equal(forged.status, 403);
  assertRefused(
    await runScript('restore', ['--from', copy, '--data', data]),
    /data is in use by another instance \(process \d+\): stop it, or choose another folder with --data\n$/,
  );
  await first.kill();
  assertRefused(
    await runScript('restore', ['--from', copy, '--data', data]),
    /data contains data: move it away, or choose another folder with --data\n$/,
  );
  const brought = await runScript('restore', ['--from', copy, '--data', restored]);
  assert.equal(brought.code, 0, brought.stderr);
  const second = await startProcess(restored);
  t.after(second.kill);
  assert.equal(second.key.bearer, first.key.bearer);
  const { body: found } = await call(second.key, 'POST', `${path}/vectors/fetch`, { ids: before });
  assert.equal(found.vectors.length, before.length);
  const hits = await call(second.key, 'POST', `${path}/search/hybrid`, { text: 'row', vector: [1, 0], top_k: 5 });
  assert.equal(hits.body.results.length, 5);
  const written = await call(second.key, 'POST', `${path}/vectors`, [{ id: 'after', vector: [1, 1] }]);
  assert.equal(written.status, 200);
});

test('an unfinished copy is not restored, and data without a service has no copy made', async () => {
  const directory = temporaryDirectory();
  const copy = join(directory, 'copy');
  mkdirSync(copy);
  writeFileSync(join(copy, 'settings.json'), '{}');
  const data = join(directory, 'data');
  assertRefused(
    await runScript('restore', ['--from', copy, '--data', data]),
    /copy is no complete copy of npm run backup: it has no backup\.json\n$/,
  );
  assert.ok(!existsSync(data));
  assertRefused(
    await runScript('backup', ['--to', join(directory, 'other'), '--local', 'http://127.0.0.1:9']),
    /^no local run answers at http:\/\/127\.0\.0\.1:9\n$/,
  );
});
