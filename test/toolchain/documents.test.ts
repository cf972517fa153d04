import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { tables } from '../../shared/kernel/names.ts';
import { ownNames } from '../../shared/kernel/row-metadata.ts';

const projectDirectory = join(import.meta.dirname, '..', '..');
const textOf = (path: string): string => readFileSync(join(projectDirectory, path), 'utf8');

test('every npm script that the README or a document names exists', () => {
  const { scripts } = JSON.parse(textOf('package.json')) as { readonly scripts: Readonly<Record<string, string>> };
  const pages = ['README.md', ...globSync('docs/**/*.md', { cwd: projectDirectory })];
  const named = pages.flatMap((page) =>
    [...textOf(page).matchAll(/\bnpm run (?:--\S+ )*([a-z][\w:-]*\w)/g)].map(([, name = '']) => ({ page, name })),
  );
  assert.ok(named.length > 0);
  assert.deepEqual(
    named.filter(({ name }) => !Object.hasOwn(scripts, name)),
    [],
  );
});

test('the page on files names every metadata key that the service adds to a chunk', () => {
  const page = textOf('docs/handbook/06-files.md');
  const [, chunks = ''] = /^## Chunks$([\s\S]*?)^## /m.exec(page) ?? [];
  for (const name of ownNames) assert.ok(chunks.includes(`\`${name}\``), name);
});

test('the page on deploying deletes every table of the deployment', () => {
  const [, named = ''] = /^for table in ([\s\\\w]+); do$/m.exec(textOf('docs/deploy.md')) ?? [];
  assert.deepEqual(named.split(/[\s\\]+/).toSorted(), Object.keys(tables).toSorted());
});

test('every path that the glossary names exists', () => {
  const rows = textOf('docs/glossary.md').split('\n');
  const places = rows.flatMap((row) => /\| `([^`]+)`\s*\|$/.exec(row)?.[1] ?? []);
  assert.ok(places.length > 50);
  assert.deepEqual(
    places.filter((place) => !existsSync(join(projectDirectory, place))),
    [],
  );
});

test('every relative link of a document leads to a file', () => {
  const pages = globSync(['*.md', '{client,docs,examples,test}/**/*.md'], { cwd: projectDirectory });
  const links = pages.flatMap((page) =>
    [...textOf(page).matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)].map(([, to = '']) => ({ page, to })),
  );
  assert.ok(links.length > 100);
  assert.deepEqual(
    links.filter(({ page, to }) => !existsSync(join(projectDirectory, dirname(page), to))),
    [],
  );
});

test('every architecture decision is in the list and has the four sections', () => {
  const list = textOf('docs/adr/README.md');
  const records = globSync('docs/adr/[0-9]*.md', { cwd: projectDirectory });
  const wordsOf = (text: string): number => text.split(/\s+/).filter((word) => /\w/.test(word)).length;
  const problems = records.flatMap((record) => {
    const parts = textOf(record).split(/^## /m);
    const sectionOf = (name: string): string => parts.find((part) => part.startsWith(`${name}\n`)) ?? '';
    return [
      ...['Context', 'Decision', 'Alternatives', 'Consequences'].filter((name) => sectionOf(name) === ''),
      ...(wordsOf(sectionOf('Context')) > 130 ? ['Context is longer than 120 words'] : []),
      ...(list.includes(`](${record.slice('docs/adr/'.length)})`) ? [] : ['not in the list']),
    ].map((problem) => `${record}: ${problem}`);
  });
  assert.deepEqual(problems, []);
});
