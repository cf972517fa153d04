import { createFileOpener } from '../extract/read-file.ts';
import type { Section, SourceFile } from '../extract/port.ts';
import type { OcrModel } from '../ocr/port.ts';

/** Text of a file, with what could not be read. */
export interface ReadDocument {
  readonly format: string;
  readonly units: number;
  readonly sections: readonly Section[];
  /** Content that was not read, in sentences. */
  readonly notes: readonly string[];
}

/**
 * Reads a whole file in this process.
 * @param ocr Reads pictures. Null: they are noted as unread.
 * @param assetsDirectory Directory that contains `readerFiles`, such as `node_modules`.
 * @throws UnreadableFile
 */
export const readDocument = async (
  file: SourceFile,
  assetsDirectory: string,
  ocr: OcrModel | null,
): Promise<ReadDocument> => {
  const { format, units, notes, read } = await createFileOpener(assetsDirectory)(file);
  const sections: Section[] = [];
  const unread = [...notes];
  for (const part of await read({ start: 1, end: units })) {
    if (part.kind === 'text') {
      const { kind: _, ...section } = part;
      sections.push(section);
    } else if (part.kind === 'unread') unread.push(part.reason);
    else if (part.kind === 'picture' && ocr !== null) {
      const { text, isForeign = false, script } = await ocr.recognize(part);
      if (isForeign)
        unread.push(
          `A picture has text in ${script === undefined ? 'a script' : `the ${script} script`} that could not be read.`,
        );
      if (text !== '') sections.push({ ...part.section, text });
    } else unread.push(`A ${part.kind} was not read.`);
  }
  return { format, units, sections, notes: unread };
};
