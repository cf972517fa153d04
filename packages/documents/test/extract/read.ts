import { join } from 'node:path';
import { createFileOpener } from '../../src/extract/read-file.ts';
import { createExtractor, type ExtractorOptions } from '../../src/extract/extractor.ts';
import type { Inspection, Part, Section, SourceFile } from '../../src/extract/port.ts';

const projectDirectory = join(import.meta.dirname, '../../../..');

/** The project's packages, which are laid out as an assets directory. */
export const packages = join(projectDirectory, 'node_modules');

/** How the sources of the readers run in place of their bundle. */
export const readers = {
  assetsDirectory: packages,
  processPath: join(import.meta.dirname, 'run-reader.ts'),
  codeDirectory: projectDirectory,
} as const satisfies ExtractorOptions;

/** The extractor under test. */
export const extractor = createExtractor(readers);

/** The same with more time, for files that take a busy machine long. */
export const patientExtractor = createExtractor({ ...readers, timeoutSeconds: 240 });

/** A file in memory; text is written as UTF-8. */
export const fileOf = (filename: string, content: string | Uint8Array, contentType = ''): SourceFile => ({
  bytes: typeof content === 'string' ? Buffer.from(content) : content,
  filename,
  contentType,
  maySupplyRows: true,
});

/** The texts among the parts of a file. */
export const textsOf = (parts: readonly Part[]): readonly Section[] =>
  parts.flatMap((part) => {
    if (part.kind !== 'text') return [];
    const { kind: _, ...section } = part;
    return [section];
  });

/** Inspects a file and extracts all of it. */
export const readWhole = async (
  file: SourceFile,
  by: typeof extractor = extractor,
): Promise<{
  readonly inspection: Omit<Inspection, 'cut'>;
  readonly parts: readonly Part[];
  readonly sections: readonly Section[];
}> => {
  const { cut: _, ...inspection } = await by.inspect(file);
  const parts = await by.extract(file, { start: 1, end: inspection.units });
  return { inspection, parts, sections: textsOf(parts) };
};

const openHere = createFileOpener(packages);

/** Text of a file, read in this process, which can measure its CPU time. */
export const readHere = async (file: SourceFile): Promise<readonly Section[]> => {
  const { units, read } = await openHere(file);
  return textsOf(await read({ start: 1, end: units }));
};

/** The sections of a file, each with its headings and its text. */
export const outlineOf = async (
  filename: string,
  bytes: Uint8Array,
): Promise<readonly (readonly [readonly string[], string])[]> =>
  (await readWhole(fileOf(filename, bytes))).sections.map(({ headingPath, text }) => [headingPath, text]);
