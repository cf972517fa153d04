// `npm run cost`: writes the tables of docs/cost.md and of a guide from list prices and counted requests.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as registry from '../functions/registry.ts';
import { functionEntries } from '../lib/functions.ts';
import { bulkLoad, counted, type CountedOperation, operations } from './cost/counted.ts';
import {
  add,
  type Bill,
  costOf,
  items,
  type MemoryOf,
  pageBill,
  rowsOfAnIndex,
  scale,
  storageBill,
  storedBytesOf,
  sumOf,
} from './cost/costs.ts';
import { exampleTable, ruleTable } from './cost/example.ts';
import { pinecone, prices, titan, usdOf } from './cost/prices.ts';
import { processingUsd } from './cost/processing.ts';
import { serviceTable } from './cost/services.ts';
import { table, usd, whole } from './cost/write-table.ts';
import { formatText } from './support/format-text.ts';
import { keepMade } from './support/made-file.ts';
import { projectDirectory } from './support/project-directory.ts';

const million = 1_000_000;
const secondsOfMonth = 730 * 3_600;

const memory = new Map(functionEntries(registry).map(({ id, memoryMb }) => [id, memoryMb]));
const memoryOf: MemoryOf = (id) => {
  const found = memory.get(id);
  if (found === undefined) throw new Error(`there is no function ${id}`);
  return found;
};

const names = Object.keys(operations) as readonly CountedOperation[];
const used = items.filter((item) => item !== 'S3 storage');

const priceTable = (): string =>
  table(
    ['Item', 'USD', 'for', 'Source: aws.amazon.com/'],
    Object.values(prices).map(({ item, unit, usd: price, source }) => [item, String(price), unit, source]),
  );

const operationTable = (): string => {
  const rows: readonly (readonly [string, Bill])[] = [
    ...names.map((name): readonly [string, Bill] => [name, costOf(name, memoryOf, counted.dimensions)]),
    ['page of a file', pageBill(memoryOf)],
  ];
  const written = table(
    ['USD for a million', ...used, '**Sum**'],
    rows.map(([name, one]) => {
      const bill = scale(one, million);
      return [name, ...used.map((item) => usd(bill[item])), `**${usd(sumOf(bill))}**`];
    }),
  );
  return `Counted on ${counted.date} by \`${counted.command}\`:\n\n${written}`;
};

const savingTable = (): string =>
  table(
    [
      'Operation',
      'GET before',
      'GET now',
      'USD of GETs before',
      'USD of GETs now',
      'USD in all before',
      'USD in all now',
    ],
    names.map((name) => {
      const { before, after } = operations[name];
      const gets = (count: number): string => usd(count * usdOf('get') * million);
      const all = (when: 'before' | 'after'): string =>
        usd(sumOf(costOf(name, memoryOf, counted.dimensions, when)) * million);
      return [
        name,
        whole(before.get),
        whole(after.get),
        gets(before.get),
        gets(after.get),
        all('before'),
        all('after'),
      ];
    }),
  );

const loadTable = (): string =>
  table(
    ['Loading a million rows', 'S3 GET', 'S3 PUT', 'USD of S3', 'USD of Lambda time'],
    (['before', 'after'] as const).map((when) => {
      const times = million / counted.rows;
      const { get, put, ms } = bulkLoad[when];
      const gigabytes = (memoryOf('upsert-vectors') + memoryOf('index-writer')) / 1_024;
      return [
        when === 'before' ? 'before' : 'now',
        whole(get * times),
        whole(put * times),
        usd(times * (get * usdOf('get') + put * usdOf('put'))),
        usd(((times * ms) / 1_000) * gigabytes * usdOf('lambdaTime')),
      ];
    }),
  );

const storageTable = (): string =>
  table(
    [
      'Dimensions',
      'GB for a million rows',
      'USD a month',
      'Rows of one index',
      'Indexes for 1 million',
      'Indexes for 10 million',
    ],
    [384, 1_024, 1_536].map((dimensions) => {
      const most = rowsOfAnIndex(dimensions);
      return [
        whole(dimensions),
        (storedBytesOf(dimensions) / 1_000).toFixed(1),
        usd(storageBill(million, dimensions)['S3 storage']),
        whole(most),
        ...[million, 10 * million].map((rows) => whole(Math.ceil(rows / most))),
      ];
    }),
  );

/** Of a hundred searches, 90 are warm, 9 follow a commit and one is cold. */
const searchBill = (kind: 'dense' | 'sparse' | 'hybrid'): Bill => {
  const part = (state: 'warm' | 'after a commit' | 'cold', share: number): Bill =>
    scale(costOf(`${kind} search, ${state}`, memoryOf, counted.dimensions), share);
  return add(add(part('warm', 0.9), part('after a commit', 0.09)), part('cold', 0.01));
};

const monthTable = (): string => {
  const sizes = [1, 10].flatMap((millions) => [1, 10].map((rate) => ({ rows: millions * million, millions, rate })));
  const billOf = (kind: 'dense' | 'sparse' | 'hybrid', { rows, rate }: { rows: number; rate: number }): Bill =>
    add(scale(searchBill(kind), rate * secondsOfMonth), storageBill(rows, counted.dimensions));
  const queryTokens = 12;
  const tokens = ({ rate }: { rate: number }): number =>
    ((rate * secondsOfMonth * queryTokens) / 1_000) * titan.usdPerThousandTokens;
  const total = (kind: 'dense' | 'sparse' | 'hybrid') => sizes.map((size) => usd(sumOf(billOf(kind, size))));
  return table(
    ['USD a month', ...sizes.map(({ millions, rate }) => `${millions} million, ${rate}/s`)],
    [
      ...items
        .filter((item) => item !== 'S3 PUT' && item !== 'SQS')
        .map((item) => [item, ...sizes.map((size) => usd(billOf('dense', size)[item]))]),
      ['**Dense searches in all**', ...total('dense').map((value) => `**${value}**`)],
      ['The same with sparse searches', ...total('sparse')],
      ['The same with hybrid searches', ...total('hybrid')],
      [`Titan, if each search is a text of ${queryTokens} tokens`, ...sizes.map((size) => usd(tokens(size)))],
    ],
  );
};

const searchedDimensions = 1_024;
/** Milliseconds that a search waits for S3 Vectors. An assumption: nothing was measured in AWS. */
const vectorWaitMs = 100;

const engineTable = (): string => {
  const sizes = [1, 10, 100].map((millions) => millions * million);
  const searches = secondsOfMonth;
  const warm = costOf('dense search, warm', memoryOf, searchedDimensions);
  const gigabytesOf = (rows: number): number => (rows * storedBytesOf(searchedDimensions)) / 1e9;
  const wait = (memoryOf('dense-search') / 1_024) * (vectorWaitMs / 1_000) * usdOf('lambdaTime');
  const ofLance = (rows: number): number =>
    storageBill(rows, searchedDimensions)['S3 storage'] +
    Math.ceil(rows / rowsOfAnIndex(searchedDimensions)) * searches * sumOf(searchBill('dense'));
  const ofVectors = (rows: number): number =>
    gigabytesOf(rows) * prices.vectorStorage.usd +
    // One query is that of the journal.
    searches * (sumOf(warm) + wait + 2 * usdOf('vectorQuery') + processingUsd(rows, searchedDimensions));
  const ofPinecone = (rows: number): number => {
    const units = Math.max(pinecone.minReadUnits, gigabytesOf(rows));
    const used = gigabytesOf(rows) * pinecone.storage + (searches / million) * units * pinecone.readUnits;
    return Math.max(pinecone.minimum, used);
  };
  const row = (name: string, of: (rows: number) => number): readonly string[] => [
    name,
    ...sizes.map((rows) => whole(of(rows))),
  ];
  return table(
    ['USD a month', ...sizes.map((rows) => `${rows / million} million`)],
    [
      row('`lance`, over as many indexes as needed', ofLance),
      row('`s3_vectors`', ofVectors),
      row('Pinecone, plan Standard', ofPinecone),
    ],
  );
};

const textTable = (): string =>
  table(
    ['Titan Text Embeddings V2', 'Tokens', 'USD'],
    [
      ['a thousand tokens', 1_000],
      ['a million searches by a text of 12 tokens', 12 * million],
      ['a million pages of 500 words', 700 * million],
      ['a million rows of 200 tokens', 200 * million],
    ].map(([name = '', tokens = 0]) => [
      String(name),
      whole(Number(tokens)),
      String(Number(((Number(tokens) / 1_000) * titan.usdPerThousandTokens).toPrecision(2))),
    ]),
  );

/** Tables by page and by the name in the comments around them. */
const pages: Readonly<Record<string, Readonly<Record<string, () => string>>>> = {
  'docs/cost.md': {
    prices: priceTable,
    operations: operationTable,
    savings: savingTable,
    load: loadTable,
    storage: storageTable,
    text: textTable,
    month: monthTable,
    engines: engineTable,
    services: () => serviceTable(memoryOf),
  },
  'docs/guides/cost-example.md': {
    example: () => exampleTable(memoryOf),
    rules: () => ruleTable(memoryOf),
  },
};

/** Replaces what stands between two comments. Throws Error if the page lacks them. */
const place = (path: string, page: string, name: string, text: string): string => {
  const [begin, end] = [`<!-- made by scripts/cost.ts: ${name} -->`, `<!-- end of ${name} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${path} has no place between ${begin} and ${end}`);
  return `${page.slice(0, from)}${begin}\n\n${text}\n\n${page.slice(to)}`;
};

for (const [path, tables] of Object.entries(pages)) {
  const page = await readFile(join(projectDirectory, path), 'utf8');
  const filled = Object.entries(tables).reduce((text, [name, make]) => place(path, text, name, make()), page);
  await keepMade(path, formatText(path, filled), 'cost');
}
