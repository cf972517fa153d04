import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readerFiles } from '../../src/extract/assets.ts';
import { chunkSections } from '../../src/extract/chunk/chunk.ts';
import { withPdf } from '../../src/extract/pdf/open-pdf.ts';
import type { PageCharacter } from '../../src/extract/pdf/page-characters.ts';
import { createFileOpener } from '../../src/extract/read-file.ts';
import type { Region } from '../../src/extract/port.ts';
import { fileOf, packages, textsOf } from './read.ts';

/** How well the regions of chunks cover the words of a file. */
export interface RegionMeasure {
  readonly words: number;
  /** Words whose middle is in a region of a chunk that contains them. */
  readonly covered: number;
  /** Sums of areas, in shares of a page. */
  readonly wordArea: number;
  readonly regionArea: number;
  readonly regions: number;
  readonly chunks: number;
}

interface Word extends Region {
  readonly text: string;
}

const boxOf = (characters: readonly PageCharacter[], page: number, width: number, height: number): Word => {
  const left = Math.min(...characters.map(({ x }) => x));
  const top = Math.min(...characters.map(({ y }) => y));
  const right = Math.max(...characters.map((one) => one.x + one.width));
  const bottom = Math.max(...characters.map((one) => one.y + one.height));
  return {
    page,
    left: left / width,
    top: top / height,
    width: (right - left) / width,
    height: (bottom - top) / height,
    text: characters.map(({ text }) => text).join(''),
  };
};

/** Words of a page: characters without a space or a leap between them. */
const wordsOf = (
  characters: readonly PageCharacter[],
  page: number,
  width: number,
  height: number,
): readonly Word[] => {
  const groups: PageCharacter[][] = [[]];
  for (const character of characters) {
    const last = groups.at(-1)?.at(-1);
    const isBlank = character.isGenerated || character.text.trim() === '';
    const isFar =
      last !== undefined &&
      Math.hypot(character.originX - last.originX, character.originY - last.originY) > 2.5 * last.style.fontSize;
    if (isBlank || isFar) groups.push([]);
    if (!isBlank) groups.at(-1)?.push(character);
  }
  return groups
    .filter((group) => group.length > 0)
    .map((group) => boxOf(group, page, width, height))
    .filter(({ text }) => /[\p{L}\p{N}]{2}/u.test(text));
};

const letters = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

/** Area of the words that a region contains as if they were written without spaces between lines and words. */
const areaOf = ({ width, height }: Region): number => width * height;

/** Measures the regions of a PDF's chunks against the words of its pages. */
export const measureRegions = async (bytes: Uint8Array): Promise<RegionMeasure> => {
  const wasm = await WebAssembly.compile(await readFile(join(packages, readerFiles.pdfium)));
  const { units, read } = await createFileOpener(packages)(fileOf('a.pdf', bytes));
  const chunks = chunkSections(textsOf(await read({ start: 1, end: units })), { maxChars: 1_200, overlapChars: 0 });
  const onPage = Map.groupBy(
    chunks.flatMap(({ text, regions = [] }) => {
      const known = letters(text);
      return regions.map((region) => ({ region, known }));
    }),
    ({ region }) => region.page,
  );
  const words = await withPdf(wasm, bytes, (pdf) =>
    Array.from({ length: pdf.pages }, (_, index) => {
      const { width, height, characters } = pdf.readPage(index + 1).text;
      return wordsOf(characters, index + 1, width, height);
    }).flat(),
  );
  // Words that are not read have no region: running heads of later pages, page numbers.
  const all = letters(chunks.map(({ text }) => text).join(''));
  const readWords = words.filter(({ text }) => all.includes(letters(text)));
  const covered = readWords.filter(({ page, left, top, width, height, text }) => {
    const [x, y] = [left + width / 2, top + height / 2];
    const own = letters(text);
    return (onPage.get(page) ?? []).some(
      ({ region, known }) =>
        x >= region.left &&
        x <= region.left + region.width &&
        y >= region.top &&
        y <= region.top + region.height &&
        known.includes(own),
    );
  });
  const regions = chunks.flatMap((chunk) => chunk.regions ?? []);
  return {
    words: readWords.length,
    covered: covered.length,
    wordArea: covered.reduce((sum, word) => sum + areaOf(word), 0),
    regionArea: regions.reduce((sum, region) => sum + areaOf(region), 0),
    regions: regions.length,
    chunks: chunks.length,
  };
};
