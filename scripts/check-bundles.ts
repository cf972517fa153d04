import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as registry from '../functions/registry.ts';
import { layerAssets } from '../lib/assets.ts';
import { functionEntries } from '../lib/functions.ts';
import type { Bundle } from './bundle/bundle-stamp.ts';
import { bundleProject } from './bundle.ts';

const kilobyte = 1000;

/**
 * Most that a bundle may take; a cold start reads and compiles all of it. Endpoints contain the limits of credentials, and
 * those that read jobs the filter of credentials that are bound to rows.
 */
const ordinaryBudget = 650 * kilobyte;

/** Functions that carry more than schemas, the client of the tables and SDK calls, by id, with the reason. */
const namedBudgets: Readonly<Record<string, number>> = {
  // The readers of all formats; it runs beside the functions that read files.
  'read-files': 3000 * kilobyte,
  // The SDK of the Model Context Protocol, with its validator.
  mcp: 1400 * kilobyte,
  'index-mcp': 1400 * kilobyte,
  // Every operation of the OpenAI API that it serves.
  'openai-api': 920 * kilobyte,
  // The readers of both engines, and the cache of table files, which signs requests to S3.
  'index-reader': 720 * kilobyte,
  'dense-search': 1000 * kilobyte,
  'hybrid-search': 1000 * kilobyte,
  'sparse-search': 980 * kilobyte,
  'search-batch': 990 * kilobyte,
  // An HTTP client that connects to the checked address, for the metadata documents of applications.
  'get-authorization-request': 1495 * kilobyte,
  'authorize-application': 1520 * kilobyte,
  // Stop words of the languages that a text index can have, and that cache.
  'index-writer': 1020 * kilobyte,
  'index-builder': 710 * kilobyte,
  'index-deleter': 1020 * kilobyte,
  // Readers and writers of both engines, and the clients of models.
  evaluate: 960 * kilobyte,
  'rebuild-index': 1040 * kilobyte,
  // An HTTP client that connects to the address that was checked.
  deliver: 1420 * kilobyte,
  'svix-relay': 1410 * kilobyte,
  // That client.
  crawl: 1700 * kilobyte,
  // That client, and the SDKs of the sources and of three object storages.
  sync: 4200 * kilobyte,
  'connector-browser': 4000 * kilobyte,
  // The SDKs of three object storages, and that client for URLs.
  'import-file': 3235 * kilobyte,
  // The engine with the cache of table files, and the writer of Parquet.
  'export-index': 860 * kilobyte,
};

/**
 * Most that a function may take with its layers, unpacked; Lambda's own limit is 262,144,000, and a deployment that passes
 * it fails half-way. https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
const deployedBudget = 255_000 * kilobyte;

const outputDirectory = join(import.meta.dirname, '..', 'dist');

const bytesUnder = (directory: string): number =>
  globSync(`${directory}/**`).reduce((sum, path) => {
    const entry = statSync(path);
    return entry.isFile() ? sum + entry.size : sum;
  }, 0);

const inKilobytes = (bytes: number): string => `${Math.ceil(bytes / kilobyte)} kB`;

const excess = ({ id, bytes, largestParts }: Bundle, budget: number): string =>
  [
    `${id} takes ${inKilobytes(bytes)}, over its budget of ${inKilobytes(budget)}. Its largest parts:`,
    ...largestParts.map((part) => `  ${inKilobytes(part.bytes).padStart(8)}  ${part.path}`),
  ].join('\n');

const bundles = await bundleProject();
const layerBytes = new Map<string, number>(
  layerAssets.map((asset) => [asset, bytesUnder(join(outputDirectory, 'layers', asset))]),
);
const deployed = functionEntries(registry).map(({ id, assets }) => ({
  id,
  bytes: assets.reduce(
    (sum, asset) => sum + (layerBytes.get(asset) ?? 0),
    bytesUnder(join(outputDirectory, 'functions', id)),
  ),
}));
const known = new Set(bundles.map(({ id }) => id));
const problems = [
  ...bundles.flatMap((bundle) => {
    const budget = namedBudgets[bundle.id] ?? ordinaryBudget;
    return bundle.bytes > budget ? [excess(bundle, budget)] : [];
  }),
  ...deployed.flatMap(({ id, bytes }) =>
    bytes > deployedBudget
      ? [`${id} takes ${inKilobytes(bytes)} with its layers, of ${inKilobytes(deployedBudget)}`]
      : [],
  ),
  ...Object.keys(namedBudgets).flatMap((id) =>
    known.has(id) ? [] : [`There is a budget for ${id}, but no such function`],
  ),
];
const [largest] = bundles.toSorted((a, b) => b.bytes - a.bytes);
const [heaviest] = deployed.toSorted((a, b) => b.bytes - a.bytes);
console.log(`${bundles.length} bundles, the largest is ${largest?.id} with ${inKilobytes(largest?.bytes ?? 0)}`);
console.log(`With its layers the largest is ${heaviest?.id} with ${inKilobytes(heaviest?.bytes ?? 0)}`);
if (bundles.length === 0) problems.push('There are no bundles');
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
