import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const script = join(import.meta.dirname, '..', '..', 'scripts', 'release.ts');
const skip = spawnSync('git', ['--version']).error === undefined ? false : 'git is not installed';

const changelog = '# Changelog\n\n## Unreleased\n\n### Added\n\n- Something.\n\n## 0.1.0\n\n- The first.\n';

/** A checkout with one commit, made by an author who is in no configuration. */
const openCheckout = () => {
  const directory = temporaryDirectory();
  const person = { NAME: 'A', EMAIL: 'a@example.com' };
  const env = {
    ...process.env,
    ...Object.fromEntries(
      ['AUTHOR', 'COMMITTER'].flatMap((role) => Object.entries(person).map(([key, it]) => [`GIT_${role}_${key}`, it])),
    ),
  };
  const git = (...args: readonly string[]): string =>
    execFileSync('git', args, { cwd: directory, encoding: 'utf8', env }).trim();
  const write = (file: string, text: string) => writeFileSync(join(directory, file), text);
  const read = (file: string): string => readFileSync(join(directory, file), 'utf8');
  const lock = {
    name: 'p',
    version: '0.1.0',
    packages: { '': { version: '0.1.0' }, 'node_modules/x': { version: '9.9.9' } },
  };
  write('package.json', '{\n  "name": "p",\n  "version": "0.1.0"\n}\n');
  write('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`);
  write('CHANGELOG.md', changelog);
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--message', 'Begin');
  const release = (...args: readonly string[]) =>
    spawnSync(process.execPath, [script, ...args], { cwd: directory, encoding: 'utf8', env });
  return { git, write, read, release };
};

test('a release moves the changelog, sets both versions, and tags one commit with its section', { skip }, () => {
  const { git, read, release } = openCheckout();
  assert.equal(release('0.2.0').status, 0);
  assert.match(
    read('CHANGELOG.md'),
    /^# Changelog\n\n## Unreleased\n\n## 0\.2\.0 \(\d{4}-\d\d-\d\d\)\n\n### Added\n\n- Something\.\n\n## 0\.1\.0\n\n- The first\.\n$/,
  );
  assert.equal(read('package.json'), '{\n  "name": "p",\n  "version": "0.2.0"\n}\n');
  assert.partialDeepStrictEqual(JSON.parse(read('package-lock.json')), {
    version: '0.2.0',
    packages: { '': { version: '0.2.0' }, 'node_modules/x': { version: '9.9.9' } },
  });
  assert.equal(git('log', '--format=%s'), 'Release 0.2.0\nBegin');
  assert.equal(git('rev-parse', 'v0.2.0^{commit}'), git('rev-parse', 'HEAD'));
  assert.match(git('tag', '--list', '--format=%(contents)', 'v0.2.0'), /### Added\n\n- Something\./);
  assert.equal(git('status', '--porcelain'), '');
});

test('a dry run of a release shows the section and changes nothing', { skip }, () => {
  const { git, read, release } = openCheckout();
  const { status, stdout } = release('1.0.0', '--dry-run');
  assert.equal(status, 0);
  assert.match(stdout, /- Something\.\n\nWould make: 0\.1\.0 → 1\.0\.0/);
  assert.equal(read('CHANGELOG.md'), changelog);
  assert.equal(git('tag') + git('status', '--porcelain'), '');
});

test('a release that the version, the changelog or the checkout does not allow is refused', { skip }, () => {
  const { git, write, release } = openCheckout();
  const refused = (reason: RegExp, ...args: readonly string[]) => {
    const { status, stderr } = release(...args);
    assert.match(stderr, reason);
    assert.equal(status, 1);
  };
  refused(/Give one version/);
  refused(/"0\.2" is not a version/, '0.2');
  refused(/0\.1\.0 is not later than 0\.1\.0/, '0.1.0');
  git('tag', 'v0.2.0');
  refused(/tag v0\.2\.0 exists/, '0.2.0');
  write('CHANGELOG.md', changelog.replace('### Added\n\n- Something.\n', ''));
  refused(/"Unreleased" in CHANGELOG\.md is empty/, '0.3.0');
  write('CHANGELOG.md', changelog.replace('Something', 'Something else'));
  refused(/changes that are not committed:\n M CHANGELOG\.md/, '0.3.0');
});
