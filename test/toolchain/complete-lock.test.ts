import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { completeLock, type LockFile } from '../../scripts/complete-lock.ts';

const lock = (): LockFile => ({
  lockfileVersion: 3,
  packages: {
    '': { version: '1.0.0', engines: { node: '>=20' } },
    'node_modules/native': {
      version: '2.0.0',
      engines: { node: '>=24' },
      optionalDependencies: { '@native/linux-x64-musl': '2.0.0', '@native/darwin-arm64': '2.0.0', chatter: '^1.0.0' },
    },
    'node_modules/@native/darwin-arm64': { version: '2.0.0', cpu: ['arm64'], optional: true, os: ['darwin'] },
    'node_modules/tool': { version: '1.0.0', dev: true },
    'node_modules/tool/node_modules/native': {
      version: '1.0.0',
      dev: true,
      optionalDependencies: { '@native/darwin-arm64': '1.0.0', '@native/win32-ia32-msvc': '1.0.0' },
    },
  },
});

test('platform packages are listed where npm would put them, and only those', () => {
  const { lock: complete, added } = completeLock(lock());
  assert.deepEqual(Object.fromEntries(added.map((path) => [path, complete.packages[path]])), {
    'node_modules/@native/linux-x64-musl': {
      version: '2.0.0',
      cpu: ['x64'],
      libc: ['musl'],
      optional: true,
      os: ['linux'],
    },
    'node_modules/tool/node_modules/@native/darwin-arm64': {
      version: '1.0.0',
      cpu: ['arm64'],
      dev: true,
      optional: true,
      os: ['darwin'],
    },
    'node_modules/@native/win32-ia32-msvc': {
      version: '1.0.0',
      cpu: ['ia32'],
      dev: true,
      optional: true,
      os: ['win32'],
    },
  });
  assert.equal(complete.packages['node_modules/native']?.engines, undefined);
  assert.deepEqual(complete.packages['']?.engines, { node: '>=20' });
  assert.deepEqual(completeLock(complete), { lock: complete, added: [], engineClaimsDropped: 0, scriptsDropped: 0 });
});

test('platforms are read from names as npm records them for the packages that it could fetch', async () => {
  const text = await readFile(join(import.meta.dirname, '..', '..', 'package-lock.json'), 'utf8');
  const whole = JSON.parse(text) as LockFile;
  // Native packages of one processor; fsevents is for all of macOS, and npm lists it by itself.
  const served = Object.entries(whole.packages).filter(
    ([, { integrity, optional, os, cpu }]) => integrity && optional && os && cpu,
  );
  assert.ok(served.length > 20);
  const without = Object.fromEntries(
    Object.entries(whole.packages).filter(([path]) => !served.some(([at]) => at === path)),
  );
  const { lock: restored } = completeLock({ ...whole, packages: without });
  const platform = (packages: LockFile['packages'], path: string) => {
    const { version, os, cpu, libc = [] } = packages[path] ?? {};
    return { path, version, os, cpu, libc };
  };
  for (const [path] of served) assert.deepEqual(platform(restored.packages, path), platform(whole.packages, path));
});

test('a package whose scripts are denied has none in the lock file, and others keep theirs', () => {
  const entry = { version: '1.0.0', hasInstallScript: true };
  const lock = { packages: { 'node_modules/denied': entry, 'node_modules/allowed': entry } };
  const { lock: complete, scriptsDropped } = completeLock(lock, ['denied', 'missing']);
  assert.deepEqual(complete.packages, { 'node_modules/allowed': entry, 'node_modules/denied': { version: '1.0.0' } });
  assert.equal(scriptsDropped, 1);
  assert.equal(completeLock(complete, ['denied']).scriptsDropped, 0);
});
