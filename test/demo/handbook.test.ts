import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { renderHandbook } from '../../scripts/handbook/render-handbook.ts';
import { pdfReader } from '#documents';

const projectDirectory = join(import.meta.dirname, '..', '..');
const wasm = join(projectDirectory, 'node_modules/@hyzyla/pdfium/dist/pdfium.wasm');

describe('the handbook as a PDF', () => {
  let directory = '';

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'strata-handbook-'));
  });

  after(() => rm(directory, { recursive: true, force: true }));

  const readPages = async (file: string): Promise<readonly string[]> => {
    const source = { bytes: await readFile(file), filename: 'handbook.pdf', contentType: 'application/pdf' };
    const { units, read } = await pdfReader(wasm)(source);
    const parts = await read({ start: 1, end: units });
    const texts = parts.filter((part) => part.kind === 'text');
    return Array.from({ length: units }, (_, index) =>
      texts
        .filter(({ pageStart, pageEnd }) => (pageStart ?? 0) <= index + 1 && index + 1 <= (pageEnd ?? 0))
        .map(({ text }) => text)
        .join('\n'),
    );
  };

  const render = async (name: string, chapter: string): Promise<string> => {
    const sourceDirectory = join(directory, name);
    await mkdir(sourceDirectory);
    await writeFile(join(sourceDirectory, '01-chapter.md'), chapter);
    const file = join(directory, `${name}.pdf`);
    await renderHandbook({ sourceDirectory, file, version: '1.2.3' });
    return file;
  };

  it('lists in its contents the page of each heading', async () => {
    const file = join(directory, 'handbook.pdf');
    const sourceDirectory = join(projectDirectory, 'docs', 'handbook');
    const { pages: count } = await renderHandbook({ sourceDirectory, file, version: '1.2.3' });
    const pages = await readPages(file);
    assert.equal(pages.length, count);

    const entries = pages
      .slice(1, 3)
      .flatMap((text) => [...text.matchAll(/^(\D.*?|\d+\. .*?)(?: \|)* ?(\d+)$/gm)])
      .map(([, title = '', page]) => ({ title: title.trim(), page: Number(page) }));
    assert.ok(entries.length >= 60, `only ${entries.length} entries were read`);
    for (const { title, page } of entries) {
      assert.ok(pages[page - 1]?.includes(title), `"${title}" does not stand on page ${page}`);
    }
  });

  it('keeps long tables, lists and code whole over page ends', async () => {
    const numbers = Array.from({ length: 150 }, (_, at) => at + 1);
    const table = ['| Row | Value |', '|---|---|', ...numbers.map((at) => `| row-${at} | value-${at} |`)];
    const code = ['```', ...numbers.map((at) => `code-${at}`), '```'];
    const list = numbers.map((at) => `- item-${at} with **strong** and \`literal\` words`);
    const file = await render('long', ['# Long', ...table, '', ...code, '', ...list].join('\n'));
    const words = new Set((await readPages(file)).join('\n').split(/\s+/));
    for (const at of numbers) {
      for (const word of [`row-${at}`, `value-${at}`, `code-${at}`, `item-${at}`]) assert.ok(words.has(word), word);
    }
  });

  it('refuses Markdown that it cannot render', async () => {
    await assert.rejects(render('character', '# Title\n\nA smile: \u{1f600}'), /U\+1f600/);
    await assert.rejects(render('markup', '# Title\n\n<b>raw</b>'), /html/);
    await assert.rejects(render('untitled', 'No heading'), /01-chapter\.md must begin/);
  });
});
