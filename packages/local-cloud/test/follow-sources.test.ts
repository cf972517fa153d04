import assert from 'node:assert/strict';
import { writeFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { staleBundles } from '../src/dev/follow-sources.ts';
import { watchSources } from '../src/dev/watch-sources.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts';

test('a changed source makes its own bundles stale, and those that have such a bundle beside them', () => {
  const entry = (id: string, ...from: readonly string[]) => ({
    id,
    source: '',
    files: from.map((file) => ({ from: file, to: 'process.cjs' })),
  });
  const order = {
    entries: [entry('reader'), entry('starts-reader', 'dist/functions/reader/index.cjs'), entry('other')],
    projectDirectory: '/project',
    outputDirectory: '/project/dist/functions',
  };
  const sources = new Map([
    ['reader', ['shared/read.ts']],
    ['starts-reader', ['functions/start.ts']],
    ['other', ['functions/other.ts']],
  ]);
  const staleIds = (...changed: readonly string[]) => staleBundles(order, sources, changed).entries.map(({ id }) => id);
  assert.deepEqual(staleIds('shared/read.ts'), ['reader', 'starts-reader']);
  assert.deepEqual(staleIds('functions/other.ts'), ['other']);
  assert.deepEqual(staleIds('docs/other.md'), []);
});

test('files that change while a change is handled are handled next', async () => {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, 'functions', 'deep'), { recursive: true });
  const seen: string[] = [];
  const first = Promise.withResolvers<void>();
  watchSources(directory, ['functions'], async (paths) => {
    seen.push(...paths);
    if (seen.length === 1) await first.promise;
  });
  const write = (name: string): void => writeFileSync(join(directory, 'functions', 'deep', name), 'x');
  await eventually(() => {
    write('one.ts');
    return seen.length > 0 ? true : null;
  });
  write('two.ts');
  first.resolve();
  await eventually(() => (seen.includes(join('functions', 'deep', 'two.ts')) ? true : null));
  assert.equal(seen[0], join('functions', 'deep', 'one.ts'));
});
