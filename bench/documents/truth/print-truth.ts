import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { articles } from './articles.ts';
import { doclingFiles } from './docling-files.ts';
import { icdarTables } from './icdar-tables.ts';
import { opendataloader } from './opendataloader.ts';
import type { ReadFile } from './truth-set.ts';

const sets = [icdarTables, articles, doclingFiles, opendataloader];

const shown = (value: string | number | null): string =>
  typeof value === 'number' ? value.toFixed(3) : (value ?? '–');

/** Reads the public sets that a folder contains, and prints how much of their truth was found. */
export const printTruth = async (
  folder: string,
  read: ReadFile,
  { python, lists }: { readonly python: string; readonly lists: boolean },
): Promise<void> => {
  for (const set of sets) {
    const path = join(folder, set.folder);
    const isThere = await access(path).then(
      () => true,
      () => false,
    );
    if (!isThere) {
      console.log(`\n${set.folder} is not in ${folder}.`);
      continue;
    }
    try {
      const { title, columns, rows, worst } = await set.measure(path, read, python);
      console.log(`\n${title}\n\n| ${columns.join(' | ')} |\n|${columns.map(() => ' --- |').join('')}`);
      for (const row of rows) console.log(`| ${row.map(shown).join(' | ')} |`);
      if (lists) console.log(`\n${worst.join('\n')}`);
    } catch (error) {
      console.log(`\n${set.folder} was not measured: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
};
