/*
 * Draws the pages in `pages` that no font of a PDF has: `node packages/documents/test/ocr/draw-pages.ts FONTS`, on Linux
 * with the DejaVu fonts. FONTS is a directory with the packages that `pages/texts.json` names, such as
 * `@fontsource/noto-sans-sc` 5.3.0 (SIL Open Font License), below `node_modules`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import chromiumPack from '@sparticuz/chromium';
import { chromium } from 'playwright-core';
import { type PageText, pagesDirectory, pageTexts } from './pages.ts';
import { toGrayPng } from './pictures.ts';

const [fonts = '.'] = process.argv.slice(2);
const dotsPerInch = 150;

/** Style sheet of a font with its files inside. */
const styleOf = ({ package: name }: PageText): string => {
  if (name === undefined) return '';
  const directory = join(fonts, 'node_modules', name);
  const inlined = (_: string, file: string): string =>
    `url(data:font/woff2;base64,${readFileSync(join(directory, 'files', file)).toString('base64')})`;
  return readFileSync(join(directory, '400.css'), 'utf8')
    .replaceAll(/, url\([^)]*\.woff\) format\('woff'\)/g, '')
    .replaceAll(/url\(\.\/files\/([^)]+)\)/g, inlined);
};

const browser = await chromium.launch({ executablePath: await chromiumPack.executablePath(), args: chromiumPack.args });
try {
  const viewport = { width: 420, height: 340 };
  const context = await browser.newContext({ viewport, deviceScaleFactor: dotsPerInch / 72 });
  for (const [name, text] of Object.entries(pageTexts)) {
    const page = await context.newPage();
    const style = `${styleOf(text)} body { margin: 36px; font: 12px/1.5 '${text.font}'; white-space: pre-wrap }`;
    await page.setContent(`<html lang="${text.lang}" dir="auto"><style>${style}</style><body dir="auto">${text.text}`);
    await page.evaluate('document.fonts.ready');
    writeFileSync(join(pagesDirectory, `${name}.png`), await toGrayPng(await page.screenshot(), dotsPerInch));
  }
} finally {
  await browser.close();
}
