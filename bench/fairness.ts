import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import PDFDocument from 'pdfkit';
import { startService } from '../scripts/support/start-service.ts';
import { seededRandom } from './data/random.ts';
import { type BenchFile, openOrganization, type Organization, readFile } from './files/service.ts';
import { commandLine } from '../scripts/support/read-command-line.ts';
import { percentile } from './measure/searches.ts';

const usage = `npm run bench:fairness -- [options]

Organization A uploads a PDF and a large table. Meanwhile organization B uploads small files and searches, and A uploads a
small file as well. Prints how long the small files take, and how long the searches of B take while idle and under load.

  --pages N    pages of the PDF (default 117)
  --rows N     rows of the table (default 1000000)
  --rounds N   small files of each kind (default 5)
`;

const { values } = commandLine({
  options: {
    pages: { type: 'string', default: '117' },
    rows: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '5' },
    help: { type: 'boolean', default: false },
  },
});

const dimensions = 128;
const searchesInPeace = 300;

const words = 'harbour fog rain captain logbook compass night water engine north ship crew morning signal'.split(' ');
const random = seededRandom(7);
const word = (): string => words[Math.floor(random() * words.length)] ?? '';
const sentence = (): string => `${Array.from({ length: 14 }, word).join(' ')}.`;

const pdfOf = async (pages: number): Promise<Uint8Array<ArrayBuffer>> => {
  const document = new PDFDocument();
  for (let page = 0; page < pages; page += 1) {
    if (page > 0) document.addPage();
    document.fontSize(10).text(Array.from({ length: 30 }, sentence).join(' '));
  }
  document.end();
  return Uint8Array.from(Buffer.concat((await document.toArray()) as readonly Buffer[]));
};

const textOf = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(text));

const tableOf = (rows: number): Uint8Array<ArrayBuffer> =>
  textOf(`id,ship,note\n${Array.from({ length: rows }, (_, at) => `${at},${word()},${sentence()}\n`).join('')}`);

const mailOf = (nth: number): BenchFile => ({
  filename: `mail-${nth}.eml`,
  contentType: 'message/rfc822',
  content: textOf(
    `From: b@example.com\r\nTo: a@example.com\r\nSubject: No. ${nth}\r\nDate: Thu, 26 Nov 2026 10:00:00 +0000\r\nMessage-ID: <${nth}@example.com>\r\nContent-Type: text/plain\r\n\r\nThe ${word()} arrives at ${nth}.\r\n`,
  ),
});

const pageOf = (nth: number): BenchFile => ({
  filename: `page-${nth}.txt`,
  contentType: 'text/plain',
  content: textOf(`Page ${nth}\n\n${Array.from({ length: 30 }, sentence).join(' ')}`),
});

const newIndex = async ({ api }: Organization, size: number): Promise<string> =>
  (await api.post('/v1/indexes', { body: { name: 'bench', dimensions: size } })).id;

const vector = (): number[] => Array.from({ length: dimensions }, () => randomInt(-1_000, 1_000) / 1_000);

/** Milliseconds of a search; null if it failed. */
const search = async ({ api }: Organization, indexId: string): Promise<number | null> => {
  const startedMs = performance.now();
  try {
    await api.post('/v1/indexes/{index_id}/search/dense', {
      params: { path: { index_id: indexId } },
      body: { vector: vector(), top_k: 10 },
    });
    return performance.now() - startedMs;
  } catch {
    return null;
  }
};

const describeSearches = (name: string, all: readonly (number | null)[]): string => {
  const times = all.filter((time) => time !== null);
  const [p50, p99] = [0.5, 0.99].map((share) => percentile(times, share).toFixed(0));
  return `| ${name} | ${all.length} | ${p50} | ${p99} | ${Math.max(...times).toFixed(0)} | ${all.length - times.length} |`;
};

const say = (text: string): void => void process.stderr.write(`${text}\n`);

const measure = async (baseUrl: string): Promise<void> => {
  const [a, b] = [await openOrganization(baseUrl), await openOrganization(baseUrl)];
  const [indexOfA, indexOfB, searched] = [
    await newIndex(a, 512),
    await newIndex(b, 512),
    await newIndex(b, dimensions),
  ];
  const items = Array.from({ length: 1_000 }, (_, at) => ({ id: `row-${at}`, vector: vector() }));
  await b.api.post('/v1/indexes/{index_id}/vectors', { params: { path: { index_id: searched } }, body: items });
  // All functions that a file needs have run once.
  await readFile(b, indexOfB, mailOf(0));
  await readFile(a, indexOfA, pageOf(0));
  for (let nth = 0; nth < 50; nth += 1) await search(b, searched);
  say('searches while idle');
  const peace: (number | null)[] = [];
  for (let nth = 0; nth < searchesInPeace; nth += 1) peace.push(await search(b, searched));
  const pdf = { filename: 'large.pdf', contentType: 'application/pdf', content: await pdfOf(Number(values.pages)) };
  const table = { filename: 'large.csv', contentType: 'text/csv', content: tableOf(Number(values.rows)) };
  say(`A uploads ${pdf.content.length} bytes of PDF and ${table.content.length} bytes of table`);
  await a.api.uploadFile(indexOfA, pdf);
  await a.api.uploadFile(indexOfA, table);
  const load: (number | null)[] = [];
  const over = new AbortController();
  const searching = (async () => {
    while (!over.signal.aborted) {
      load.push(await search(b, searched));
      await delay(20);
    }
  })();
  const rows: string[] = [];
  for (let nth = 1; nth <= Number(values.rounds); nth += 1) {
    await delay(8_000);
    const [mail, page] = await Promise.all([readFile(b, indexOfB, mailOf(nth)), readFile(b, indexOfB, pageOf(nth))]);
    await delay(4_000);
    const own = await readFile(a, indexOfA, mailOf(nth));
    rows.push(`| ${nth} | ${mail.toFixed(1)} | ${page.toFixed(1)} | ${own.toFixed(1)} |`);
    say(rows.at(-1) ?? '');
  }
  over.abort();
  await searching;
  const { stdout } = process;
  stdout.write(
    `\n| Round | Mail of B (s) | Page of B (s) | Mail of A (s) |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n`,
  );
  stdout.write(
    '\n| Searches of B | Number | p50 (ms) | p99 (ms) | Longest (ms) | Failed |\n| --- | --- | --- | --- | --- | --- |\n',
  );
  stdout.write(`${describeSearches('while idle', peace)}\n${describeSearches('while A loads', load)}\n`);
  const bound =
    2 *
      percentile(
        peace.filter((time) => time !== null),
        0.99,
      ) +
    200;
  stdout.write(`\nBound of p99 under load (twice that while idle, and 200 ms): ${bound.toFixed(0)} ms\n`);
};

if (values.help) {
  process.stdout.write(usage);
} else {
  const directory = await mkdtemp(join(tmpdir(), 'strata-fairness-'));
  const service = startService({ dataDirectory: directory });
  try {
    await measure((await service.ready).base_url);
  } finally {
    await service.kill();
    await rm(directory, { recursive: true, force: true });
  }
}
