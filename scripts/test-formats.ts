import { basename, join } from 'node:path';
import { chunkSections } from '../shared/platform/extract/chunk.ts';
import { createExtractor } from '../shared/platform/extract/extractor.ts';
import type { Extractor } from '../shared/platform/extract/port.ts';
import { bundleProject } from './bundle.ts';
import { formatCases } from './formats/cases.ts';
import type { FormatCase } from './formats/format-case.ts';
import { fixturePackages, type FixturePackage } from './formats/fixture-packages.ts';
import { installedFile, openPackageFiles } from './formats/gather-files.ts';
import { generatedFiles } from './formats/generated-files.ts';

interface Outcome {
  readonly units: string;
  readonly parts: number;
  readonly chunks: number;
  readonly seconds: number;
  readonly format: string;
  /** What is not as it must be; null where all is. */
  readonly problem: string | null;
  readonly status: string;
}

const plain = (text: string): string => text.replace(/\s+/g, ' ');

const holds = (actual: Readonly<Record<string, unknown>>, wanted: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(wanted).every(([key, value]) => actual[key] === value);

const unitsText = (units: number, isPaged: boolean): string => `${units} ${isPaged ? 'pages' : 'units'}`;

/** Reads one file as a job does: inspect, extract, cut; then looks for the sentence at its place. */
const examine = async (extractor: Extractor, wanted: FormatCase, bytes: Uint8Array): Promise<Outcome> => {
  const startedAt = performance.now();
  const file = { bytes, filename: basename(wanted.path), contentType: '' };
  const inspection = await extractor.inspect(file);
  const parts = await extractor.extract(file, { start: 1, end: inspection.units });
  const chunks = chunkSections(parts.flatMap((part) => (part.kind === 'text' ? [part] : [])));
  const seconds = (performance.now() - startedAt) / 1000;
  const { sentence, page, place = {}, recognition = 0 } = wanted;
  const found = chunks.filter(({ text }) => sentence !== undefined && plain(text).includes(plain(sentence)));
  const isThere = found.some((chunk) => (page === undefined || chunk.pageStart === page) && holds(chunk.place, place));
  const media = parts.filter(({ kind }) => kind !== 'text').length;
  const problems = [
    ...(inspection.format === wanted.format ? [] : [`it was read as ${inspection.format}`]),
    ...(sentence === undefined || isThere
      ? []
      : [found.length === 0 ? 'the sentence is missing' : 'the sentence is elsewhere']),
    ...(media === recognition ? [] : [`${media} parts need recognition, not ${recognition}`]),
  ];
  return {
    units: unitsText(inspection.units, inspection.paged),
    parts: parts.length,
    chunks: chunks.length,
    seconds,
    format: inspection.format,
    problem: problems.length === 0 ? null : problems.join('; '),
    status:
      media === 0 ? 'found' : sentence === undefined ? `${media} for recognition` : `found, ${media} for recognition`,
  };
};

const line = (cells: readonly (string | number)[]): string => {
  const widths = [10, 46, 10, 6, 7, 8];
  return cells.map((cell, index) => String(cell).padEnd(widths[index] ?? 0)).join(' ');
};

const main = async (): Promise<void> => {
  const projectDirectory = join(import.meta.dirname, '..');
  await bundleProject();
  const functionDirectory = join(projectDirectory, 'dist', 'functions', 'plan');
  // As it runs in the functions: the bundle of the readers, beside the files that it needs.
  const extractor = createExtractor({
    assetsDirectory: functionDirectory,
    processPath: join(functionDirectory, 'read-files.cjs'),
  });
  const read = await openPackageFiles(Object.keys(fixturePackages) as FixturePackage[]);
  const generated = generatedFiles();
  const contentOf = async ({ from, path }: FormatCase): Promise<Uint8Array> => {
    if (from === 'generated') return generated[path] ?? new Uint8Array();
    return from === 'installed' ? installedFile(path) : read(from, path);
  };
  console.log(line(['format', 'file', 'units', 'parts', 'chunks', 'seconds', 'status']));
  let failed = 0;
  for (const wanted of formatCases) {
    const name = `${wanted.from === 'installed' ? '' : `${wanted.from.split('@')[0]}: `}${wanted.path}`.slice(-46);
    try {
      const outcome = await examine(extractor, wanted, await contentOf(wanted));
      const { units, parts, chunks, seconds, format, problem, status } = outcome;
      console.log(line([format, name, units, parts, chunks, seconds.toFixed(2), problem ?? status]));
      failed += problem === null ? 0 : 1;
    } catch (error) {
      failed += 1;
      console.log(line([wanted.format, name, '', '', '', '', error instanceof Error ? error.message : String(error)]));
    }
  }
  const real = formatCases.filter(({ from }) => from !== 'generated');
  const kinds = new Set(real.map(({ format }) => format)).size;
  console.log(`${real.length} real files of ${kinds} formats, ${formatCases.length - real.length} generated`);
  console.log(`${formatCases.length - failed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
};

await main();
