import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildSite, siteDirectory } from '../../scripts/build-site.ts';
import { readIndex } from '../../scripts/site/search.ts';
import { findBrowser } from '../../scripts/support/browser.ts';
import { findBarriers, openBrowser } from '../console/browser.ts';
import { startService } from '../support/shared-service.ts';

await buildSite();
const names = readdirSync(siteDirectory);
const textOf = (name: string): string => readFileSync(join(siteDirectory, name), 'utf8');
const index = names.find((name) => name.startsWith('search-') && name.endsWith('.json')) ?? '';
const search = readIndex(textOf(index));

/** Questions of people who are new, and the pages whose sections answer them. */
const questions: Readonly<Record<string, readonly string[]>> = {
  'isolate customers': ['isolate-customers'],
  'upload 1,000 files': ['upload-many-files'],
  'delete a file with its chunks': ['delete-a-file'],
  filter: ['filter'],
  'price of a million vectors': ['cost-example'],
  'idle cost': ['cost-example'],
  'backup in AWS': ['back-up'],
  'backup on one machine': ['back-up'],
  'another model': ['change-the-model'],
  'rotate a key': ['rotate-a-key'],
  'multi tenant': ['isolate-customers'],
  'how do I move from Pinecone?': ['move-from-others'],
};

for (const [question, pages] of Object.entries(questions))
  test(`the first result of a search for "${question}" answers it`, () => {
    const [first] = search(question);
    const page = /^\/guides\/([\w-]+)\.html/.exec(first?.id ?? '')?.[1] ?? '';
    assert.ok(pages.includes(page), `${first?.id}`);
  });

test('the sections about a price and an idle deployment name the figures', () => {
  const [price, idle] = ['price of a million vectors', 'idle cost'].map((question) => search(question)[0]);
  assert.match(price?.text ?? '', /Price of a million vectors of 1,024 numbers: storage, a month 0\.\d\d/);
  assert.match(idle?.text ?? '', /An idle deployment 8\.50/);
});

test('every link of the site leads to a page and a heading that exist', () => {
  const pages = names.filter((name) => name.endsWith('.html'));
  const anchors = new Map(
    pages.map((name) => [name, new Set([...textOf(name).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))]),
  );
  const broken = pages.flatMap((name) =>
    [...textOf(name).matchAll(/ (?:href|src)="(?:\/guides(?:\/([^"#]*))?)?(?:#([^"]*))?"/g)].flatMap(
      ([link = '', path, anchor]) => {
        const target = link.includes('/guides') ? (path ?? 'index.html') : name;
        const isThere = names.includes(target) && (anchor === undefined || anchors.get(target)?.has(anchor) === true);
        return isThere ? [] : [`${name}: ${link}`];
      },
    ),
  );
  assert.ok(pages.length > 100);
  assert.deepEqual(broken, []);
});

const executablePath = await findBrowser();
const skip = executablePath === null ? 'There is no browser' : false;

test('the service serves the site, whose search opens its first result', { skip, timeout: 290_000 }, async () => {
  const { baseUrl } = await startService();
  const browser = await openBrowser(executablePath ?? '');
  const { page, faults, addresses } = await browser.newPage('en-US');
  await page.goto(`${baseUrl}/guides`);
  assert.deepEqual(await findBarriers(page), []);
  await page.keyboard.press('/');
  await page.keyboard.type('rotate a key');
  await page.getByRole('list', { name: 'Results' }).getByRole('link').first().waitFor();
  assert.deepEqual(await findBarriers(page), []);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Rotate an API key', level: 1 }).waitFor();
  assert.match(page.url(), /\/guides\/rotate-a-key\.html$/);
  await page.getByRole('link', { name: 'Credentials', exact: true }).click();
  await page.getByRole('heading', { name: 'API keys', exact: true }).waitFor();
  assert.deepEqual(await findBarriers(page), []);
  assert.deepEqual(faults, []);
  assert.deepEqual(
    addresses.filter((address) => !address.startsWith(baseUrl)),
    [],
  );
});
