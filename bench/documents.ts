import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { commandLine } from '../scripts/support/read-command-line.ts';
import { chunkSections, createFileOpener, readDocument, type Section } from '#documents';
import { medianOf } from '../shared/platform/median.ts';
import { findCells, searchModes } from './documents/find-cells.ts';
import { makeDocuments, writeLongPdf, type MadeDocument } from './documents/make-documents.ts';
import { measure, type Reading, type Scores } from './documents/measure.ts';
import { printTruth } from './documents/truth/print-truth.ts';

const usage = `npm run bench:documents -- [options]

Reads made documents with known content and prints which share of it is recovered: words, their order, cells of tables
with their row and column, and headings. Then searches a long table in ten formats for cells, and reads a PDF of 1,000 pages.

  --seeds N         documents of each kind (default 5)
  --peers PYTHON    interpreter with markitdown and pymupdf4llm, which read the same files
  --truth FOLDER    in place of made documents, reads the public ones with known content that the folder contains as
                    repositories of GitHub: tabulapdf/tabula-java (tables of ICDAR 2013), scrapinghub/
                    article-extraction-benchmark, docling-project/docling and opendataloader-project/opendataloader-bench
  --python PYTHON   interpreter with the packages of opendataloader-bench's own evaluator (default python3)
  --worst           lists the files of --truth with the lowest figures
`;

const { values } = commandLine({
  options: {
    seeds: { type: 'string', default: '5' },
    peers: { type: 'string' },
    truth: { type: 'string' },
    python: { type: 'string', default: 'python3' },
    worst: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const assetsDirectory = join(import.meta.dirname, '../node_modules');
const openFile = createFileOpener(assetsDirectory);

const readSections = async (filename: string, bytes: Uint8Array): Promise<readonly Section[]> =>
  (await readDocument({ filename, bytes, contentType: '', maySupplyRows: false }, assetsDirectory, null)).sections;

const readWithStrata = async ({ name, bytes, kind }: MadeDocument): Promise<Reading> => {
  const sections = await readSections(name, bytes);
  const text = sections.map((section) => section.text).join('\n\n');
  return {
    pieces: chunkSections(sections).map((chunk) => chunk.text),
    // Every row of a sheet contains the names of its columns.
    text: kind === 'xlsx' ? text.replaceAll(/^[^:|\n]+: /gm, '') : text,
    headings: sections.flatMap(({ headingPath }) => headingPath),
  };
};

const peerScript = `
import json, sys, contextlib, io
name, path = sys.argv[1], sys.argv[2]
with contextlib.redirect_stdout(io.StringIO()):
    if name == 'markitdown':
        from markitdown import MarkItDown
        reader = MarkItDown()
        read = lambda file: reader.convert(file).text_content
    else:
        import pymupdf4llm
        read = pymupdf4llm.to_markdown
    out = {}
    for file in json.load(open(path)):
        try:
            out[file] = read(file)
        except Exception as error:
            out[file] = None
print(json.dumps(out))
`;

const readWithPeer = async (
  python: string,
  peer: string,
  directory: string,
  files: readonly string[],
): Promise<ReadonlyMap<string, string | null>> => {
  const list = join(directory, 'files.json');
  await writeFile(list, JSON.stringify(files.map((file) => join(directory, file))));
  const run = promisify(execFile)(python, ['-c', peerScript, peer, list], { maxBuffer: 2 ** 28 });
  const { stdout } = await run.catch(() => {
    console.log(`${peer} could not be run with ${python}.\n`);
    return { stdout: '{}' };
  });
  const texts = JSON.parse(stdout) as Readonly<Record<string, string | null>>;
  return new Map(files.map((file) => [file, texts[join(directory, file)] ?? null]));
};

const toReading = (text: string): Reading => ({
  pieces: [text],
  text: text.replaceAll(/^#+ |[*_`]/gm, ''),
  headings: [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => title.replaceAll('*', '')),
});

const mean = (numbers: readonly number[]): string =>
  numbers.length === 0 ? '–' : (numbers.reduce((sum, number) => sum + number, 0) / numbers.length).toFixed(3);

const printFoundCells = async (): Promise<void> => {
  console.log('\nCells found by search\n');
  console.log('| Format | Chunks | Dense | Sparse | Hybrid |\n| --- | --: | --: | --: | --: |');
  for (const { format, chunks, queries, found } of await findCells(searchModes, 1))
    console.log(`| ${format} | ${chunks} | ${searchModes.map((mode) => `${found[mode]}/${queries}`).join(' | ')} |`);
};

/** Pages read at once, as by a task of the service. */
const pagesOfTask = 250;

const printSpeed = async (): Promise<void> => {
  const bytes = await writeLongPdf(1_000);
  const seconds: number[] = [];
  for (let run = 0; run < 3; run += 1) {
    const before = process.cpuUsage();
    const { units, read } = await openFile({ filename: 'long.pdf', bytes, contentType: '', maySupplyRows: false });
    for (let start = 1; start <= units; start += pagesOfTask) await read({ start, end: start + pagesOfTask - 1 });
    const { user, system } = process.cpuUsage(before);
    seconds.push((user + system) / 1e6);
  }
  console.log(`\nA PDF of 1,000 pages of text is read in ${medianOf(seconds).toFixed(1)} CPU seconds.`);
};

const main = async (): Promise<void> => {
  const documents = await makeDocuments(Number(values.seeds));
  const scores: { kind: string; reader: string; scores: Scores }[] = [];
  for (const document of documents) {
    scores.push({ kind: document.kind, reader: 'Strata', scores: measure(document, await readWithStrata(document)) });
  }
  const directory = await mkdtemp(join(tmpdir(), 'bench-documents-'));
  try {
    for (const { name, bytes } of documents) await writeFile(join(directory, name), bytes);
    for (const peer of values.peers === undefined ? [] : ['markitdown', 'pymupdf4llm']) {
      const isRead = ({ name }: MadeDocument): boolean => peer === 'markitdown' || name.endsWith('.pdf');
      const own = documents.filter(isRead);
      const texts = await readWithPeer(
        values.peers ?? '',
        peer,
        directory,
        own.map(({ name }) => name),
      );
      for (const document of own) {
        const text = texts.get(document.name) ?? null;
        if (text !== null)
          scores.push({ kind: document.kind, reader: peer, scores: measure(document, toReading(text)) });
      }
    }
  } finally {
    await rm(directory, { recursive: true });
  }
  console.log(
    '| Kind | Reader | Documents | Words | Order | Cells | Headings |\n| --- | --- | --: | --: | --: | --: | --: |',
  );
  for (const [key, group] of Map.groupBy(scores, ({ kind, reader }) => `${kind} | ${reader}`)) {
    const all = group.map((one) => one.scores);
    const columns = [
      mean(all.map(({ words }) => words)),
      mean(all.map(({ order }) => order)),
      mean(all.flatMap(({ cells }) => cells ?? [])),
      mean(all.map(({ headings }) => headings)),
    ];
    console.log(`| ${key} | ${all.length} | ${columns.join(' | ')} |`);
  }
  await printFoundCells();
  await printSpeed();
};

if (values.help) console.log(usage);
else if (values.truth !== undefined)
  await printTruth(values.truth, readSections, { python: values.python, lists: values.worst });
else await main();
