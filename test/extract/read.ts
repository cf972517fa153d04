import { join } from 'node:path';
import { createExtractor } from '../../shared/platform/extract/extractor.ts';
import type { Inspection, Section, SourceFile } from '../../shared/platform/extract/port.ts';

/** The project's packages, which are laid out as an assets directory. */
export const packages = join(import.meta.dirname, '../../node_modules');

/** The extractor under test. */
export const extractor = createExtractor({ assetsDirectory: packages });

/** A file in memory; text is written as UTF-8. */
export const fileOf = (filename: string, content: string | Uint8Array, contentType = ''): SourceFile => ({
  bytes: typeof content === 'string' ? Buffer.from(content) : content,
  filename,
  contentType,
});

/** What a file is and all that it says. */
export const readWhole = async (
  file: SourceFile,
): Promise<{ readonly inspection: Inspection; readonly sections: readonly Section[] }> => {
  const inspection = await extractor.inspect(file);
  return { inspection, sections: await extractor.extract(file, { start: 1, end: inspection.units }) };
};
