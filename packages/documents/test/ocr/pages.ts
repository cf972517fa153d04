import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GreyImage } from '../../src/extract/pdf/encode-png.ts';
import { readGrayPng, turnQuarters } from '../../src/ocr/page-image.ts';
import { toPng } from './pictures.ts';

/** Text of a page in a script other than Latin, and how it was drawn. */
export interface PageText {
  readonly lang: string;
  readonly font: string;
  /** Package of the font, if it is none of the system. */
  readonly package?: string;
  readonly text: string;
}

/** Pictures of pages at 150 dots per inch, drawn by `draw-pages.ts`. */
export const pagesDirectory = join(import.meta.dirname, 'pages');

// Cast: a file of this project.
export const pageTexts = JSON.parse(readFileSync(join(pagesDirectory, 'texts.json'), 'utf8')) as Readonly<
  Record<string, PageText>
>;

/** Names of the pages in scripts that no model reads, and of these scripts. */
export const unreadScripts: Readonly<Record<string, string>> = { hebrew: 'Hebrew', thai: 'Thai' };

/** Returns a page as PNG. */
export const readPagePicture = (name: string): Uint8Array => readFileSync(join(pagesDirectory, `${name}.png`));

/** Returns a page, changed. */
export const changePage = (name: string, change: (page: GreyImage) => GreyImage): Uint8Array =>
  toPng({ ...change(readGrayPng(Buffer.from(readPagePicture(name)))), dotsPerInch: 150 });

/** A page that was laid into the scanner on its side. */
export const onItsSide = (page: GreyImage): GreyImage => turnQuarters(page, 1);
