import { readFile, writeFile } from 'node:fs/promises';

const start = '<!-- measured: speed -->';
const end = '<!-- end of measured: speed -->';

/** Writes the measurements between the marks of the document, and the plot beside it. */
export const writeReport = async (file: string, measured: string, plot: string): Promise<void> => {
  const before = await readFile(file, 'utf8');
  const [head, rest] = before.split(start);
  const tail = rest?.split(end)[1];
  if (head === undefined || tail === undefined) throw new Error(`${file} has no place for what was measured`);
  await writeFile(file, `${head}${start}\n\n${measured}\n\n${end}${tail}`);
  await writeFile(file.replace(/\.md$/, '.svg'), plot);
};
