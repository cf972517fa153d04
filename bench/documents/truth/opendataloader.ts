import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { toMarkdown } from '#documents';
import type { TruthSet } from './truth-set.ts';

const engine = 'strata';

/** Pages with their Markdown and an evaluator: https://github.com/opendataloader-project/opendataloader-bench */
export const opendataloader: TruthSet = {
  folder: 'opendataloader-bench',
  measure: async (folder, read, python) => {
    const files = (await readdir(join(folder, 'pdfs'))).filter((name) => name.endsWith('.pdf')).toSorted();
    const output = join(folder, 'prediction', engine, 'markdown');
    await mkdir(output, { recursive: true });
    for (const file of files) {
      const bytes = await readFile(join(folder, 'pdfs', file));
      if (bytes.toString('latin1', 0, 7) === 'version')
        throw new Error('Its PDFs are pointers: run `git lfs pull` in it.');
      await writeFile(join(output, file.replace('.pdf', '.md')), toMarkdown({ sections: await read(file, bytes) }));
    }
    await writeFile(
      join(folder, 'prediction', engine, 'summary.json'),
      JSON.stringify({ engine_name: engine, engine_version: '', document_count: files.length, total_elapsed: 0 }),
    );
    await promisify(execFile)(python, ['src/evaluator.py', '--engine', engine], { cwd: folder, maxBuffer: 2 ** 28 });
    const result = JSON.parse(await readFile(join(folder, 'prediction', engine, 'evaluation.json'), 'utf8')) as {
      readonly metrics: { readonly score: Readonly<Record<string, number | null>> };
    };
    const { score } = result.metrics;
    const names = ['nid', 'teds', 'mhs', 'overall'] as const;
    return {
      title: 'Pages of opendataloader-bench, by its own evaluator',
      columns: ['Documents', 'Order (NID)', 'Tables (TEDS)', 'Headings (MHS)', 'Overall'],
      rows: [[String(files.length), ...names.map((name) => score[`${name}_mean`] ?? null)]],
      worst: [],
    };
  },
};
