import { basename, join } from 'node:path';
import { bundleProject } from '../../scripts/bundle.ts';
import { createExtractor, createTesseractOcr } from '#documents';
import { formatCases } from './cases.ts';
import type { FormatCase } from './format-case.ts';
import { fixturePackages, type FixturePackage } from './fixture-packages.ts';
import { installedFile, openPackageFiles } from './gather-files.ts';
import { generatedFiles } from './generated-files.ts';
import { type EndedJob, Pipeline } from './pipeline.ts';

/** What came of one file. */
interface Ingested {
  readonly wanted: FormatCase;
  readonly job: EndedJob;
  readonly format: string;
  readonly pages: number;
  readonly pictures: number;
  readonly seconds: number;
}

const plain = (text: string): string => text.replace(/\s+/g, ' ');

const mostHits = 10;

const shownPlaces = new Set(
  'slide sheet row_start row_end line_start line_end message start_seconds end_seconds'.split(' '),
);

/** Where a sparse search among the rows of all files finds the sentence: `#1, page 3`, or what is wrong. */
const findSentence = async (
  pipeline: Pipeline,
  { wanted, job }: Ingested,
): Promise<{ readonly foundAt: string; readonly problem: string | null }> => {
  const { sentence, page, place = {} } = wanted;
  if (sentence === undefined) return { foundAt: '', problem: null };
  const hits = await pipeline.search(sentence, mostHits);
  const rank = hits.findIndex(
    ({ file, text }) => file?.job_id === job.id && plain(text ?? '').includes(plain(sentence)),
  );
  const hit = hits[rank];
  if (hit === undefined) return { foundAt: '', problem: `not among the first ${mostHits} hits` };
  const at = hit.metadata ?? {};
  const [first, last] = [hit.file?.page_start, hit.file?.page_end];
  const places = Object.entries(at).filter(([key]) => key in place || shownPlaces.has(key));
  const shown = [
    ...(first == null ? [] : [`page ${first}`]),
    ...places.map(([key, value]) => `${key} ${JSON.stringify(value)}`),
  ];
  const isThere =
    (page === undefined || (first === page && last === page)) &&
    Object.entries(place).every(([key, value]) => at[key] === value);
  return { foundAt: [`#${rank + 1}`, ...shown].join(', '), problem: isThere ? null : 'it stands elsewhere' };
};

const problemsOf = ({ wanted, job, format, pictures }: Ingested): readonly string[] => [
  ...(format === wanted.format ? [] : [`it was read as ${format}`]),
  ...(job.status === (wanted.status ?? 'completed') ? [] : [`it must end as ${wanted.status ?? 'completed'}`]),
  ...(pictures === (wanted.pictures ?? 0) ? [] : [`${pictures} OCR credits, not ${wanted.pictures ?? 0}`]),
  ...(wanted.note === undefined || wanted.note.test(job.error ?? '') ? [] : ['the note is missing']),
  ...(wanted.note === undefined && job.error !== null ? ['nothing was to be said of it'] : []),
];

const line = (cells: readonly (string | number)[]): string => {
  const widths = [10, 46, 6, 7, 8, 24];
  return cells.map((cell, index) => String(cell).padEnd(widths[index] ?? 0)).join(' ');
};

const nameOf = ({ from, path }: FormatCase): string =>
  `${from === 'installed' ? '' : `${from.split('@')[0]}: `}${path}`.slice(-46);

const projectDirectory = join(import.meta.dirname, '..', '..');

/** As they run in the functions: the bundle of the readers beside the files that it needs, and the embedded OCR. */
const openReaders = () => {
  const functionDirectory = join(projectDirectory, 'dist', 'functions', 'file-task');
  return {
    extractor: createExtractor({
      assetsDirectory: functionDirectory,
      processPath: join(functionDirectory, 'read-files.cjs'),
    }),
    ocr: createTesseractOcr({ assetsDirectory: functionDirectory }),
    transcriber: null,
  };
};

type ContentOf = (wanted: FormatCase) => Promise<Uint8Array>;

const openContents = async (): Promise<ContentOf> => {
  const read = await openPackageFiles(Object.keys(fixturePackages) as FixturePackage[]);
  const generated = generatedFiles();
  return async ({ from, path }) => {
    if (from === 'generated') return generated[path] ?? new Uint8Array();
    return from === 'installed' ? installedFile(path) : read(from, path);
  };
};

const ingest = async (
  pipeline: Pipeline,
  { extractor }: ReturnType<typeof openReaders>,
  wanted: FormatCase,
  bytes: Uint8Array,
): Promise<Ingested> => {
  const filename = basename(wanted.path);
  const startedAt = performance.now();
  const job = await pipeline.ingest(filename, bytes);
  const seconds = (performance.now() - startedAt) / 1000;
  const { processing } = await pipeline.worked(job.id);
  const extracted = processing.path.find(({ phase }) => phase === 'content.extract');
  // Property of a file that its job does not contain.
  const { format } = await extractor.inspect({ bytes, filename, contentType: '', maySupplyRows: false });
  const pages = extracted?.attributes['pages'] ?? 0;
  return { wanted, job, format, pages, pictures: processing.ocr_credits, seconds };
};

const report = async (pipeline: Pipeline, ingested: Ingested): Promise<boolean> => {
  const { wanted, job, format, pages, seconds } = ingested;
  const { foundAt, problem } = await findSentence(pipeline, ingested);
  const problems = [...problemsOf(ingested), ...(problem === null ? [] : [problem])];
  const figures = [format, nameOf(wanted), pages === 0 ? '–' : pages, job.chunks_written, seconds.toFixed(2)];
  console.log(line([...figures, job.status, problems.length === 0 ? foundAt : `✖ ${problems.join('; ')} ${foundAt}`]));
  if (problems.length > 0 && job.error !== null) console.log(`           ${job.error}`);
  return problems.length === 0;
};

const main = async (): Promise<void> => {
  await bundleProject();
  const contentOf = await openContents();
  const readers = openReaders();
  const pipeline = await Pipeline.open(readers);
  try {
    const ingested: Ingested[] = [];
    for (const wanted of formatCases) ingested.push(await ingest(pipeline, readers, wanted, await contentOf(wanted)));
    // Searched for only now, so that every sentence is found among the rows of all files.
    console.log(line(['format', 'file', 'pages', 'chunks', 'seconds', 'status', 'found at']));
    let passed = 0;
    for (const one of ingested) passed += (await report(pipeline, one)) ? 1 : 0;
    const real = formatCases.filter(({ from }) => from !== 'generated');
    const kinds = new Set(real.map(({ format }) => format)).size;
    const searched = formatCases.filter(({ sentence }) => sentence !== undefined).length;
    const rows = ingested.reduce((sum, { job }) => sum + job.chunks_written, 0);
    console.log(`${real.length} real files of ${kinds} formats, ${formatCases.length - real.length} generated`);
    console.log(`${searched} sentences searched for among ${rows} rows`);
    console.log(`${passed} passed, ${formatCases.length - passed} failed`);
    process.exitCode = passed === formatCases.length ? 0 : 1;
  } finally {
    await pipeline.close();
  }
};

await main();
