import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { linkLayer } from '../../scripts/bundle/link-layer.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const native = '@acme/engine-linux-x64-gnu';
const version = '1.2.3';

/** Serves one package as a registry of npm does. Returns the checksum of its archive. */
const openRegistry = async (t: TestContext): Promise<string> => {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, 'package'));
  writeFileSync(join(directory, 'package', 'package.json'), JSON.stringify({ name: native, version }));
  writeFileSync(join(directory, 'package', 'engine.node'), 'for Linux on x86-64');
  execFileSync('tar', ['-czf', 'engine.tgz', 'package'], { cwd: directory });
  const archive = readFileSync(join(directory, 'engine.tgz'));
  const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
  const server = createServer(({ url = '', headers: { host } }, response) => {
    if (url.endsWith('.tgz')) return void response.end(archive);
    const dist = { tarball: `http://${host}/engine.tgz`, integrity };
    const versions = { [version]: { name: native, version, dist } };
    response.end(JSON.stringify({ name: native, 'dist-tags': { latest: version }, versions }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const before = { ...process.env };
  t.after(() => Object.assign(process.env, { npm_config_registry: before['npm_config_registry'] ?? '' }));
  process.env['npm_config_registry'] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  process.env['npm_config_cache'] = join(directory, 'cache');
  return integrity;
};

/** A project on a machine of another platform: npm has installed the engine for that one alone. */
const openProject = (integrity: string): string => {
  const directory = temporaryDirectory();
  const write = (path: string, value: object | string): void => {
    mkdirSync(join(directory, path, '..'), { recursive: true });
    writeFileSync(join(directory, path), typeof value === 'string' ? value : JSON.stringify(value));
  };
  const optionalDependencies = { [native]: version, '@acme/engine-darwin-arm64': version };
  write('node_modules/@acme/engine/package.json', { name: '@acme/engine', version, optionalDependencies });
  write('node_modules/@acme/engine/index.js', '');
  for (const platform of ['linux/x64', 'linux/arm64', 'darwin/arm64'])
    write(`node_modules/@acme/engine/bin/${platform}/engine.node`, `for ${platform}`);
  write('node_modules/@acme/engine-darwin-arm64/package.json', { name: '@acme/engine-darwin-arm64', version });
  write('node_modules/@acme/engine-darwin-arm64/engine.node', 'for macOS on ARM');
  write('package-lock.json', {
    packages: {
      'node_modules/@acme/engine': { version, optionalDependencies },
      [`node_modules/${native}`]: { version, integrity, os: ['linux'], cpu: ['x64'], libc: ['glibc'] },
      'node_modules/@acme/engine-darwin-arm64': { version, os: ['darwin'], cpu: ['arm64'] },
    },
  });
  return directory;
};

const layerOf = (projectDirectory: string, fetchesNative = true) => ({
  packages: ['@acme/engine'],
  projectDirectory,
  outputDirectory: join(projectDirectory, 'layer'),
  fetchesNative,
});

const nativeFile = (project: string, name: string): string =>
  readFileSync(join(project, 'layer/nodejs/node_modules', name, 'engine.node'), 'utf8');

test('a layer that is made on another platform has the native package for Lambda, and not that of the machine', async (t) => {
  const project = openProject(await openRegistry(t));
  await linkLayer(layerOf(project));
  assert.equal(nativeFile(project, native), 'for Linux on x86-64');
  assert.throws(() => nativeFile(project, '@acme/engine-darwin-arm64'), { code: 'ENOENT' });
  assert.equal(nativeFile(project, '@acme/engine/bin/linux/x64'), 'for linux/x64');
  for (const platform of ['linux/arm64', 'darwin/arm64'])
    assert.throws(() => nativeFile(project, `@acme/engine/bin/${platform}`), { code: 'ENOENT' });
  // A package that was fetched is kept.
  process.env['npm_config_registry'] = 'http://127.0.0.1:9';
  await linkLayer(layerOf(project));
  assert.equal(nativeFile(project, native), 'for Linux on x86-64');
});

test('a native package with another checksum than the lock file has is refused', async (t) => {
  await openRegistry(t);
  const project = openProject(`sha512-${'A'.repeat(86)}==`);
  await assert.rejects(linkLayer(layerOf(project)), /@acme\/engine-linux-x64-gnu@1\.2\.3 has the checksum sha512-/);
  await linkLayer(layerOf(project, false));
  assert.throws(() => nativeFile(project, native), { code: 'ENOENT' });
});
