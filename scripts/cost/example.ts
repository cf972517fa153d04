import { file, laterOfLarge, operations } from './counted.ts';
import {
  costOf,
  type MemoryOf,
  pageBill,
  rowsOfAnIndex,
  scale,
  searchCost,
  storageBill,
  storedBytesOf,
  sumOf,
} from './costs.ts';
import { idle, titan, usdOf } from './prices.ts';
import { table, usd, whole } from './write-table.ts';

const million = 1_000_000;
const dimensions = 1_024;

/** The example of docs/guides/cost-example.md. */
const example = {
  files: 10_000,
  pagesOfFile: file.pages,
  chunksOfPage: 3.5,
  bytesOfFile: million,
  tokensOfPage: 700,
  searchesOfDay: 1_000,
  tokensOfQuery: 12,
} as const;

const daysOfMonth = 365 / 12;

const tokensUsd = (tokens: number): number => (tokens / 1_000) * titan.usdPerThousandTokens;

/** A search whose function has just started, of an index that is too large to be read as a whole. */
const coldOfLarge = {
  get: operations['hybrid search, cold'].after.get + laterOfLarge.get,
  put: 0,
  ms: operations['hybrid search, cold'].after.ms + laterOfLarge.ms,
};

/** Makes the table of the worked example. Throws Error if one index cannot have its rows. */
export const exampleTable = (memoryOf: MemoryOf): string => {
  const pages = example.files * example.pagesOfFile;
  const rows = pages * example.chunksOfPage;
  if (rows > rowsOfAnIndex(dimensions)) throw new Error('The example needs a second index');
  const searches = example.searchesOfDay * daysOfMonth;
  const once = [
    [`Reading ${whole(pages)} pages`, sumOf(scale(pageBill(memoryOf), pages))],
    [`Embedding ${whole(pages * example.tokensOfPage)} tokens`, tokensUsd(pages * example.tokensOfPage)],
  ] as const;
  const monthly = [
    ['An idle deployment', idle],
    [
      `${whole(searches)} searches with their embedding`,
      searches * (sumOf(searchCost(coldOfLarge, memoryOf, dimensions)) + tokensUsd(example.tokensOfQuery)),
    ],
    [
      `${whole(rows)} rows, ${((rows * storedBytesOf(dimensions)) / 1e9).toFixed(1)} GB`,
      sumOf(storageBill(rows, dimensions)),
    ],
    [
      `The files, ${whole((example.files * example.bytesOfFile) / 1e9)} GB`,
      example.files * example.bytesOfFile * usdOf('storage'),
    ],
  ] as const;
  const sum = (parts: readonly (readonly [string, number])[]): string =>
    `**${usd(parts.reduce((total, [, part]) => total + part, 0))}**`;
  return table(
    ['', 'USD once', 'USD a month'],
    [
      ...once.map(([name, cost]) => [name, usd(cost), '']),
      ...monthly.map(([name, cost]) => [name, '', usd(cost)]),
      ['**In all**', sum(once), sum(monthly)],
    ],
  );
};

/** Makes the table of prices that answer most questions. */
export const ruleTable = (memoryOf: MemoryOf): string => {
  const batches = scale(costOf('batch upsert', memoryOf, dimensions), 1_000);
  return table(
    ['', 'USD'],
    [
      ['Idle cost of a deployment of one region, a month', usd(idle)],
      ['Price of a million vectors of 1,024 numbers: storage, a month', usd(sumOf(storageBill(million, dimensions)))],
      ['Price of a million vectors: writing them once', usd(sumOf(batches))],
      ['Embedding a million texts of 200 tokens by Titan', usd(tokensUsd(200 * million))],
      ['A million hybrid searches, warm', usd(sumOf(costOf('hybrid search, warm', memoryOf, dimensions)) * million)],
      ['A million pages of files, without the model', usd(sumOf(pageBill(memoryOf)) * million)],
    ],
  );
};
