import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareEngines } from './quality/compare-engines.ts';
import { directoryStore, indexCollection, openEmbedder } from './quality/index-collection.ts';
import { judge, type Judged } from './quality/judge.ts';
import { readCollection } from './quality/read-collection.ts';
import { openTextPeers } from './quality/text-peers.ts';
import { commandLine } from '../scripts/support/read-command-line.ts';

const cacheDirectory = join(tmpdir(), 'strata-bench');
const collectionsDirectory = join(cacheDirectory, 'collections');

const usage = `npm run bench:quality -- [options] [COLLECTION ...]

Indexes each collection, sends all its queries, and prints the mean nDCG@10 of sparse, dense and hybrid search. The API has
its defaults, and the embedded model. The same is printed for a plain BM25 over the same terms, and for MiniSearch and
Orama in process, with the median time of a query.

A collection is a directory with three files, as Cranfield and CISI come: documents (a name with "all"), questions
("qry") and judgements ("rel"), with dots or in the XML of TREC; or a JSON file as SQuAD and XQuAD have it.
Default: all that lies in ${collectionsDirectory}.

  --grid     also print other ways to fuse the two sides
  --engines  print only the figures of both engines, through the API of a local service
`;

/** Maximum difference between the sparse search and plain BM25. */
const tolerance = 0.005;

const figure = (value: number): string => value.toFixed(4);

const print = ({ name, documents, questions, scores, grid, peers }: Judged, withGrid: boolean): void => {
  const { reference, sparse, dense, hybrid } = scores;
  console.log(`\n${name}: ${documents} documents, ${questions} questions, nDCG@10`);
  console.log(`  plain BM25  ${figure(reference)}`);
  console.log(`  sparse      ${figure(sparse)}   ${figure(sparse - reference)} from plain BM25`);
  console.log(`  dense       ${figure(dense)}`);
  console.log(`  hybrid      ${figure(hybrid)}   ${figure(hybrid - Math.max(sparse, dense))} from its better part`);
  for (const { title, score, ms } of peers)
    console.log(`    ${title.padEnd(10)} ${figure(score)}  ${ms.toFixed(2)} ms`);
  if (!withGrid) return;
  for (const { fusion, score } of grid) {
    const how = fusion.method === 'rrf' ? `rrf k=${fusion.k}` : 'weighted';
    console.log(`    ${how.padEnd(9)} dense_weight ${fusion.denseWeight}  ${figure(score)}`);
  }
};

const run = async (path: string, withGrid: boolean): Promise<boolean> => {
  const directory = mkdtempSync(join(tmpdir(), 'strata-quality-'));
  try {
    const collection = readCollection(path);
    const embedder = openEmbedder(directoryStore(join(cacheDirectory, 'embeddings')));
    const ask = await indexCollection(directory, collection, embedder);
    const peers = await openTextPeers(cacheDirectory, collection.documents, console.error);
    const judged = await judge(collection, ask, peers);
    print(judged, withGrid);
    return Math.abs(judged.scores.sparse - judged.scores.reference) <= tolerance;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
};

const main = async (): Promise<number> => {
  const { values, positionals } = commandLine({
    allowPositionals: true,
    options: {
      grid: { type: 'boolean', default: false },
      engines: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const kept = existsSync(collectionsDirectory) ? readdirSync(collectionsDirectory) : [];
  const paths = positionals.length > 0 ? positionals : kept.map((name) => join(collectionsDirectory, name));
  if (values.help || paths.length === 0) {
    console.log(usage);
    return values.help ? 0 : 2;
  }
  if (values.engines) {
    await compareEngines(paths.map(readCollection));
    return 0;
  }
  let close = true;
  for (const path of paths) close = (await run(path, values.grid)) && close;
  return close ? 0 : 1;
};

process.exitCode = await main();
