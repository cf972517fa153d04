import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { createClient } from '#client';
import { findBrowser, launchBrowser } from '../scripts/support/browser.ts';
import { commandLine } from '../scripts/support/read-command-line.ts';
import { startService } from '../scripts/support/start-service.ts';
import { medianOf } from '../shared/platform/median.ts';
import { seededRandom } from './data/random.ts';

const usage = `npm run bench:console -- [options]

Fills an index and measures how long each page of the console takes until its data is shown, in a browser on this machine.

  --rows N    rows of 1,536 numbers (default 100000)
  --files N   small text files (default 10000)
`;

const { values } = commandLine({
  options: {
    rows: { type: 'string', default: '100000' },
    files: { type: 'string', default: '10000' },
    help: { type: 'boolean', default: false },
  },
});

const rounds = 3;
const rowsPerRequest = 500;
const filesAbreast = 16;
const words = 'crane quay tide lock granite barge pilot rope mooring harbour customs ballast cargo winch'.split(' ');

type Client = ReturnType<typeof createClient>;

/** Fills a new index. Returns its id and that of its first file. */
const seed = async (api: Client): Promise<{ readonly indexId: string; readonly fileId: string }> => {
  const { id: indexId, dimensions } = await api.post('/v1/indexes', { body: { name: 'console' } });
  const next = seededRandom(7);
  const text = (count: number): string =>
    Array.from({ length: count }, () => words[Math.floor(next() * words.length)]).join(' ');
  const path = { index_id: indexId };
  for (let from = 0; from < Number(values.rows); from += rowsPerRequest) {
    const body = Array.from({ length: rowsPerRequest }, (_, at) => ({
      id: `row-${String(from + at).padStart(7, '0')}`,
      vector: Buffer.from(Float32Array.from({ length: dimensions }, () => next() - 0.5).buffer).toString('base64'),
      text: text(40),
      metadata: { shelf: (from + at) % 50 },
    }));
    await api.post('/v1/indexes/{index_id}/vectors', { params: { path }, body });
  }
  const upload = async (nth: number, sections: number): Promise<string> => {
    const content = new Blob([Array.from({ length: sections }, () => `# Note ${nth}\n\n${text(150)}`).join('\n\n')]);
    return (await api.uploadFile(indexId, { filename: `note-${nth}.md`, contentType: 'text/markdown', content })).id;
  };
  const fileId = await upload(0, 40);
  let sent = 1;
  const sendAll = async (): Promise<void> => {
    while (sent < Number(values.files)) await upload(sent++, 1);
  };
  await Promise.all(Array.from({ length: filesAbreast }, sendAll));
  for (let documents = 0; documents < Number(values.files);) {
    await delay(2_000);
    ({ documents } = await api.get('/v1/indexes/{index_id}/stats', { params: { path } }));
    const [failed] = await api.get('/v1/indexes/{index_id}/files', { params: { path, query: { status: 'failed' } } });
    if (failed !== undefined) throw new Error(`${failed.filename} failed: ${failed.error}`);
  }
  return { indexId, fileId };
};

/** Opens a page by its address. Returns the milliseconds until the data is shown. */
const open = async (page: Page, address: string, shown: string): Promise<number> => {
  const beganMs = performance.now();
  await page.evaluate(`location.hash = ${JSON.stringify(`#${address}`)}`);
  await page.waitForFunction(`(() => {
    const main = document.querySelector('main');
    return main?.innerText.includes(${JSON.stringify(shown)}) && main.querySelector('[aria-busy=true]') === null;
  })()`);
  return performance.now() - beganMs;
};

/** Milliseconds of each step of a person, in order. */
const visit = async (
  executablePath: string,
  baseUrl: string,
  indexId: string,
  fileId: string,
): Promise<[string, number][]> => {
  const browser = await launchBrowser(executablePath);
  // `waitForFunction` evaluates code in the page, which the policy of the console refuses.
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    reducedMotion: 'reduce',
    bypassCSP: true,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const steps: [string, number][] = [];
  const time = async (name: string, step: () => Promise<unknown>): Promise<void> => {
    const beganMs = performance.now();
    await step();
    steps.push([name, performance.now() - beganMs]);
  };
  const signIn = page.getByRole('button', { name: 'Sign in', exact: true });
  await time('First load', async () => {
    await page.goto(`${baseUrl}/console`);
    await signIn.waitFor();
  });
  await signIn.click();
  await page.waitForURL(/authorize/);
  await time('From the sign-in form to Start', async () => {
    await signIn.click();
    await page.getByText('Failures of').first().waitFor();
  });
  const ofIndex = `/indexes/${indexId}`;
  for (const [name, address, shown] of [
    ['Indexes', '/indexes', 'rows'],
    ['Rows', `${ofIndex}/rows`, 'loaded'],
    ['Files', `${ofIndex}/files`, 'note-'],
    ['File with its chunks', `${ofIndex}/files/${fileId}`, 'Note 0'],
    ['Branches', `${ofIndex}/branches`, 'Create branch'],
    ['Relevance', `${ofIndex}/relevance`, 'Nothing was evaluated yet'],
    ['Rebuilds', `${ofIndex}/rebuilds`, 'There are no rebuilds yet'],
    ['Versions', `${ofIndex}/versions`, 'Current'],
    ['Erasures', `${ofIndex}/erasures`, 'Nothing was erased'],
    ['Sources', `${ofIndex}/sources`, 'No app is connected'],
    ['Exports', `${ofIndex}/exports`, 'The index has not been exported'],
    ['Metrics', `${ofIndex}/metrics`, 'Documents'],
    ['Aliases', '/aliases', 'There is no alias yet'],
    ['Events', '/events', 'file.processing'],
    ['Keys and clients', '/keys', 'svc_live'],
    ['Team', '/team', '@'],
    ['Usage', '/usage', 'of'],
    ['Audit log', '/audit', 'index.created'],
    ['Settings', '/settings', 'Chrome'],
  ] as const) {
    steps.push([name, await open(page, address, shown)]);
    await delay(300);
  }
  await open(page, `${ofIndex}/search`, 'Query');
  await page.getByLabel('Query').fill('high tide at the lock');
  await time('First result of a search', async () => {
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.locator('section article').first().waitFor();
  });
  await browser.close();
  return steps;
};

if (values.help) {
  process.stdout.write(usage);
} else {
  const executablePath = await findBrowser();
  if (executablePath === null) throw new Error('There is no browser');
  const dataDirectory = await mkdtemp(join(tmpdir(), 'strata-console-'));
  const service = startService({ dataDirectory });
  try {
    const { base_url: baseUrl, api_key: token } = await service.ready;
    const { indexId, fileId } = await seed(createClient({ baseUrl, token }));
    const times = new Map<string, number[]>();
    for (let round = 0; round < rounds; round += 1)
      for (const [name, ms] of await visit(executablePath, baseUrl, indexId, fileId))
        times.set(name, [...(times.get(name) ?? []), ms]);
    process.stdout.write(`${values.rows} rows, ${values.files} files, median of ${rounds} visits\n\n`);
    process.stdout.write('| Step | Milliseconds |\n| --- | --: |\n');
    for (const [name, all] of times) {
      process.stdout.write(`| ${name} | ${medianOf(all).toFixed(0)} |\n`);
    }
  } finally {
    await service.kill();
    await rm(dataDirectory, { recursive: true, force: true });
  }
}
