// `npm run structure`: counts how much of the service one must know to change its core, and fails beyond the limits.
import { globSync, mkdirSync, mkdtempDisposableSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { CfnResource, Stack } from 'aws-cdk-lib';
import * as registry from '../functions/registry.ts';
import { indexWriterUses } from '../functions/workers/index-writer/uses.ts';
import { createApp } from '../lib/app.ts';
import { layerAssets } from '../lib/assets.ts';
import { functionEntries } from '../lib/functions.ts';
import { projectDirectory } from './support/project-directory.ts';

const textOf = (path: string): string => readFileSync(join(projectDirectory, path), 'utf8');

const sourcesIn = (...patterns: readonly string[]): readonly string[] =>
  globSync([...patterns], { cwd: projectDirectory }).toSorted();

const service = sourcesIn('{shared,functions,lib,packages/engine/src}/**/*.ts');
const engine = 'packages/engine/src/';
const writer = sourcesIn('functions/workers/index-writer/**/*.ts');

/** Folders of `shared` that are no entity. */
const technical: ReadonlySet<string> = new Set(['db', 'http', 'kernel', 'ledger', 'pipeline', 'platform']);

const directImportsOf = (file: string): readonly string[] =>
  [...textOf(file).matchAll(/(?:from|import\() ?'([.#][^']+)'/g)].map(([, path = '']) =>
    path.startsWith('#') ? `packages/${path.slice(1)}/src/index.ts` : normalize(join(dirname(file), path)),
  );

/** Returns the imports of a file. What the entry of an entity exports counts as imported. */
const importsOf = (file: string): readonly string[] =>
  directImportsOf(file).flatMap((path) => (path.endsWith('/index.ts') ? [path, ...directImportsOf(path)] : [path]));

const entitiesIn = (files: readonly string[]): ReadonlySet<string> =>
  new Set(
    files
      .flatMap(importsOf)
      .filter((path) => path.startsWith('shared/'))
      .map((path) => path.split('/')[1] ?? '')
      .filter((folder) => !technical.has(folder)),
  );

/** Returns files whose code matches, apart from the folder of the engines. */
const outsideEngine = (pattern: RegExp): readonly string[] =>
  service.filter((file) => !file.startsWith(engine) && pattern.test(textOf(file)));

/**
 * Returns the files of a walk, as docs/architecture.md lists them. Throws if one is missing, or if no other one imports it,
 * directly or by one file between them.
 */
const walk = (title: string): readonly string[] => {
  const [, section = ''] = new RegExp(`^#+ ${title}$([^]*?)(?=^#)`, 'm').exec(textOf('docs/architecture.md')) ?? [];
  const files = [...section.matchAll(/`((?:shared|functions|packages)\/[\w/.-]+\.ts)`/g)].map(([, file = '']) => file);
  const known = new Set(files.flatMap((file) => importsOf(file).flatMap((path) => [path, ...directImportsOf(path)])));
  const entries = new Set(files.filter((file) => file.startsWith('functions/')));
  const unreached = files.filter((file) => !known.has(file) && !entries.has(file));
  if (files.length === 0 || unreached.length > 0)
    throw new Error(`docs/architecture.md, ${title}: no other file of the walk imports ${unreached.join(', ')}`);
  return files;
};

const linesOf = (files: readonly string[]): number =>
  files.reduce((sum, file) => sum + textOf(file).split('\n').length - 1, 0);

/** Returns the resources of the stack that has the most. */
const resourcesOfLargestStack = async (): Promise<number> => {
  // Templates refer to bundles and do not read them.
  using codeDirectory = mkdtempDisposableSync(join(tmpdir(), 'strata-structure-'));
  for (const { id } of functionEntries(registry))
    mkdirSync(join(codeDirectory.path, 'functions', id), { recursive: true });
  for (const asset of layerAssets) mkdirSync(join(codeDirectory.path, 'layers', asset), { recursive: true });
  const app = await createApp({ registry, validate: false, codeDirectory: codeDirectory.path });
  const sizes = app.node
    .findAll()
    .filter((construct) => Stack.isStack(construct))
    .map((stack) => stack.node.findAll().filter((construct) => CfnResource.isCfnResource(construct)).length);
  return Math.max(...sizes);
};

interface Measure {
  readonly what: string;
  readonly count: number;
  /** Absent for figures without a limit. */
  readonly limit?: number;
}

const operations = new Set(
  [...textOf('shared/indexes/index-log.ts').matchAll(/\bop: z\.literal\('(\w+)'\)/g)].map(([, op]) => op),
);

const measures: readonly Measure[] = [
  { what: 'Dependencies of the index writer', count: Object.keys(indexWriterUses).length, limit: 8 },
  { what: 'Entities that the index writer knows', count: entitiesIn(writer).size, limit: 3 },
  { what: 'Files of the index writer', count: writer.length },
  { what: 'Operations of the log', count: operations.size, limit: 12 },
  { what: 'Files that change the status of a job', count: outsideEngine(/\.transition\(/).length, limit: 3 },
  {
    what: 'Branches on the name of an engine, outside the engines',
    count: outsideEngine(/[!=]== '(?:lance|s3_vectors)'/).length,
    limit: 0,
  },
  {
    what: 'Imports of an engine’s parts, outside the engines',
    count: outsideEngine(/engine\/src\/(?:lance|s3-vectors)\//).length,
    limit: 0,
  },
  { what: 'Files from the request of an upsert to its rows', count: walk('Walk of an upsert').length, limit: 24 },
  { what: 'Files from the request of a search to its hits', count: walk('Walk of a search').length, limit: 24 },
  { what: 'Resources of the largest stack', count: await resourcesOfLargestStack(), limit: 300 },
  {
    what: 'Lines of the service, without its packages',
    count: linesOf(service.filter((file) => !file.startsWith(engine))),
  },
  {
    what: 'Lines written by hand',
    count: linesOf(
      sourcesIn(
        '{lib,functions,shared,console,scripts,bench,packages/{engine,documents,local-cloud}/src}/**/*.{ts,tsx,mjs,css,as}',
      ),
    ),
  },
];

const width = Math.max(...measures.map(({ what }) => what.length));
for (const { what, count, limit } of measures) {
  const mark = limit === undefined ? ' ' : count <= limit ? '✔' : '✖';
  console.log(
    `${mark} ${what.padEnd(width)} ${String(count).padStart(7)}${limit === undefined ? '' : `  of at most ${limit}`}`,
  );
}
if (measures.some(({ count, limit = count }) => count > limit)) process.exitCode = 1;
