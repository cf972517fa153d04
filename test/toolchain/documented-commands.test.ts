import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

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
