import { chunkPrefix, type FilePart, partOfChunk } from '../files/index.ts';
import type { IndexRecord } from '../indexes/index.ts';
import type { Deps } from '../kernel/capability.ts';
import { isSameChunking } from '../kernel/chunking.ts';
import { inParallel } from '../kernel/in-parallel.ts';
import { embeddedText } from '../kernel/row-metadata.ts';
import type { contentReader } from '../platform/aws/content.ts';
import type { Reader, ReaderResponses } from '../reader/index.ts';
import { obstacleTo } from './changed-rows.ts';
import { cutRowsAgain, openCutParts } from './cut-again.ts';
import type { ContentSettings } from './record.ts';
import { type RebuildEstimate, rebuildUsd } from './schemas.ts';

type SampledRow = ReaderResponses['sample']['rows'][number];

interface EstimateDeps {
  readonly reader: Reader;
  readonly content: Deps<{ content: ReturnType<typeof contentReader> }>['content'];
}

/** Rows by which a rebuild is estimated, texts of them that are embedded, and parts of files that are cut. */
const [sampledRows, embeddedRows, cutParts] = [200, 32, 24];

/** Rows that are copied in a second, besides embedding. */
const rowsPerSecond = 2_000;

const partsAtOnce = 8;

const bytesOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);

const sumOf = <Item>(items: readonly Item[], of: (item: Item) => number): number =>
  items.reduce((sum, item) => sum + of(item), 0);

/** Returns items from all over a list. */
const someOf = <Item>(items: readonly Item[], count: number): readonly Item[] =>
  items.length <= count
    ? items
    : Array.from({ length: count }, (_, at) => items[Math.floor((at * items.length) / count)]).flatMap((item) =>
        item === undefined ? [] : [item],
      );

/** Part of a file as it is and as it would be. */
interface CutSample {
  /** Rows of it in the sample, and of it and its file in the index. */
  readonly sampled: number;
  readonly rows: number;
  readonly fileRows: number;
  /** Rows that it would have. */
  readonly after: number;
  readonly isKept: boolean;
  /** Texts that would be embedded. */
  readonly texts: readonly string[];
}

const cutSample = async (
  { reader, content }: EstimateDeps,
  index: IndexRecord,
  to: ContentSettings,
  part: FilePart,
  sampled: number,
): Promise<CutSample> => {
  const prefix = chunkPrefix(part);
  const rows: SampledRow[] = [];
  let [fileRows, after]: [number, string | null] = [0, prefix];
  while (after !== null) {
    const page: ReaderResponses['chunks'] = await reader.execute(index, {
      op: 'chunks',
      job_id: part.jobId,
      around: null,
      after,
      limit: 500,
      filter: null,
    });
    const own = page.rows.filter(({ id }) => id.startsWith(prefix));
    rows.push(...own);
    // Rows that were written by hand are no chunks of the file any more.
    fileRows = Math.max(page.total, sampled);
    after = own.length < page.rows.length ? null : page.next;
  }
  const cut = cutRowsAgain(part, await openCutParts(content, index)(part), rows, to.chunking);
  const known = new Set(index.embeddingModel === to.embeddingModel ? rows.map(embeddedText) : []);
  const texts = (cut ?? (known.size > 0 ? [] : rows)).map(embeddedText).filter((text) => !known.has(text));
  const counted = { sampled, rows: rows.length, fileRows, isKept: cut === null, texts };
  return { ...counted, after: cut?.length ?? rows.length };
};

/** Returns a mean over the rows of some parts of files. Each part was found by its sampled rows. */
const meanOf = (samples: readonly CutSample[], of: (sample: CutSample) => number): number =>
  sumOf(samples, (sample) => sample.sampled * of(sample)) /
  Math.max(
    1,
    sumOf(samples, ({ sampled }) => sampled),
  );

/** Returns samples of the parts of files to which some chunks belong. */
const cutSamples = (
  deps: EstimateDeps,
  index: IndexRecord,
  to: ContentSettings,
  chunks: readonly SampledRow[],
): Promise<readonly CutSample[]> => {
  const parts = [...Map.groupBy(chunks, ({ id }) => id.slice(0, id.lastIndexOf(':'))).values()];
  return inParallel(someOf(parts, cutParts), partsAtOnce, async (found) => {
    const part = partOfChunk(found[0]?.id ?? '');
    if (part === null) throw new Error('a chunk is of no part');
    return cutSample(deps, index, to, part, found.length);
  });
};

/** Returns the figures of files by samples of their parts. @param chunks Chunks that the index has. */
const figuresOf = (samples: readonly CutSample[], chunks: number) => {
  const mean = (of: (sample: CutSample) => number): number => chunks * meanOf(samples, of);
  const keptRows = Math.round(mean(({ isKept }) => (isKept ? 1 : 0)));
  const keptFiles = Math.round(mean(({ fileRows, isKept }) => (isKept ? 1 : 0) / Math.max(1, fileRows)));
  return {
    added: samples.length === 0 ? 0 : mean(({ rows, after }) => after / Math.max(1, rows)) - chunks,
    bytes: mean(({ rows, texts }) => bytesOf(texts) / Math.max(1, rows)),
    files: Math.round(mean(({ fileRows }) => 1 / Math.max(1, fileRows))),
    keptFiles: Math.max(keptRows > 0 ? 1 : 0, keptFiles),
    keptRows,
  };
};

/** Embeds some texts. Returns the tokens and seconds of texts of a number of bytes. */
const embedSome = async (
  { reader }: EstimateDeps,
  index: IndexRecord,
  texts: readonly string[],
  bytes: number,
): Promise<{ readonly tokens: number; readonly seconds: number }> => {
  const some = someOf(texts, embeddedRows);
  if (some.length === 0) return { tokens: 0, seconds: 0 };
  const startedMs = performance.now();
  const { tokens } = await reader.execute(index, { op: 'embed', texts: [...some] });
  const scale = bytes / Math.max(1, bytesOf(some));
  return { tokens: Math.round(tokens * scale), seconds: ((performance.now() - startedMs) / 1_000) * scale };
};

/** Estimates a rebuild from some rows of the index. It embeds a few of their texts. */
export const estimateRebuild = async (
  deps: EstimateDeps,
  index: IndexRecord,
  to: ContentSettings,
): Promise<RebuildEstimate> => {
  const { rows } = await deps.reader.execute(index, { op: 'sample', count: sampledRows });
  const { state } = index;
  const share = (some: number): number => (rows.length === 0 ? 0 : (some / rows.length) * state.rows);
  const leftOut = Math.round(share(rows.filter((row) => obstacleTo(index, index, to, row) !== null).length));
  const isCut = !isSameChunking(index.chunking, to.chunking);
  const chunks = isCut ? rows.filter(({ id }) => partOfChunk(id) !== null) : [];
  const samples = await cutSamples(deps, index, to, chunks);
  const figures = figuresOf(samples, share(chunks.length));
  const isOtherModel = index.embeddingModel !== to.embeddingModel;
  const others = isOtherModel ? rows.filter((row) => !chunks.includes(row)) : [];
  const copied = isCut ? others.map(embeddedText) : others.flatMap(({ text }) => text ?? []);
  const ofOthers = share(others.length) * (bytesOf(copied) / Math.max(1, copied.length));
  // If no file is cut again, the index knows the bytes of its texts.
  const bytes = isCut ? figures.bytes + ofOthers : isOtherModel ? state.sparseBytes : 0;
  const texts = [...copied, ...samples.flatMap((sample) => sample.texts)];
  const embedded = await embedSome(deps, { ...index, embeddingModel: to.embeddingModel }, texts, bytes);
  const written = Math.round(state.rows - leftOut + figures.added);
  return {
    vectors: state.rows,
    vectors_after: written,
    left_out: leftOut,
    files: figures.files,
    kept_files: figures.keptFiles,
    kept_rows: figures.keptRows,
    embedding_tokens: embedded.tokens,
    estimated_cost_usd: rebuildUsd(written, embedded.tokens),
    seconds: Math.ceil(written / rowsPerSecond + embedded.seconds),
  };
};
