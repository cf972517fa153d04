import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { noticeRule, writeComponents, writeNotices } from '../../scripts/publish/notices.ts';
import { projectDirectory } from '../../scripts/support/project-directory.ts';

const textOf = (...path: readonly string[]): string => readFileSync(join(projectDirectory, ...path), 'utf8');
const releasing = textOf('docs', 'releasing.md');
const published = [
  ...['typescript', 'langchain-js', 'ai-sdk', 'mastra'].map((name) => ({ name, manifest: 'package.json' })),
  ...['python', 'langchain', 'llama-index', 'haystack'].map((name) => ({ name, manifest: 'pyproject.toml' })),
];

for (const { name, manifest } of published)
  test(`packages/${name} has everything that a registry shows`, () => {
    const directory = join('packages', name);
    for (const file of ['README.md', 'CHANGELOG.md', 'LICENSE'])
      assert.ok(existsSync(join(projectDirectory, directory, file)), file);
    const text = textOf(directory, manifest);
    for (const field of ['name', 'version', 'description', 'keywords', 'license'])
      assert.match(text, new RegExp(`^\\s*"?${field}"?\\s*[:=]`, 'm'), field);
    const [, published = ''] = /^\s*"?name"?\s*[:=] "([\w-]+)"/m.exec(text) ?? [];
    assert.ok(releasing.includes(`\`${published}\``), `docs/releasing.md names ${published}`);
    if (manifest === 'package.json')
      assert.deepEqual((JSON.parse(text) as { publishConfig: unknown }).publishConfig, { access: 'public' });
  });

test('the notices contain a licence of every package that is installed without tools', () => {
  const notices = writeNotices().split(noticeRule).slice(1);
  assert.ok(notices.length > 200);
  assert.deepEqual(
    notices.filter((notice) => !/\nLicence: \S/.test(notice)).map((notice) => notice.trim().split('\n')[0]),
    [],
  );
});

test('the list of components names every direct dependency of the service with its version', () => {
  const { bomFormat, components } = JSON.parse(writeComponents()) as {
    readonly bomFormat: string;
    readonly components: readonly { readonly purl: string }[];
  };
  assert.equal(bomFormat, 'CycloneDX');
  const listed = new Set(components.map(({ purl }) => decodeURIComponent(purl).replace(/\?.*$/, '')));
  const { dependencies, devDependencies } = JSON.parse(textOf('package.json')) as Record<
    'dependencies' | 'devDependencies',
    Record<string, string>
  >;
  assert.deepEqual(
    Object.entries(dependencies).filter(([name, version]) => !listed.has(`pkg:npm/${name}@${version}`)),
    [],
  );
  for (const tool of ['typescript', 'playwright-core'])
    assert.ok(!listed.has(`pkg:npm/${tool}@${devDependencies[tool]}`), tool);
});
