import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { createUserToken } from '#client';
import { findBrowser } from '../../scripts/support/browser.ts';
import { FakeConfluence } from '../connectors/fake-confluence.ts';
import { accessKeys, openObjectStorage } from '../connectors/storages.ts';
import { call, newOrganization } from '../service/support/organization.ts';
import { encodePng } from '#documents';
import { drawText } from '../../packages/documents/test/ocr/pictures.ts';
import { buildPdf, makePdf } from '../support/make-pdf.ts';
import { startService } from '../support/shared-service.ts';
import { mintUserToken } from '../support/user-token.ts';
import { findBarriers, openBrowser, type WatchedPage } from './browser.ts';

const { baseUrl } = await startService();
const executablePath = await findBrowser();
const options = executablePath === null ? { skip: 'There is no browser' } : { timeout: 290_000 };
const browser = executablePath === null ? null : await openBrowser(executablePath);

/** Opens an address of the console and signs a person in at the local identity provider. */
const openSignedIn = async (address: string, email: string, locale: string): Promise<WatchedPage> => {
  const watched = (await browser?.newPage(locale)) ?? assert.fail();
  const { page } = watched;
  await page.goto(address);
  // The address of a page within the console leads to the provider at once.
  if (!address.includes('#')) await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('Another person').click();
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Name').fill('Test Person');
  assert.deepEqual(await findBarriers(page), [], 'Sign in');
  await page.getByRole('button', { name: 'Continue' }).click();
  return watched;
};

/** Opens the console and signs a person in at the local identity provider. */
const signIn = async (email: string, locale: string): Promise<WatchedPage> => {
  const watched = await openSignedIn(`${baseUrl}/console`, email, locale);
  await watched.page.getByRole('heading', { name: 'Start', level: 1 }).waitFor();
  return watched;
};

/** Serves the metadata document of an application, and a page at its redirect URI. */
const openApplication = async (): Promise<{ readonly clientId: string; readonly redirectUri: string }> => {
  const server = createServer((request, response) => {
    const document = { client_id: clientId, client_name: 'Test Agent', redirect_uris: ['http://127.0.0.1/callback'] };
    response.end(request.url === '/client.json' ? JSON.stringify(document) : 'Connected');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clientId = `${origin}/client.json`;
  return { clientId, redirectUri: `${origin}/callback` };
};

/** Opens a session of a person by the API. */
const openSession = async (email: string) => {
  const { body } = await call({ baseUrl, bearer: null }, 'POST', '/_local/id-token', { email, name: 'Test Person' });
  return (await call({ baseUrl, bearer: body.id_token }, 'POST', '/v1/auth/bootstrap')).body;
};

/** Closes the dialog of a value that is shown once, which nothing else closes. */
const confirmStored = async (page: Page): Promise<void> => {
  await page.locator('[data-secret]').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Done' }).isDisabled(), true);
  await page.getByLabel('I have stored it').check();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.locator('[data-secret]').waitFor({ state: 'detached' });
};

/** Returns an expression: whether the content of an element is wider than the element. */
const overflows = (selector: string): string =>
  `(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)(document.querySelector('${selector}'))`;

const openPage = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
};

const assertNoBarriers = async (page: Page, place: string): Promise<void> => {
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
  assert.deepEqual(await findBarriers(page), [], place);
};

/** Requires that a page has no barriers in light and dark, and fits a phone. */
const assertUsable = async (page: Page, place: string): Promise<void> => {
  await assertNoBarriers(page, place);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 390, height: 844 });
  await assertNoBarriers(page, `${place} on a phone, in dark`);
  assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true, place);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1440, height: 900 });
};

/** Drops files on the drop area of the files page. */
const dropFiles = async (
  page: Page,
  files: readonly { readonly name: string; readonly type: string; readonly bytes: Uint8Array }[],
): Promise<void> => {
  const dataTransfer = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer();
    for (const { name, type, content } of ${JSON.stringify(files.map(({ name, type, bytes }) => ({ name, type, content: Buffer.from(bytes).toString('base64') })))})
      transfer.items.add(new File([Uint8Array.fromBase64(content)], name, { type }));
    return transfer;
  })()`);
  await page.locator('.drop-area').dispatchEvent('drop', { dataTransfer });
};

/** Uploads a file several times, with each choice that the console offers then. */
const uploadAgain = async (page: Page, rows: Locator): Promise<void> => {
  const drop = (text: string) => dropFiles(page, [{ name: 'note.txt', type: 'text/plain', bytes: Buffer.from(text) }]);
  const dialog = page.getByRole('dialog', { name: 'note.txt exists' });
  const choose = async (name: string): Promise<void> => {
    await dialog.getByRole('button', { name, exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  };
  await drop('The tide rises at ten.');
  await rows.filter({ hasText: 'completed' }).waitFor();
  await drop('The tide rises at noon.');
  await dialog.waitFor();
  await assertNoBarriers(page, 'A file exists');
  await choose('Skip');
  assert.equal(await rows.count(), 1);
  await drop('The tide rises at noon.');
  await choose('Replace');
  await rows.filter({ hasText: 'superseded' }).waitFor();
  assert.equal(await rows.count(), 2);
  await drop('The tide rises at noon.');
  await choose('Keep both');
  await rows.nth(2).waitFor();
};

/** Receives webhooks and counts them by their type. */
const openReceiver = async (): Promise<{ readonly url: string; readonly types: string[] }> => {
  const types: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      types.push((JSON.parse(Buffer.concat(chunks).toString()) as { readonly type: string }).type);
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => server.close());
  return { url: `http://localhost:${(server.address() as AddressInfo).port}/hook`, types };
};

test('a person does everything in the console, from signing in to signing out', options, async () => {
  const { page, faults, addresses } = await signIn(`console-${process.pid}-${Date.now()}@example.com`, 'en-GB');
  let token = '';
  page.on('request', (request) => {
    token = /^Bearer (svc_sess_\S+)/.exec(request.headers()['authorization'] ?? '')?.[1] ?? token;
  });
  await assertNoBarriers(page, 'Start');

  await openPage(page, 'Indexes');
  await page.getByRole('button', { name: 'Create index' }).first().click();
  await page.getByRole('dialog').getByLabel('Name').fill('harbour');
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
  await page.getByText('Drop files here').waitFor();
  await assertNoBarriers(page, 'Files');

  const pages = Array.from({ length: 120 }, (_, at) => `Chapter ${at + 1}. The crane of quay ${at + 1} lifts granite.`);
  pages[110] = 'The keeper of the lighthouse feeds the gulls.';
  await dropFiles(page, [
    { name: 'cranes.pdf', type: 'application/pdf', bytes: await makePdf(pages) },
    { name: 'scan.png', type: 'image/png', bytes: encodePng(await drawText('The pilot leaves at dawn.')) },
    { name: 'broken.pdf', type: 'application/pdf', bytes: Buffer.from('%PDF-1.7 nothing of the kind') },
  ]);
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  await row('cranes.pdf')
    .getByRole('progressbar', { name: /^\d+ of \d+ tasks$/ })
    .waitFor({ state: 'attached' });
  await row('broken.pdf').filter({ hasText: 'The PDF is' }).waitFor();
  await row('scan.png').filter({ hasText: 'completed' }).waitFor();
  await row('cranes.pdf').filter({ hasText: 'completed' }).waitFor();
  await uploadAgain(page, row('note.txt'));

  await row('cranes.pdf').click();
  await page.getByLabel('Page', { exact: true }).fill('107');
  await page.getByText('The crane of quay 107 lifts granite.').waitFor();
  assert.equal(await page.getByText('The crane of quay 10 lifts granite.').count(), 0);
  await page.getByText('embedding.generate').first().waitFor();
  await assertNoBarriers(page, 'File');

  await page.getByRole('tab', { name: 'Search' }).click();
  await page.getByLabel('Query').fill('keeper who feeds gulls');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  for (const name of ['Hybrid', 'Dense: by meaning', 'Sparse: by words'])
    await page
      .getByRole('region', { name })
      .getByRole('article', { name: 'Result 1', exact: true })
      .getByText(/feeds the gulls/)
      .waitFor();
  await page.getByLabel('Share of words in the score').first().waitFor();
  await assertNoBarriers(page, 'Search');
  for (const name of ['Rows', 'Branches', 'Sources', 'Metrics']) {
    await page.getByRole('tab', { name }).click();
    await assertNoBarriers(page, name);
  }

  await openPage(page, 'Keys and clients');
  await page.getByRole('button', { name: 'Create key' }).first().click();
  await page.getByRole('dialog').getByLabel('Name').fill('reader');
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
  const key = (await page.locator('[data-secret]').textContent()) ?? '';
  assert.match(key, /^svc_live_/);
  assert.equal((await call({ baseUrl, bearer: key }, 'GET', '/v1/indexes')).status, 200);
  await page.keyboard.press('Escape');
  assert.equal(await page.getByRole('button', { name: 'Close' }).count(), 0);
  assert.equal(await page.evaluate(overflows('[data-secret]')), false, 'The key is cut off');
  await assertNoBarriers(page, 'A new key');
  await confirmStored(page);
  assert.equal((await page.content()).includes(key), false);
  await page.getByRole('button', { name: 'Create key' }).first().click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Name').fill('customer acme');
  await form.getByLabel('May write as well as read').uncheck();
  await form.getByLabel('For one customer').check();
  await form.getByRole('button', { name: 'Add filter' }).click();
  await form.getByPlaceholder('key').fill('tenant');
  await form.getByPlaceholder('value').fill('acme');
  await form.getByLabel('Searches a minute').fill('300');
  await form.getByLabel('USD a month').fill('2.5');
  await assertNoBarriers(page, 'Key of a customer');
  await form.getByRole('button', { name: 'Create' }).click();
  const bound = { baseUrl, bearer: (await page.locator('[data-secret]').textContent()) ?? '' };
  const [{ name, filter, rate_limits, in_flight, monthly_limits }] = (await call(bound, 'GET', '/v1/api-keys')).body;
  assert.deepEqual(
    { name, filter, rate_limits, in_flight, monthly_limits },
    {
      name: 'customer acme',
      filter: { tenant: { $eq: 'acme' } },
      rate_limits: { searches: 300 },
      in_flight: null,
      monthly_limits: { cost_usd: 2.5 },
    },
  );
  await confirmStored(page);
  await assertNoBarriers(page, 'Keys');

  const receiver = await openReceiver();
  await openPage(page, 'Events');
  await page.getByRole('button', { name: 'Add endpoint' }).click();
  const address = page.getByRole('dialog').getByLabel('Address');
  await address.fill('ftp://nope');
  await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
  const problem = page.getByRole('dialog').getByText('The address must begin with https://', { exact: true });
  await problem.waitFor();
  assert.equal(await address.getAttribute('aria-invalid'), 'true');
  await address.fill(receiver.url);
  await problem.waitFor({ state: 'detached' });
  await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
  await confirmStored(page);
  await page.getByRole('button', { name: 'Send test' }).click();
  await page.getByRole('dialog').getByText('delivered').first().waitFor();
  await page.getByRole('dialog').getByRole('button', { name: '1 attempt', exact: true }).click();
  await page.getByRole('dialog').getByRole('cell', { name: '200', exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('checkbox', { name: /Choose index.created/ }).check();
  await page.getByRole('button', { name: 'Replay 1' }).click();
  await page.getByText('The events are queued again.').waitFor();
  await page.getByRole('button', { name: 'Attempts' }).click();
  await page.getByRole('dialog').getByText('index.created').waitFor();
  await page.keyboard.press('Escape');
  await assertNoBarriers(page, 'Events');
  assert.ok(receiver.types.includes('webhook.test'));

  for (const name of ['Usage', 'Team', 'Settings']) {
    await openPage(page, name);
    await assertNoBarriers(page, name);
  }
  await openPage(page, 'Usage');
  await page.getByRole('figure', { name: /Activity by day: Searches 3/ }).waitFor();
  await page.getByRole('rowheader', { name: 'harbour' }).waitFor();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV by index' }).click(),
  ]);
  assert.match(await readFile(await file.path(), 'utf8'), /^index_id,index,searches,[^\n]+\r\nidx_\w{26},harbour,3,/);

  await openPage(page, 'Audit log');
  await row('webhook_endpoint.created').waitFor();
  await assertNoBarriers(page, 'Audit log');
  await page.getByRole('combobox', { name: 'Action' }).click();
  await page.getByRole('option', { name: 'api_key.created' }).click();
  await page.getByLabel('From').fill('2026-01-01');
  await page.getByRole('button', { name: 'Apply' }).click();
  await row('webhook_endpoint.created').waitFor({ state: 'detached' });
  assert.match(page.url(), /#\/audit\?action=api_key\.created&from=2026-01-01$/);
  await row('reader').click();
  await page.getByRole('dialog').getByRole('cell', { name: 'succeeded' }).waitFor();
  await assertNoBarriers(page, 'Audit record');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.goBack();
  await row('webhook_endpoint.created').waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await assertNoBarriers(page, 'Audit log on a phone');
  assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true);
  await page.setViewportSize({ width: 1440, height: 900 });

  const stored = await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie])');
  assert.doesNotMatch(String(stored), /svc_|eyJ/);
  assert.match(token, /^svc_sess_/);
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  assert.equal((await call({ baseUrl, bearer: token }, 'GET', '/v1/indexes')).status, 401);
  for (const address of addresses) assert.doesNotMatch(address, /svc_|eyJ/);
  assert.deepEqual(faults, []);
});

/** Waits for the picture of a page, and returns whether a box over it contains most of what is dark under the boxes' page. */
const findRegion = async (page: Page, name: string) => {
  const picture = page.getByRole('img', { name, exact: true });
  await picture.waitFor();
  const shares = await page.evaluate(`(async () => {
    const image = document.querySelector('.page-picture img');
    await image.decode();
    const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight).getContext('2d');
    canvas.drawImage(image, 0, 0);
    const darkIn = (left, top, width, height) => {
      const { data } = canvas.getImageData(left, top, Math.max(1, width), Math.max(1, height));
      let dark = 0;
      for (let at = 0; at < data.length; at += 4) if (data[at] < 128) dark += 1;
      return dark;
    };
    const shown = image.getBoundingClientRect();
    const scale = image.naturalWidth / shown.width;
    let inside = 0;
    for (const region of document.querySelectorAll('.page-picture [data-region]')) {
      const box = region.getBoundingClientRect();
      inside += darkIn((box.left - shown.left) * scale, (box.top - shown.top) * scale, box.width * scale, box.height * scale);
    }
    return { inside, all: darkIn(0, 0, image.naturalWidth, image.naturalHeight) };
  })()`);
  return shares as { readonly inside: number; readonly all: number };
};

test('the first page of the console has at most 250 kB', options, async () => {
  const { page, addresses } = (await browser?.newPage('en-GB')) ?? assert.fail();
  await page.goto(`${baseUrl}/console`, { waitUntil: 'networkidle' });
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  const sizes = await Promise.all(
    addresses
      .filter((address) => address.startsWith(baseUrl))
      .map(async (address) => {
        const { headers } = await fetch(address, { headers: { 'accept-encoding': 'br' } });
        return Number(headers.get('content-length'));
      }),
  );
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  assert.ok(bytes > 100_000 && bytes <= 250_000, `${bytes} bytes`);
});

test(
  'a person fills an index with folders and rows, and chooses, filters, edits and deletes them',
  options,
  async () => {
    const { page, faults } = await signIn(`filler-${process.pid}-${Date.now()}@example.com`, 'en-GB');
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    await page.getByRole('button', { name: 'Try it with sample files' }).click();
    await page.getByText('5 of 5 files uploaded').waitFor();
    await row('lighthouse.md').filter({ hasText: 'completed' }).waitFor();

    const folder = await mkdtemp(join(tmpdir(), 'strata-folder-'));
    after(() => rm(folder, { recursive: true, force: true }));
    await mkdir(join(folder, 'notes', '.git'), { recursive: true });
    await writeFile(join(folder, 'tide.txt'), 'The tide rises at ten.');
    await writeFile(join(folder, 'notes', 'gulls.txt'), 'The keeper feeds the gulls at dawn.');
    await writeFile(join(folder, 'notes', '.git', 'config'), 'This is left out.');
    await page.getByRole('button', { name: 'Metadata', exact: true }).click();
    await page.getByRole('button', { name: 'Add metadata' }).click();
    await page.getByLabel('Name of the metadata').fill('year');
    await page.getByLabel('Value of the metadata').fill('1871');
    // An upload that is held back can be cancelled and repeated.
    let isHeld = true;
    await page.route(
      (url) => url.pathname.endsWith('/files'),
      async (route) => {
        if (!isHeld || !(route.request().postData() ?? '').includes('gulls.txt')) await route.fallback();
      },
    );
    await page.getByLabel('Folder to upload').setInputFiles(folder);
    await page.getByText('6 of 7 files uploaded').waitFor();
    await page.getByRole('progressbar', { name: 'All uploads' }).waitFor();
    await assertUsable(page, 'Uploads');
    await page.getByRole('button', { name: /^Cancel .*gulls.txt$/ }).click();
    await page.getByText('6 of 7 files uploaded, 1 cancelled').waitFor();
    isHeld = false;
    await page.getByRole('button', { name: 'Upload again' }).click();
    await page.getByText('7 of 7 files uploaded').waitFor();
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await row('notes/gulls.txt').filter({ hasText: 'completed' }).waitFor();
    await row('tide.txt').filter({ hasText: 'completed' }).waitFor();

    await page.getByRole('button', { name: 'File', exact: true }).click();
    await page.getByRole('columnheader', { name: 'File' }).and(page.locator('[aria-sort=ascending]')).waitFor();
    await page.getByPlaceholder('Part of a name').fill('.md');
    await row('tide.txt').waitFor({ state: 'detached' });
    await row('crane-manual.md').waitFor();
    assert.match(page.url(), /files\?sort=filename&q=\.md$|files\?q=\.md&sort=filename$/);
    assert.deepEqual(
      (await page.getByRole('row').allTextContents()).map((text) => /^[a-z-]+\.md/.exec(text)?.[0]),
      [undefined, 'crane-manual.md', 'harbour-rules.md', 'incidents.md', 'lighthouse.md'],
    );
    await row('lighthouse.md').click();
    await page.getByText('Ada Lindqvist').first().waitFor();
    await page.goBack();
    await row('incidents.md').getByRole('checkbox').check();
    await row('crane-manual.md').getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByRole('dialog', { name: 'Delete 2 files' }).getByRole('button', { name: 'Delete' }).click();
    await row('incidents.md').waitFor({ state: 'detached' });
    await row('lighthouse.md').waitFor();
    await assertUsable(page, 'Files');

    await page.getByRole('tab', { name: 'Rows' }).click();
    await page.getByRole('button', { name: 'Add row' }).first().click();
    await page.getByRole('dialog').getByLabel('Text').fill('A tug arrives at noon.');
    await page.getByRole('dialog').getByLabel('Id').fill('tug');
    await page.getByRole('dialog').getByRole('button', { name: 'Add metadata' }).click();
    await page.getByRole('dialog').getByLabel('Name of the metadata').fill('year');
    await page.getByRole('dialog').getByLabel('Value of the metadata').fill('2026');
    await assertNoBarriers(page, 'Add a row');
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
    await row('A tug arrives at noon.').click();
    await page.getByRole('dialog').getByLabel('Text').fill('A tug arrives at one.');
    await page.getByRole('dialog').getByLabel('Metadata').fill('{"year": 2025, "wind": "west"}');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').getByText('Saved.').waitFor();
    // A key that is left out is removed.
    await page.getByRole('dialog').getByLabel('Metadata').fill('{"year": 2025}');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').getByText('Saved.').waitFor();
    await page.keyboard.press('Escape');
    await row('A tug arrives at one.').filter({ hasText: '{"year":2025}' }).waitFor();

    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByLabel('year').check();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'year' }).click();
    await page.getByRole('columnheader', { name: 'year' }).and(page.locator('[aria-sort=ascending]')).waitFor();
    await row('The tide rises at ten.').filter({ hasText: '1,871' }).waitFor();
    await page.getByRole('button', { name: 'Add filter' }).click();
    await page.getByPlaceholder('key').click();
    await page.getByRole('option', { name: /^year\s*3$/ }).click();
    await page.getByPlaceholder('value').click();
    await page.getByRole('option', { name: /^1871\s*2$/ }).click();
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('2 rows match').waitFor();
    await row('A tug arrives at one.').waitFor({ state: 'detached' });
    await assertUsable(page, 'Rows');
    await page.getByRole('button', { name: 'Delete all that match…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete 2 rows' }).click();
    await page.getByText('No row matches the filter').waitFor();
    await page.goBack();
    await row('A tug arrives at one.').waitFor();

    await page.keyboard.press('/');
    await page
      .getByRole('heading', { name: 'Search in three ways at once' })
      .or(page.getByText('Press / to come'))
      .first()
      .waitFor();
    await page.locator('input[data-search]:focus').waitFor();
    await page.keyboard.type('who fed the gulls?');
    await page.keyboard.press('Enter');
    for (const name of ['Hybrid', 'Dense: by meaning'])
      await page.getByRole('region', { name }).getByRole('article').first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await page.getByRole('region', { name: 'Dense: by meaning' }).locator('article:focus').waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await page.getByRole('article', { name: 'Passage' }).filter({ hasText: 'gulls' }).waitFor();
    await page.goBack();
    assert.equal(await page.locator('#past-queries option').first().getAttribute('value'), 'who fed the gulls?');
    assert.deepEqual(faults, []);
  },
);

test('a person branches, promotes, exports, names and looks back over an organization', options, async () => {
  const email = `keeper-${process.pid}-${Date.now()}@example.com`;
  const { page, faults } = await signIn(email, 'en-GB');
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  const dialog = page.getByRole('dialog');
  const session = { baseUrl, bearer: (await openSession(email)).session_token };
  const create = async (path: string, body: unknown) => {
    const { status, body: created } = await call(session, 'POST', path, body);
    assert.ok(status < 300, `${path}: ${JSON.stringify(created)}`);
    return created;
  };
  const index = await create('/v1/indexes', { name: 'boats', dimensions: 2 });
  const copy = await create('/v1/indexes', { name: 'copy', dimensions: 2 });
  const boat = (id: string, text: string, berth: number) => ({ id, text, vector: [1, 0], metadata: { berth } });
  await create(`/v1/indexes/${index.id}/vectors`, [boat('red', 'The red boat.', 1), boat('blue', 'The blue boat.', 2)]);
  const branch = await create(`/v1/indexes/${index.id}/branches`, { name: 'jetty' });
  await create(`/v1/indexes/${branch.id}/vectors`, [boat('red', 'The red boat sails.', 3), boat('tug', 'A tug.', 4)]);
  await create(`/v1/indexes/${branch.id}/vectors/delete`, { ids: ['blue'] });

  await page.goto(`${baseUrl}/console#/indexes/${branch.id}/branches`);
  await row('Changed').filter({ hasText: 'The red boat.' }).filter({ hasText: 'The red boat sails.' }).waitFor();
  await row('Changed').getByText('berth: 1 → 3').waitFor();
  await row('Deleted').getByText('The blue boat.').waitFor();
  await row('Added').click();
  await dialog.getByRole('region', { name: 'In the branch' }).getByText('A tug.').waitFor();
  await dialog.getByRole('region', { name: 'In the parent' }).getByText('There is no such row.').waitFor();
  await assertNoBarriers(page, 'Difference');
  await page.keyboard.press('Escape');
  await assertUsable(page, 'Differences');
  await page.getByRole('tab', { name: 'Files' }).click();
  await page.getByRole('link', { name: 'boats (0)' }).waitFor();
  await page.getByText('The branch has no files of its own').waitFor();
  await page.getByRole('tab', { name: 'Branches' }).click();
  await page.getByRole('button', { name: 'Promote…' }).click();
  await dialog.getByText('The parent gets exactly the content of the branch.').waitFor();
  await assertNoBarriers(page, 'Promote');
  await dialog.getByRole('button', { name: 'Promote' }).click();
  await page.getByText('2 rows written and 1 deleted in this index.').waitFor();
  await assertUsable(page, 'Promoted');
  await page.getByRole('button', { name: 'Delete the branch…' }).click();
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('The branch is deleted.').waitFor();
  assert.equal((await call(session, 'GET', `/v1/indexes/${branch.id}`)).status, 404);

  const before = (await call(session, 'GET', `/v1/indexes/${index.id}/versions`)).body[0];
  await call(session, 'POST', `/v1/indexes/${index.id}/vectors/delete`, { all: true });
  await page.goto(`${baseUrl}/console#/indexes/${index.id}/versions`);
  await page.getByText('Current', { exact: true }).waitFor();
  await assertUsable(page, 'Versions');
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  await dialog.getByLabel('Days').fill('7');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('kept for 7 days').waitFor();
  await page.getByRole('button', { name: 'Restore…' }).first().click();
  await assertNoBarriers(page, 'Restore');
  await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  const count = await call(session, 'POST', `/v1/indexes/${index.id}/vectors/count`, {});
  assert.equal(count.body.count, before.vectors);

  await page.getByRole('tab', { name: 'Erasures' }).click();
  await page.getByText('Nothing was erased').waitFor();
  await page.getByRole('button', { name: 'Erase…' }).click();
  await assertNoBarriers(page, 'Erase');
  await dialog.getByLabel('Metadata key').fill('person');
  await dialog.getByLabel('Value').fill('anna');
  await dialog.getByRole('button', { name: 'Erase', exact: true }).click();
  await row('running').getByRole('button', { name: 'Show' }).click();
  await dialog.getByText('Files, originals and texts').waitFor();
  await assertNoBarriers(page, 'Erasure');
  await page.keyboard.press('Escape');
  await assertUsable(page, 'Erasures');

  await page.getByRole('tab', { name: 'Exports' }).click();
  await page.getByRole('button', { name: 'Export', exact: true }).first().click();
  await assertNoBarriers(page, 'Export');
  await dialog.getByRole('button', { name: 'Export' }).click();
  await row('Completed').getByRole('button', { name: 'Download' }).click();
  const [file] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('link').click()]);
  assert.match(await readFile(await file.path(), 'utf8'), /"id":"red"/);
  await page.keyboard.press('Escape');
  await assertUsable(page, 'Exports');
  await page.goto(`${baseUrl}/console#/indexes/${copy.id}/exports`);
  await page.getByRole('heading', { name: 'copy', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Import an export' }).click();
  await dialog.getByRole('combobox', { name: 'Index of the export' }).click();
  await page.getByRole('option', { name: 'boats' }).click();
  await dialog.getByRole('combobox', { name: 'Export', exact: true }).click();
  await page.getByRole('option', { name: '2 rows' }).click();
  await dialog.getByRole('button', { name: 'Import' }).click();
  await row('part-00001.jsonl').filter({ hasText: 'completed' }).waitFor();

  await openPage(page, 'Aliases');
  await page.getByRole('button', { name: 'Create alias' }).first().click();
  await dialog.getByLabel('Name').fill('fleet');
  await dialog.getByRole('combobox', { name: 'Index' }).click();
  await page.getByRole('option', { name: 'boats' }).click();
  await dialog.getByRole('button', { name: 'Create' }).click();
  await row('fleet').filter({ hasText: 'boats' }).getByRole('button', { name: 'Move…' }).click();
  await dialog.getByRole('combobox', { name: 'Index' }).click();
  await page.getByRole('option', { name: 'copy' }).click();
  await dialog.getByRole('button', { name: 'Move' }).click();
  await row('fleet').filter({ hasText: 'copy' }).waitFor();
  await assertUsable(page, 'Aliases');
  assert.equal((await call(session, 'GET', '/v1/aliases/fleet')).body.index_id, copy.id);
  await row('fleet').getByRole('button', { name: 'Delete' }).click();
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await row('fleet').waitFor({ state: 'detached' });

  await openPage(page, 'Events');
  await row('export.completed').getByRole('link', { name: 'boats' }).waitFor();
  await row('export.completed').getByText('No endpoint').waitFor();
  await page.getByRole('combobox', { name: 'Type of the events' }).click();
  await page.getByRole('option', { name: 'index.created' }).click();
  await row('export.completed').waitFor({ state: 'detached' });
  assert.match(page.url(), /#\/events\?type=index\.created$/);
  await assertUsable(page, 'Events');

  await openPage(page, 'Settings');
  await page.getByRole('button', { name: 'Change' }).click();
  await dialog.getByLabel('Name').fill('Harbour office');
  await dialog.getByLabel('Spending limit').fill('25');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('banner').getByText('Harbour office').waitFor();
  await page.getByText('US$25.00 a month').waitFor();
  await assertUsable(page, 'Settings');

  await openPage(page, 'Usage');
  await page.getByRole('button', { name: 'Download CSV by day' }).click();
  await assertNoBarriers(page, 'CSV by day');
  const [days] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Download' }).click(),
  ]);
  assert.match(days.suggestedFilename(), /^usage-\d{4}-\d\d-01-\d{4}-\d\d-\d\d\.csv$/);
  assert.match(await readFile(await days.path(), 'utf8'), /^date,index_id,/);
  await page.getByRole('combobox', { name: 'Month' }).click();
  await page.getByRole('option').nth(1).click();
  await page.waitForURL(/#\/usage\?month=\d{4}-\d\d$/);
  await page.getByRole('heading', { name: /^By index, / }).waitFor();
  await assertUsable(page, 'Usage of a month');
  await page.goBack();
  await page.getByRole('heading', { name: 'Limits of the plan' }).waitFor();
  await assertUsable(page, 'Usage');

  await page.goto(`${baseUrl}/console#/indexes/${copy.id}/sources`);
  await page.getByLabel('Address', { exact: true }).fill('nowhere');
  await page.getByRole('button', { name: 'Crawl', exact: true }).click();
  const problem = page.getByText('The address must be an absolute URL');
  await problem.waitFor();
  assert.equal(await page.getByText(/Value error|Input should/).count(), 0);
  await page.getByLabel('Address', { exact: true }).fill('https://example.com');
  await problem.waitFor({ state: 'detached' });
  assert.deepEqual(faults, []);
});

test(
  'a person evaluates a branch, judges hits, sees what people ask, and promotes what has proved itself',
  options,
  async () => {
    const email = `judge-${process.pid}-${Date.now()}@example.com`;
    const { page, faults } = await signIn(email, 'en-GB');
    const dialog = page.getByRole('dialog');
    const session = { baseUrl, bearer: (await openSession(email)).session_token };
    const send = async (method: string, path: string, body: unknown) => {
      const { status, body: made } = await call(session, method, path, body);
      assert.ok(status < 300, `${path}: ${JSON.stringify(made)}`);
      return made;
    };
    const topics = ['tea', 'rail', 'harbour', 'violin', 'glacier', 'comet'];
    const rows = topics.map((id) => ({ id, text: `A note about the ${id}.`, vector: [1, 0] }));
    const index = await send('POST', '/v1/indexes', { name: 'notes', dimensions: 2 });
    const path = `/v1/indexes/${index.id}`;
    await send('POST', `${path}/vectors`, rows);
    const branch = await send('POST', `${path}/branches`, { name: 'edited' });
    await send('POST', `/v1/indexes/${branch.id}/vectors`, [{ ...rows[0], text: 'Nothing about it.' }]);

    await page.goto(`${baseUrl}/console#/indexes/${index.id}/relevance`);
    await page.getByText('Nothing was evaluated yet').waitFor();
    await assertUsable(page, 'No evaluations');
    await page.getByRole('button', { name: 'Store a golden set…' }).click();
    const lines = topics.map((id) => JSON.stringify({ query: id, relevant: [{ id }] }));
    await dialog.getByLabel('Questions').fill(lines.join('\n'));
    await assertNoBarriers(page, 'Store a golden set');
    await dialog.getByRole('button', { name: 'Store' }).click();
    await page.getByText('questions, 6 questions').waitFor();
    await page.getByRole('button', { name: 'Evaluate…' }).click();
    await dialog.getByRole('combobox', { name: 'Search' }).click();
    await page.getByRole('option', { name: 'Sparse' }).click();
    await dialog.getByRole('combobox', { name: 'Compare with the branch' }).click();
    await page.getByRole('option', { name: 'edited' }).click();
    await assertNoBarriers(page, 'Evaluate');
    await dialog.getByRole('button', { name: 'Evaluate' }).click();
    const figures = page.getByRole('table', { name: 'Metrics' });
    await figures.getByRole('row', { name: 'Difference' }).getByText('-0.1667').first().waitFor();
    const question = page.getByRole('region', { name: 'tea', exact: true });
    await question.getByText('-1.0000').waitFor();
    await question.getByRole('region', { name: 'Index: sparse' }).getByText('A note about the tea.').waitFor();
    await question.getByRole('region', { name: 'Compared: sparse' }).getByText('Nothing was found.').waitFor();
    await assertUsable(page, 'Evaluation');

    await page.getByText('All', { exact: true }).click();
    await page.waitForURL(/order=set/);
    const hit = page.getByRole('region', { name: 'rail', exact: true }).getByRole('article').first();
    await hit.focus();
    await page.keyboard.press('g');
    await hit.getByText('relevant, 2').waitFor();
    await page.getByRole('region', { name: 'comet', exact: true }).getByRole('button', { name: 'Bad' }).first().click();
    await page.getByRole('button', { name: 'Save 2 marks' }).click();
    await page.getByRole('button', { name: 'Save 2 marks' }).waitFor({ state: 'detached' });
    const set = await send('GET', `${path}/golden-sets/questions`, undefined);
    assert.deepEqual([set[1].relevant, set[5].relevant], [[{ id: 'rail', grade: 2 }], [{ id: 'comet', grade: 0 }]]);

    await page.getByRole('button', { name: 'Promote…' }).click();
    await dialog.getByLabel('Allowed loss of nDCG').fill('0.01');
    await assertNoBarriers(page, 'Promote a branch that must prove itself');
    await dialog.getByRole('button', { name: 'Promote' }).click();
    await dialog.getByRole('alert').getByText('With 5 questions, a loss below').waitFor();
    await dialog.getByLabel('Allowed loss of nDCG').fill('0.9');
    await dialog.getByRole('button', { name: 'Promote' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { body: promoted } = await call(session, 'POST', `${path}/vectors/fetch`, { ids: ['tea'] });
    assert.equal(promoted.vectors[0].text, 'Nothing about it.');

    await page.getByRole('tab', { name: 'Questions asked' }).click();
    await page.getByText('Searches are not logged.').waitFor();
    await page.getByRole('button', { name: 'Log searches…' }).click();
    await assertNoBarriers(page, 'Log searches');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('100 % of the searches, 30 days').waitFor();
    const found = await send('POST', `${path}/search/sparse`, { text: 'rail' });
    await send('POST', `/v1/searches/${found.search_id}/feedback`, { id: 'rail', event: 'good' });
    await page.reload();
    await page.getByRole('table', { name: 'Logged questions' }).getByRole('row', { name: 'rail 1 0 0 1 0' }).waitFor();
    await assertUsable(page, 'Questions asked');
    await page.getByRole('button', { name: 'Make a golden set' }).click();
    await page.getByText('from-log has 1 question').waitFor();
    await page.getByText('Without an answer').click();
    await page.getByText('No questions').waitFor();
    assert.match(page.url(), /relevance\?log=unanswered$/);
    assert.deepEqual(faults, []);
  },
);

test('a hit opens its file at the passage, and its link and the way back show the same', options, async () => {
  const email = `reader-${process.pid}-${Date.now()}@example.com`;
  const { page, faults } = await signIn(email, 'en-GB');
  await openPage(page, 'Indexes');
  await page.getByRole('button', { name: 'Create index' }).first().click();
  await page.getByRole('dialog').getByLabel('Name').fill('pilots');
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
  await page.getByText('Drop files here').waitFor();
  const manual = await buildPdf((document) => {
    document.fontSize(12).text('Preface about ropes and knots.', 72, 72);
    document.addPage().text('The keeper of the lighthouse feeds the gulls at dawn.', 72, 300);
    document.addPage().text('Appendix about anchors.', 72, 72);
  });
  await dropFiles(page, [
    { name: 'manual.pdf', type: 'application/pdf', bytes: manual },
    { name: 'scan.png', type: 'image/png', bytes: encodePng(await drawText('The pilot leaves at dawn.')) },
  ]);
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  for (const name of ['manual.pdf', 'scan.png']) await row(name).filter({ hasText: 'completed' }).waitFor();

  await page.getByRole('tab', { name: 'Search' }).click();
  await page.getByLabel('Query').fill('keeper who feeds "gulls"');
  await page.getByLabel('Results').fill('5');
  await page.getByLabel('Exact').check();
  await page.getByRole('button', { name: 'Add filter' }).click();
  await page.getByPlaceholder('key').fill('chunk');
  await page.getByRole('combobox', { name: 'Comparison' }).click();
  await page.getByRole('option', { name: '<', exact: true }).click();
  await page.getByPlaceholder('value').fill('9');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  const first = (on: Page) =>
    on.getByRole('region', { name: 'Hybrid' }).getByRole('article', { name: 'Result 1', exact: true });
  await first(page).locator('mark', { hasText: 'gulls' }).waitFor();
  await assertNoBarriers(page, 'Results');
  const results = page.url();
  const ids = await page.getByRole('article').allTextContents();
  await first(page).getByRole('link', { name: 'manual.pdf' }).click();

  const assertPassage = async (on: Page): Promise<void> => {
    const passage = on.getByRole('article', { name: 'Passage' });
    for (const word of ['keeper', 'gulls']) await passage.locator('mark', { hasText: word }).waitFor();
    await on.getByRole('article', { name: 'Neighbour' }).filter({ hasText: 'Preface about ropes' }).waitFor();
    await on.getByRole('article', { name: 'Neighbour' }).filter({ hasText: 'Appendix about anchors' }).waitFor();
    await on
      .getByRole('region', { name: 'Why it is found' })
      .getByText(/Result 1 of the hybrid search/)
      .waitFor();
    const { inside, all } = await findRegion(on, 'Page 2');
    assert.ok(inside > 100 && inside > 0.9 * all, `${inside} of ${all} dark pixels`);
  };
  await assertPassage(page);
  await assertNoBarriers(page, 'Passage');
  const passage = page.url();
  await page.getByRole('button', { name: 'Next page' }).click();
  assert.equal((await findRegion(page, 'Page 3')).inside, 0);
  await page.getByRole('article', { name: 'Neighbour' }).filter({ hasText: 'Preface' }).getByRole('link').click();
  assert.ok((await findRegion(page, 'Page 1')).inside > 100);
  await page.setViewportSize({ width: 390, height: 844 });
  await assertNoBarriers(page, 'Passage on a phone');
  assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true);
  await page.setViewportSize({ width: 1440, height: 900 });

  const requests: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/search/')) requests.push(request.url());
  });
  await page.goBack();
  await first(page).waitFor();
  assert.equal(page.url(), results);
  assert.deepEqual(await page.getByRole('article').allTextContents(), ids);
  assert.deepEqual(requests, []);
  assert.equal(await page.getByPlaceholder('value').inputValue(), '9');

  const other = await openSignedIn(passage, email, 'de-DE');
  await assertPassage(other.page);
  await other.page.getByRole('link', { name: /^Results for/ }).click();
  await first(other.page).waitFor();
  assert.equal(other.page.url(), results);
  assert.equal(await other.page.getByLabel('Query').inputValue(), 'keeper who feeds "gulls"');
  assert.equal(await other.page.getByLabel('Results').inputValue(), '5');
  assert.equal(await other.page.getByLabel('Exact').isChecked(), true);
  assert.equal(await other.page.getByPlaceholder('key').inputValue(), 'chunk');

  await other.page.getByLabel('Query').fill('pilot');
  await other.page.getByLabel('Query').press('Enter');
  await first(other.page).getByRole('link', { name: 'scan.png' }).click();
  const { inside, all } = await findRegion(other.page, 'Page 1');
  assert.ok(inside > 0.9 * all, `${inside} of ${all} dark pixels`);
  assert.deepEqual([faults, other.faults], [[], []]);
});

test('a person deletes and revokes everything that they may, and each is gone without an error', options, async () => {
  const suffix = `${process.pid}-${Date.now()}@example.com`;
  const [owner, member, invited] = ['deleter', 'member', 'invited'].map((name) => `${name}-${suffix}`) as [
    string,
    string,
    string,
  ];
  const { page, faults } = await signIn(owner, 'en-GB');
  const session = { baseUrl, bearer: (await openSession(owner)).session_token };
  const create = async (path: string, body: unknown) => {
    const { status, body: created } = await call(session, 'POST', path, body);
    assert.ok(status < 300, `${path}: ${JSON.stringify(created)}`);
    return created;
  };
  const index = await create('/v1/indexes', { name: 'harbour', dimensions: 2 });
  const inIndex = `/v1/indexes/${index.id}`;
  await create(`${inIndex}/vectors`, [{ id: 'granite', text: 'The crane lifts granite.', vector: [1, 0] }]);
  await create(`${inIndex}/branches`, { name: 'jetty' });
  await create(`${inIndex}/connectors/custom-api`, {
    name: 'Articles',
    base_url: 'https://api.example.com',
    auth: { type: 'none' },
    list: { path: '/articles', items: '/data' },
    item: { id: '/id', text: '/body' },
  });
  await create('/v1/api-keys', { name: 'reader' });
  await create('/v1/oauth/clients', { name: 'importer' });
  await create('/v1/organization/webhooks/endpoints', { url: 'https://example.com/hook' });
  const invitation = await create('/v1/organization/invitations', { email: member });
  const joined = { baseUrl, bearer: (await openSession(member)).session_token };
  await call(joined, 'POST', '/v1/organization/invitations/accept', { invitation_id: invitation.id });
  await create('/v1/organization/invitations', { email: invited });

  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  await openPage(page, 'Indexes');
  await page.getByRole('button', { name: 'Create index' }).first().click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Name').fill('harbour');
  await form.getByRole('button', { name: 'Create' }).click();
  await form.getByRole('alert').getByText(`The index ${index.id} has this name`).waitFor();
  await form.getByLabel('Create another index of this name').check();
  await form.getByRole('button', { name: 'Cancel' }).click();
  await form.waitFor({ state: 'detached' });
  /** Confirms in the dialog, which closes only if the action succeeds, and waits until the row is gone or changed. */
  const confirm = async (action: string, gone: ReturnType<typeof row>): Promise<void> => {
    await page.getByRole('dialog').getByRole('button', { name: action, exact: true }).last().click();
    await page.getByRole('dialog').last().waitFor({ state: 'detached' });
    await gone.waitFor({ state: 'detached' });
    assert.equal(await page.getByRole('alert').count(), 0, action);
  };

  await openPage(page, 'Indexes');
  await page.getByLabel('Name contains').fill('JET');
  await row('harbour').waitFor({ state: 'detached' });
  await row('jetty').getByRole('button', { name: 'Change' }).click();
  await page.getByRole('dialog').getByLabel('Usage key').fill('tenant');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await row('jetty').click();
  await page.getByRole('tab', { name: 'Branches' }).click();
  await page.getByRole('link', { name: 'jetty' }).waitFor();
  const { body: branch } = await call(
    session,
    'GET',
    new URL(page.url()).hash.replace(/^#/, '/v1').replace('/branches', ''),
  );
  assert.deepEqual([branch.name, branch.usage_key], ['jetty', 'tenant']);
  await page.getByRole('link', { name: 'harbour' }).first().click();
  await page.getByRole('heading', { name: 'harbour', level: 1 }).waitFor();
  await page.getByRole('tab', { name: 'Files' }).click();
  await page.getByText('Drop files here').waitFor();
  await dropFiles(page, [{ name: 'tide.txt', type: 'text/plain', bytes: Buffer.from('The tide falls at noon.') }]);
  await row('tide.txt').filter({ hasText: 'completed' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await confirm('Delete', row('tide.txt'));
  await page.getByText('Drop files here').waitFor();
  await page.getByRole('tab', { name: 'Rebuilds' }).click();
  await page.getByRole('button', { name: 'Rebuild…' }).click();
  const rebuild = page.getByRole('dialog');
  await rebuild.getByRole('combobox', { name: 'Language of the texts' }).click();
  await page.getByRole('option', { name: 'German', exact: true }).click();
  await rebuild.getByRole('button', { name: 'Estimate' }).click();
  await rebuild.getByText('1 rows').waitFor();
  await assertNoBarriers(page, 'Rebuild');
  await rebuild.getByRole('button', { name: 'Rebuild', exact: true }).click();
  await row('english → german').filter({ hasText: 'completed' }).waitFor();
  await assertNoBarriers(page, 'Rebuilds');
  await row('english → german').getByRole('button', { name: 'Undo' }).click();
  await confirm('Undo', row('english → german').filter({ hasText: 'completed' }));
  await row('english → german').filter({ hasText: 'rolled back' }).waitFor();
  await page.getByRole('tab', { name: 'Rows' }).click();
  await row('The crane lifts granite.').click();
  await page.getByRole('button', { name: 'Delete row' }).click();
  await confirm('Delete', row('The crane lifts granite.'));
  await page.getByRole('tab', { name: 'Sources' }).click();
  await row('Articles').getByRole('button', { name: 'Remove' }).click();
  await confirm('Remove', row('Articles'));

  await openPage(page, 'Keys and clients');
  for (const name of ['reader', 'importer']) {
    await row(name).getByRole('button', { name: 'Revoke' }).click();
    await confirm('Revoke', row(name).getByRole('button', { name: 'Revoke' }));
  }
  await openPage(page, 'Events');
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await confirm('Delete', page.getByRole('button', { name: 'Send test' }));
  await openPage(page, 'Team');
  await row(member).getByRole('button', { name: 'Remove' }).click();
  await confirm('Remove', row(member).getByRole('button', { name: 'Remove' }));
  await row(invited).getByRole('button', { name: 'Revoke' }).click();
  await row(invited).waitFor({ state: 'detached' });
  await openPage(page, 'Settings');
  await page.getByRole('button', { name: 'End', exact: true }).click();
  await page.getByRole('button', { name: 'End', exact: true }).waitFor({ state: 'detached' });
  assert.equal((await call(session, 'GET', '/v1/indexes')).status, 401);
  await openPage(page, 'Indexes');
  for (const name of ['jetty', 'harbour']) {
    await row(name).getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill(name);
    await confirm('Delete forever', row(name));
  }
  assert.deepEqual(faults, []);
});

test('a person connects Confluence and chooses its spaces from a list', options, async () => {
  const wiki = new FakeConfluence();
  await wiki.server.start();
  after(() => wiki.server.stop());
  for (const key of ['OPS', 'HR', 'LAW', 'DEV']) wiki.spaces.set(key, `Space ${key}`);
  const page1 = { id: '71', kind: 'pages', title: 'Cranes', version: 1, status: 'current' } as const;
  wiki.pages.set('71', { ...page1, space: 'DEV', text: 'The crane lifts granite.' });
  const owner = `owner-${process.pid}-${Date.now()}@example.com`;
  const { page, faults } = await signIn(owner, 'en-GB');
  const session = { baseUrl, bearer: (await openSession(owner)).session_token };
  const index = (await call(session, 'POST', '/v1/indexes', { name: 'harbour', dimensions: 2 })).body;
  await page.goto(`${baseUrl}/console#/indexes/${index.id}/sources`);
  await page.getByRole('combobox', { name: 'Connect an app' }).click();
  await page.getByRole('option', { name: 'Confluence', exact: true }).click();
  const form = page.getByRole('dialog', { name: 'Connect Confluence' });
  await form.getByLabel('Address of the site').fill(wiki.server.url);
  await form.getByLabel('Mail address').fill('ann@acme.example.com');
  await form.getByLabel('API token').fill(wiki.token);
  await assertNoBarriers(page, 'Connect Confluence');
  await form.getByRole('button', { name: 'Connect' }).click();
  const connector = page.getByRole('row').filter({ hasText: 'Confluence' });
  await connector.getByRole('button', { name: 'Scope' }).click();
  const scope = page.getByRole('dialog', { name: 'Scope of Confluence' });
  await scope.getByRole('button', { name: 'Choose from the source' }).click();
  // The last space is on the second page of the list.
  await scope.getByRole('button', { name: 'Add Space DEV' }).click();
  await scope.getByRole('button', { name: 'Added Space DEV' }).waitFor();
  await assertNoBarriers(page, 'Scope');
  await scope.getByRole('button', { name: 'Save and sync' }).click();
  await connector.filter({ hasText: 'active' }).waitFor();
  await connector.getByRole('button', { name: 'Syncs' }).click();
  const syncs = page.getByRole('dialog', { name: 'Syncs of Confluence' });
  await syncs.getByText('1 added, 0 updated, 0 removed, 0 unread').waitFor();
  await assertNoBarriers(page, 'Syncs');
  assert.deepEqual(faults, []);
});

test('a person stores credentials, and connects a folder and imports an object by them', options, async () => {
  const { bucket, endpoint, close } = await openObjectStorage();
  after(close);
  await bucket.put('team/cranes.txt', Buffer.from('The crane lifts granite.'));
  const owner = `owner-${process.pid}-${Date.now()}@example.com`;
  const { page, faults } = await signIn(owner, 'en-GB');
  const session = { baseUrl, bearer: (await openSession(owner)).session_token };
  const index = (await call(session, 'POST', '/v1/indexes', { name: 'harbour', dimensions: 2 })).body;
  await openPage(page, 'Settings');
  await page.getByRole('button', { name: 'Store credentials' }).click();
  const form = page.getByRole('dialog', { name: 'Store credentials' });
  await form.getByLabel('Name').fill('acme-documents');
  await form.getByLabel('Role').fill('no role');
  await form.getByRole('button', { name: 'Store' }).click();
  await form.getByText('Role', { exact: true }).locator('..').locator('.mantine-InputWrapper-error').waitFor();
  await form.getByLabel('Role').fill('');
  await form.getByLabel('Access key id').fill(accessKeys.access_key_id);
  await form.getByLabel('Secret access key').fill(accessKeys.secret_access_key);
  await assertNoBarriers(page, 'Store credentials');
  await form.getByRole('button', { name: 'Store' }).click();
  await page.getByText('acme-documents').waitFor();
  await page.goto(`${baseUrl}/console#/indexes/${index.id}/sources`);
  await page.getByRole('combobox', { name: 'Connect an app' }).click();
  await page.getByRole('option', { name: 'Folder of a bucket' }).click();
  const folder = page.getByRole('dialog', { name: 'Connect a folder of a bucket' });
  await folder.getByLabel('Folder').fill('s3://acme/team/');
  await folder.getByLabel('Endpoint').fill(endpoint);
  await folder.getByRole('combobox', { name: 'Stored credentials' }).click();
  await page.getByRole('option', { name: 'acme-documents' }).click();
  await assertNoBarriers(page, 'Connect a folder of a bucket');
  await folder.getByRole('button', { name: 'Connect' }).click();
  await page.getByRole('row').filter({ hasText: 's3://acme/team/' }).filter({ hasText: 'active' }).waitFor();
  await page.getByRole('button', { name: 'Import an object' }).click();
  const object = page.getByRole('dialog', { name: 'Import an object' });
  await object.getByLabel('Address').fill('s3://acme/team/cranes.txt');
  await object.getByRole('combobox', { name: 'Stored credentials' }).click();
  await page.getByRole('option', { name: 'acme-documents' }).click();
  await assertNoBarriers(page, 'Import an object');
  await object.getByRole('button', { name: 'Import' }).click();
  await page.getByText('The import is queued').waitFor();
  await openPage(page, 'Settings');
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const question = page.getByRole('dialog', { name: 'Delete the credentials' });
  await question.getByRole('button', { name: 'Delete' }).click();
  await question.getByRole('alert').waitFor();
  const [connector] = (await call(session, 'GET', `/v1/indexes/${index.id}/connectors`)).body.connectors;
  await call(session, 'DELETE', `/v1/indexes/${index.id}/connectors/${connector.id}`);
  await question.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No credentials are stored').waitFor();
  assert.deepEqual(faults, []);
});

test('a member sees no action of the owner, and the service refuses them', options, async () => {
  const owner = `owner-${process.pid}-${Date.now()}@example.com`;
  const member = `member-${process.pid}-${Date.now()}@example.com`;
  const first = await signIn(owner, 'en-GB');
  await openPage(first.page, 'Team');
  await first.page.getByRole('button', { name: 'Invite' }).click();
  await first.page.getByRole('dialog').getByLabel('E-mail').fill(member);
  await first.page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click();
  await first.page.getByRole('row').filter({ hasText: member }).waitFor();

  const { page } = await signIn(member, 'de-DE');
  const requests: { readonly token: string; readonly organization: string }[] = [];
  page.on('request', (request) => {
    const { authorization = '', 'x-service-organization-id': organization = '' } = request.headers();
    requests.push({ token: authorization.replace('Bearer ', ''), organization });
  });
  await openPage(page, 'Team');
  await page.getByRole('button', { name: 'Accept' }).click();
  await page.getByRole('combobox', { name: 'Organization' }).click();
  await page.getByRole('option').last().click();
  await page.getByRole('row').filter({ hasText: owner }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Invite' }).count(), 0);
  assert.equal(await page.getByRole('row').filter({ hasText: owner }).getByRole('button').count(), 0);
  assert.equal(await page.getByRole('link', { name: 'Audit log' }).count(), 0);
  await openPage(page, 'Usage');
  await page.getByText('0 of 1.000.000', { exact: true }).waitFor();
  await openPage(page, 'Settings');
  await page.getByText('you are a member').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Change' }).count(), 0);
  await openPage(page, 'Events');
  await page.getByRole('heading', { name: 'History' }).waitFor();
  assert.equal(await page.getByRole('heading', { name: 'Endpoints' }).count(), 0);
  assert.equal(await page.getByRole('button', { name: /Replay/ }).count(), 0);

  const { token, organization } = requests.at(-1) ?? assert.fail();
  const headers = { 'x-service-organization-id': organization };
  const refused = [
    ['POST', '/v1/organization/invitations', { email: 'other@example.com' }],
    ['GET', '/v1/organization/webhooks/endpoints', undefined],
    ['POST', '/v1/organization/webhooks/endpoints', { url: 'https://example.com' }],
    ['POST', '/v1/organization/webhooks/events/replay', {}],
  ] as const;
  for (const [method, path, body] of refused)
    assert.equal((await call({ baseUrl, bearer: token }, method, path, body, headers)).status, 403, path);
});

test('a person gives an application access to one index on the consent page', options, async () => {
  const { page, faults } = await signIn(`consent-${process.pid}-${Date.now()}@example.com`, 'en-GB');
  let token = '';
  page.on('request', (request) => {
    token = /^Bearer (svc_sess_\S+)/.exec(request.headers()['authorization'] ?? '')?.[1] ?? token;
  });
  await openPage(page, 'Indexes');
  const session = { baseUrl, bearer: token };
  const { id } = (await call(session, 'POST', '/v1/indexes', { name: 'letters' })).body;
  await call(session, 'POST', '/v1/indexes', { name: 'private' });
  const { clientId, redirectUri } = await openApplication();
  const verifier = randomBytes(32).toString('base64url');
  const request = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    resource: baseUrl,
    scope: 'read write',
    state: 'state',
  };
  // The provider knows the person already, so the page follows at once.
  const address = `${baseUrl}/v1/oauth/authorize?${new URLSearchParams(request).toString()}`;
  await page.goto(address);
  await page.getByRole('heading', { name: 'Connect Test Agent', level: 1 }).waitFor();
  await assertNoBarriers(page, 'Consent');
  await page.getByRole('button', { name: 'Refuse' }).click();
  await page.getByText('Connected').waitFor();
  assert.equal(new URL(page.url()).searchParams.get('error'), 'access_denied');

  await page.goto(address);
  await page.getByRole('radio', { name: /change indexes and documents/ }).check();
  await page.getByRole('combobox', { name: 'Indexes' }).click();
  await page.getByRole('option', { name: 'letters' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByText('Connected').waitFor();
  const { searchParams: result } = new URL(page.url());
  assert.deepEqual([result.get('state'), result.get('iss')], ['state', baseUrl]);
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code: result.get('code') ?? '',
    code_verifier: verifier,
  });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const { body } = await call({ baseUrl, bearer: null }, 'POST', '/v1/oauth/token', form.toString(), headers);
  assert.equal(body.scope, 'read write', JSON.stringify(body));
  const listed = await call({ baseUrl, bearer: body.access_token }, 'GET', '/v1/indexes');
  assert.deepEqual(
    listed.body.map((shown: { readonly id: string }) => shown.id),
    [id],
  );
  await page.goto(`${baseUrl}/console#/keys`);
  const application = page.getByRole('row').filter({ hasText: 'Test Agent' });
  await application.waitFor();
  await assertUsable(page, 'Connected applications');
  await application.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await application.waitFor({ state: 'detached' });
  assert.equal((await call({ baseUrl, bearer: body.access_token }, 'GET', '/v1/indexes')).status, 401);
  assert.deepEqual(faults, []);
});

test('a page of another origin searches with the token of an end user', options, async () => {
  const { session } = await newOrganization(baseUrl);
  const { id } = (await call(session, 'POST', '/v1/indexes', { name: 'page', dimensions: 2 })).body;
  const rows = ['ann', 'ben'].map((user) => ({ id: user, vector: [1, 1], metadata: { user } }));
  await call(session, 'POST', `/v1/indexes/${id}/vectors`, rows);
  const key = (await call(session, 'POST', '/v1/api-keys', { name: 'page', permissions: ['read'] })).body;
  const token = await createUserToken({ key: key.token, keyId: key.id, indexIds: [id], filter: { user: 'ben' } });
  const { redirectUri } = await openApplication();
  const { page } = (await browser?.newPage('en-GB')) ?? assert.fail();
  await page.goto(redirectUri);
  const request = (path: string, body?: object, bearer = token): Promise<unknown> =>
    page.evaluate(
      `(async () => {
        const response = await fetch(${JSON.stringify(`${baseUrl}${path}`)}, {
          method: ${JSON.stringify(body === undefined ? 'GET' : 'POST')},
          headers: { authorization: ${JSON.stringify(`Bearer ${bearer}`)}, 'content-type': 'application/json' },
          ${body === undefined ? '' : `body: ${JSON.stringify(JSON.stringify(body))},`}
        });
        const found = await response.json();
        return [response.status, found.results?.map(({ id }) => id) ?? found.code];
      })()`,
    );
  const search = { vector: [1, 1] };
  assert.deepEqual(await request(`/v1/indexes/${id}/search/dense`, search), [200, ['ben']]);
  const path = `/v1/indexes/${id}/search/dense`;
  for (const closed of [`/v1/indexes/${id}/vectors`, '/v1/indexes', `/v1/indexes/${id}/files`, '/v1/api-keys'])
    assert.deepEqual(await request(closed), [401, 'unauthenticated'], closed);
  assert.deepEqual(await request(`/v1/indexes/${id}/vectors`, rows), [401, 'unauthenticated']);
  const elsewhere = (await call(session, 'POST', '/v1/indexes', { name: 'other', dimensions: 2 })).body.id;
  assert.deepEqual(await request(`/v1/indexes/${elsewhere}/search/dense`, search), [403, 'index_not_allowed']);
  const [signed = '', mac = ''] = token.split('.');
  const claims = { key_id: key.id, iat: 0, exp: 0, filter: null, index_ids: [id] };
  const wider = `svc_ut_${Buffer.from(JSON.stringify({ ...claims, exp: 2e9 })).toString('base64url')}.${mac}`;
  for (const forged of [wider, `${signed}.${'A'.repeat(43)}`])
    assert.deepEqual(await request(path, search, forged), [401, 'unauthenticated']);
  const now = Math.floor(Date.now() / 1000);
  const older = mintUserToken(key.token, { ...claims, iat: now - 120, exp: now - 60 });
  assert.deepEqual(await request(path, search, older), [401, 'token_expired']);
  assert.equal((await call(session, 'DELETE', `/v1/api-keys/${key.id}`)).status, 204);
  assert.deepEqual(await request(path, search), [401, 'key_revoked']);
});

test('a person schedules a crawl with a path and a header, runs it, pauses it and deletes it', options, async () => {
  const owner = `owner-${process.pid}-${Date.now()}@example.com`;
  const { page, faults } = await signIn(owner, 'en-GB');
  const session = { baseUrl, bearer: (await openSession(owner)).session_token };
  const index = (await call(session, 'POST', '/v1/indexes', { name: 'pages', dimensions: 2 })).body;
  await page.goto(`${baseUrl}/console#/indexes/${index.id}/sources`);
  await page.getByRole('button', { name: 'Schedule a crawl' }).click();
  const form = page.getByRole('dialog', { name: 'Schedule a crawl' });
  await form.getByLabel('Address').fill('https://site.invalid/');
  await form.getByLabel('Paths to read').fill('/docs/*');
  await form.getByLabel('Hours between crawls').fill('12');
  await form.getByLabel('Header').fill('authorization');
  await form.getByLabel('Value').fill('Bearer hunter2');
  await assertNoBarriers(page, 'Schedule a crawl');
  await form.getByRole('button', { name: 'Create' }).click();
  await page.getByText('https://site.invalid/ /docs/*').waitFor();
  await page.getByText('Every 12 hours').waitFor();
  const schedules = async () => (await call(session, 'GET', `/v1/indexes/${index.id}/crawl-schedules`)).body;
  const [created] = await schedules();
  assert.deepEqual(created.header_names, ['authorization']);
  await page.getByRole('button', { name: 'Run now' }).click();
  await page.getByRole('button', { name: 'History' }).click();
  const history = page.getByRole('dialog', { name: 'Crawls of the schedule' });
  await assertNoBarriers(page, 'Crawls of the schedule');
  await history.locator('button[type=submit]').click();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Every 12 hours, paused').waitFor();
  assert.equal((await schedules())[0].next_run_at, null);
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No crawl is scheduled').waitFor();
  assert.deepEqual(faults, []);
});
