import { join } from 'node:path';
import { bundleProject } from '../../scripts/bundle.ts';
import { createExtractor, createTesseractOcr } from '#documents';
import { hostileFiles } from '../../packages/documents/test/extract/hostile.ts';
import { type EndedJob, Pipeline } from './pipeline.ts';

const mostSeconds = 60;
const ended = new Set(['completed', 'completed_with_warnings', 'failed']);

const line = (cells: readonly string[]): string =>
  cells.map((cell, index) => cell.padEnd([64, 8, 8, 24][index] ?? 0)).join(' ');

const problemsOf = (job: EndedJob, seconds: number, next: EndedJob, isRefused: boolean): readonly string[] => [
  ...(ended.has(job.status) ? [] : ['it has not ended']),
  ...(seconds < mostSeconds ? [] : [`it took longer than ${mostSeconds} seconds`]),
  ...((job.status === 'failed') === isRefused ? [] : ['it ended otherwise than the reader alone']),
  ...(next.status === 'completed' && next.error === null ? [] : ['the next file was disturbed']),
];

/** Sends every hostile file through the whole pipeline, each followed by a harmless one. */
const main = async (): Promise<void> => {
  await bundleProject();
  const assetsDirectory = join(import.meta.dirname, '../../dist/functions/file-task');
  const processPath = join(assetsDirectory, 'read-files.cjs');
  const pipeline = await Pipeline.open({
    extractor: createExtractor({ assetsDirectory, processPath }),
    ocr: createTesseractOcr({ assetsDirectory }),
    transcriber: null,
  });
  let failed = 0;
  console.log(line(['hostile file', 'seconds', 'MB', 'status', 'said of it']));
  try {
    for (const { name, filename, make, refusal } of hostileFiles) {
      const bytes = await make();
      const startedAt = performance.now();
      const job = await pipeline.ingest(filename, bytes);
      const seconds = (performance.now() - startedAt) / 1000;
      const next = await pipeline.ingest('next.txt', Buffer.from('The next file is whole.'));
      const problems = problemsOf(job, seconds, next, refusal !== null);
      failed += problems.length === 0 ? 0 : 1;
      const megabytes = (process.memoryUsage.rss() / 2 ** 20).toFixed(0);
      const said = problems.length === 0 ? (job.error ?? '') : `✖ ${problems.join('; ')}: ${job.error ?? ''}`;
      console.log(line([name, seconds.toFixed(1), megabytes, job.status, said.slice(0, 100)]));
    }
    console.log(`${hostileFiles.length - failed} passed, ${failed} failed`);
    process.exitCode = failed === 0 ? 0 : 1;
  } finally {
    await pipeline.close();
  }
};

await main();
