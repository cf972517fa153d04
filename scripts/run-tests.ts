import { availableParallelism } from 'node:os';
import { globSync } from 'node:fs';
import { relative } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import type { EventData } from 'node:test';
import { bundleProject } from './bundle.ts';

/** Test files run side by side; each may start a whole service of its own. */
const mostFilesAbreast = 2;

const projectDirectory = `${import.meta.dirname}/..`;
const asked = process.argv.slice(2);
const files = globSync(asked.length === 0 ? 'test/**/*.test.ts' : asked, { cwd: projectDirectory }).toSorted();

const counts = { passed: 0, failed: 0, skipped: 0 };
const fileTimes = new Map<string, { passed: number; failed: number; ms: number }>();

const isTest = ({ details }: EventData.TestPass | EventData.TestFail): boolean => details.type !== 'suite';

const record = (data: EventData.TestPass | EventData.TestFail, passed: boolean): void => {
  if (!isTest(data)) return;
  if (data.skip !== undefined && data.skip !== false) counts.skipped += 1;
  else if (passed) counts.passed += 1;
  else counts.failed += 1;
  const file = data.file ?? 'unknown';
  const of = fileTimes.get(file) ?? { passed: 0, failed: 0, ms: 0 };
  fileTimes.set(file, {
    passed: of.passed + (passed ? 1 : 0),
    failed: of.failed + (passed ? 0 : 1),
    ms: of.ms + (data.nesting === 0 ? data.details.duration_ms : 0),
  });
};

// Bundles are built once here, so that no test file waits for another to build them.
await bundleProject();
console.log(`${files.length} test files, ${Math.min(mostFilesAbreast, availableParallelism())} at a time`);
const stream = run({ files, cwd: projectDirectory, concurrency: Math.min(mostFilesAbreast, availableParallelism()) });
stream.on('test:pass', (data) => record(data, true));
stream.on('test:fail', (data) => {
  record(data, false);
  process.exitCode = 1;
});
const report = stream.compose(spec());
for await (const text of report) process.stdout.write(String(text));

for (const [file, { passed, failed, ms }] of fileTimes) {
  console.log(
    `${(ms / 1000).toFixed(1).padStart(7)} s  ${relative(projectDirectory, file)}  ${passed} passed, ${failed} failed`,
  );
}
if (counts.passed + counts.failed === 0) process.exitCode = 1;
console.log(
  `${counts.passed} passed, ${counts.failed} failed${counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''}`,
);
