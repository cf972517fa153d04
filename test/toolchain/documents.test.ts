import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { tables } from '../../shared/kernel/names.ts';
import { ownNames } from '../../shared/kernel/row-metadata.ts';

const projectDirectory = join(import.meta.dirname, '..', '..');
const textOf = (path: string): string => readFileSync(join(projectDirectory, path), 'utf8');

test('every command that the README and the documents name is there', () => {
  const { scripts } = JSON.parse(textOf('package.json')) as { readonly scripts: Readonly<Record<string, string>> };
  const pages = ['README.md', ...globSync('docs/**/*.md', { cwd: projectDirectory })];
  const named = pages.flatMap((page) =>
    [...textOf(page).matchAll(/\bnpm run (?:--\S+ )*([a-z][\w:-]*)/g)].map(([, name = '']) => ({ page, name })),
  );
  assert.ok(named.length > 0);
  assert.deepEqual(
    named.filter(({ name }) => !Object.hasOwn(scripts, name)),
    [],
  );
});

test('the page on files names every key that tells where a chunk stands', () => {
  const page = textOf('docs/handbook/06-files.md');
  const [, chunks = ''] = /^## Chunks$([\s\S]*?)^## /m.exec(page) ?? [];
  for (const name of ownNames) assert.ok(chunks.includes(`\`${name}\``), name);
});

test('whoever removes a deployment is told of every table that stays', () => {
  const [, named = ''] = /^for table in ([\s\\\w]+); do$/m.exec(textOf('docs/deploy.md')) ?? [];
  assert.deepEqual(named.split(/[\s\\]+/).toSorted(), Object.keys(tables).toSorted());
});
