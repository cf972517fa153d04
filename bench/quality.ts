import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareEngines } from './quality/compare-engines.ts';
import { compareModels } from './quality/compare-models.ts';
import { directoryStore, indexCollection, openEmbedder } from './quality/index-collection.ts';
import { crossValidate } from './quality/cross-validate.ts';
import { judge, type Judged, type Score, weights } from './quality/judge.ts';
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
("qry") and judgements ("rel"), with dots or in the XML of TREC; or a JSON file as SQuAD and XQuAD have it; or a directory
of manuals with questions.json, a list of {question, file, needle}. A chunk of the file with the needle is the answer.
Default: all that lies in ${collectionsDirectory}.

  --grid     also print other ways to fuse the two sides
  --rerank   also print the second stages, on up to 80 questions of each collection
  --cross-validate
             also choose the weight of the dense side, by leaving out one collection at a time
  --model MODEL
             print only the figures of a model: an embedded one by its name, or a folder; repeat it to compare several.
             Languages of XQuAD are also searched by questions in English, and English by theirs
  --engines  print only the figures of both engines, through the API of a local service
`;

/** Maximum difference between the sparse search and plain BM25. */
const tolerance = 0.005;

const figure = (value: number): string => value.toFixed(4);
const figures = ({ ndcg, first }: Score): string => `${figure(ndcg)} ${figure(first)}`;

const print = ({ name, documents, questions, scores, grid, secondStages, peers }: Judged, withGrid: boolean): void => {
  const { reference, sparse, dense, hybrid } = scores;
  console.log(`\n${name}: ${documents} documents, ${questions} questions, nDCG@10 and hit@1`);
  const better = Math.max(sparse.ndcg, dense.ndcg);
  console.log(`  plain BM25  ${figures(reference)}`);
  console.log(`  sparse      ${figures(sparse)}   ${figure(sparse.ndcg - reference.ndcg)} from plain BM25`);
  console.log(`  dense       ${figures(dense)}`);
  console.log(`  hybrid      ${figures(hybrid)}   ${figure(hybrid.ndcg - better)} from its better part`);
  for (const { model, blend, score } of secondStages)
    console.log(`    ${model.padEnd(34)} ${blend === null ? '    ' : blend.toFixed(2)}  ${figures(score)}`);
  for (const { title, score, ms } of peers)
    console.log(`    ${title.padEnd(10)} ${figure(score)}  ${ms.toFixed(2)} ms`);
  if (!withGrid) return;
  for (const { fusion, score } of grid) {
    const how = fusion.method === 'rrf' ? `rrf k=${fusion.k}` : 'weighted';
    console.log(`    ${how.padEnd(9)} dense_weight ${fusion.denseWeight}  ${figure(score)}`);
  }
};

const run = async (path: string, withRerankers: boolean): Promise<Judged> => {
  const directory = mkdtempSync(join(tmpdir(), 'strata-quality-'));
  try {
    const collection = await readCollection(path);
    const embedder = openEmbedder(directoryStore(join(cacheDirectory, 'embeddings')));
    const ask = await indexCollection(directory, collection, embedder);
    const peers = await openTextPeers(cacheDirectory, collection.documents, console.error);
    return await judge(collection, ask, { peers, withSecondStages: withRerankers, model: embedder.model });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
};

const printChoice = (all: readonly Judged[]): void => {
  for (const { group, rows, weight, held } of crossValidate(all)) {
    console.log(`\n${group}: dense_weight ${weight}`);
    console.log(`  ${'nDCG@10 by weight'.padEnd(24)} sparse  ${weights.map((one) => one.toFixed(4)).join(' ')}`);
    for (const { name, sparse, scores } of rows)
      console.log(`  ${name.padEnd(24)} ${figure(sparse)}  ${scores.map(figure).join(' ')}`);
    for (const { name, weight: chosen, score } of held)
      console.log(`  without ${name.padEnd(16)} ${chosen}, which gives it ${figure(score)}`);
  }
};

const main = async (): Promise<number> => {
  const { values, positionals } = commandLine({
    allowPositionals: true,
    options: {
      grid: { type: 'boolean', default: false },
      rerank: { type: 'boolean', default: false },
      'cross-validate': { type: 'boolean', default: false },
      engines: { type: 'boolean', default: false },
      model: { type: 'string', multiple: true, default: [] },
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
    await compareEngines(await Promise.all(paths.map(readCollection)));
    return 0;
  }
  if (values.model.length > 0) {
    const collections = await Promise.all(paths.map(readCollection));
    await compareModels(collections, values.model, directoryStore(join(cacheDirectory, 'embeddings')), values.grid);
    return 0;
  }
  const all: Judged[] = [];
  for (const path of paths) {
    const judged = await run(path, values.rerank);
    print(judged, values.grid);
    all.push(judged);
  }
  if (values['cross-validate']) printChoice(all);
  const isClose = ({ scores }: Judged): boolean => Math.abs(scores.sparse.ndcg - scores.reference.ndcg) <= tolerance;
  return all.every(isClose) ? 0 : 1;
};

process.exitCode = await main();
