import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { makeVectors } from './data/vectors.ts';
import { measureBilledUnits } from './measure/billed-units.ts';
import { compare, type Comparison } from './measure/compare.ts';
import { measureFile } from './measure/files.ts';
import { measureIngestion } from './measure/ingestion.ts';
import { measureRecall, type RecallRow } from './measure/recall.ts';
import { measureWrites, type WriteRow } from './measure/writes.ts';
import { type BenchOptions, readOptions, usage } from './options.ts';
import { chroma } from './peers/chroma.ts';
import { hnswlib } from './peers/hnswlib.ts';
import { lance } from './peers/lance.ts';
import { orama } from './peers/orama.ts';
import type { Peer } from './peers/peer.ts';
import { openService, type Service } from './peers/service.ts';
import { sqliteVec } from './peers/sqlite-vec.ts';
import { createIndex, strata } from './peers/strata.ts';
import { usearch } from './peers/usearch.ts';
import { describeReport, type Report } from './report/describe.ts';
import { plotSearchTimes } from './report/plot.ts';
import { writeReport } from './report/write.ts';

const startedMs = performance.now();

const say = (text: string): void => {
  process.stderr.write(`${((performance.now() - startedMs) / 1_000).toFixed(0).padStart(5)} s  ${text}\n`);
};

const choosePeers = ({ peers, cacheDirectory }: BenchOptions, own: Peer): readonly Peer[] => {
  const known = [
    own,
    lance,
    chroma(cacheDirectory),
    hnswlib(cacheDirectory),
    usearch(cacheDirectory),
    sqliteVec(cacheDirectory),
    orama(cacheDirectory),
  ];
  const unknown = peers.find((name) => known.every((peer) => peer.name !== name));
  if (unknown !== undefined) throw new Error(`--peers ${unknown} is none of ${known.map(({ name }) => name).join()}`);
  return known.filter(({ name }) => peers.includes(name));
};

/** Number of concurrent writers. */
const writers = 8;

const measureAll = async (options: BenchOptions, service: Service): Promise<Report> => {
  const comparisons: Comparison[] = [];
  const recall: RecallRow[] = [];
  const writes: WriteRow[] = [];
  for (const size of options.sizes) {
    say(`${size.rows} x ${size.dimensions}  making the vectors`);
    const set = await makeVectors(options.cacheDirectory, size, options.queries);
    const own = strata(service, async (index) => {
      say(`${size.rows} x ${size.dimensions}  recall, cosine`);
      if (options.metrics.includes('cosine')) recall.push(await measureRecall(index, set, 'cosine'));
    });
    comparisons.push(await compare(size, choosePeers(options, own), set, options, say));
    if (!options.metrics.includes('euclidean')) continue;
    say(`${size.rows} x ${size.dimensions}  ${writers} clients write`);
    const index = await createIndex(service, size.dimensions, 'euclidean');
    writes.push(await measureWrites(index, set, writers));
    await index.waitUntilFolded();
    say(`${size.rows} x ${size.dimensions}  recall, euclidean`);
    recall.push(await measureRecall(index, set, 'euclidean'));
    await service.call('DELETE', `/v1/indexes/${index.id}`);
  }
  const largest = Math.min(100_000, Math.max(...options.sizes.map(({ rows }) => rows)));
  const words = await makeVectors(options.cacheDirectory, { rows: largest, dimensions: 100 }, options.queries);
  say(`search while ${largest} vectors are written`);
  const ingestion = await measureIngestion(service, words);
  say(`a file of ${largest} vectors`);
  const file = await measureFile(service, words);
  say('billed units');
  const units = await measureBilledUnits(service, words);
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), Node.js ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}.`;
  return { machine, comparisons, recall, writes, file, ingestion, units };
};

const run = async (options: BenchOptions): Promise<void> => {
  await mkdir(options.cacheDirectory, { recursive: true });
  const directory = await mkdtemp(join(options.cacheDirectory, 'service-'));
  say('starting the service');
  const service = await openService(directory);
  try {
    const report = await measureAll(options, service);
    const text = describeReport(report);
    if (options.reportFile !== null) await writeReport(options.reportFile, text, plotSearchTimes(report.comparisons));
    process.stdout.write(`${text}\n`);
  } finally {
    await service.close();
    await rm(directory, { recursive: true, force: true });
  }
};

const main = async (): Promise<void> => {
  try {
    const options = readOptions(process.argv.slice(2));
    if (options === null) process.stdout.write(usage);
    else await run(options);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
};

await main();
