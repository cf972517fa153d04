import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { createExtractor } from '../../src/extract/extractor.ts';
import { UnreadableFile, type Part } from '../../src/extract/port.ts';
import { hostileFiles } from './hostile.ts';
import { fileOf, packages, readers, readWhole, textsOf } from './read.ts';

const mostSeconds = 60;
const everyWord = (parts: readonly Part[]): string =>
  textsOf(parts)
    .map(({ text }) => text)
    .join('\n');

const ending = async (file: ReturnType<typeof fileOf>): Promise<readonly Part[] | UnreadableFile> => {
  try {
    return (await readWhole(file)).parts;
  } catch (error) {
    if (error instanceof UnreadableFile) return error;
    throw error;
  }
};

/** Between the files that are read; `npm run test:formats` reads all of them. */
const step = Number(process.env['HOSTILE_STEP'] ?? 4);
const sample = hostileFiles.filter((_, at) => at % step === 0);

for (const { name, filename, make, refusal } of sample) {
  test(`${name} is ${refusal === null ? 'read' : 'refused'} in time, and the next file is read`, async (t) => {
    const bytes = await make();
    const startedAt = performance.now();
    const result = await ending(fileOf(filename, bytes));
    const seconds = (performance.now() - startedAt) / 1000;
    t.diagnostic(
      `${seconds.toFixed(1)} s, ${result instanceof UnreadableFile ? result.message : `${result.length} parts`}`,
    );
    assert.ok(seconds < mostSeconds, `${seconds} s`);
    if (refusal === null)
      assert.ok(!(result instanceof UnreadableFile), result instanceof UnreadableFile ? result.message : '');
    else assert.match(result instanceof UnreadableFile ? result.message : 'it was read', refusal);
    const next = await readWhole(fileOf('next.txt', 'The next file is whole.'));
    assert.equal(next.sections[0]?.text, 'The next file is whole.');
  });
}

test('the reader expands no entity, and reads and writes no file of the machine', async () => {
  const words = async (wanted: string): Promise<string> => {
    const found = hostileFiles.find(({ name }) => name === wanted);
    const { parts } = await readWhole(fileOf(found?.filename ?? '', (await found?.make()) ?? ''));
    return everyWord(parts);
  };
  assert.match(await words('XML with a billion laughs'), /before &l12; after/);
  assert.match(await words('XML that asks for a file of the machine'), /before &secret; after/);
  assert.match(await words('a vector drawing under the name of a photo'), /drawn words/);
  assert.ok(!existsSync('/tmp/strata-climbed') && !existsSync('/etc/strata-climbed'));
});

test('code that has taken over a reader can read only its own code and assets', async (context) => {
  const linked = join(mkdtempSync(join(tmpdir(), 'strata-reader-')), 'assets');
  context.after(() => rmSync(dirname(linked), { recursive: true }));
  symlinkSync(packages, linked);
  const intruder = join(import.meta.dirname, 'run-intruder.ts');
  const extractor = createExtractor({ assetsDirectory: linked, processPath: intruder });
  await assert.rejects(extractor.inspect(fileOf('a.txt', 'words')), {
    name: 'UnreadableFile',
    message: [intruder, join(realpathSync(packages), 'zod/package.json')].join('\n'),
  });
});

test('a refused attachment is noted, and the others are read', async () => {
  const found = hostileFiles.find(({ filename }) => filename === 'files.eml');
  const { inspection, parts } = await readWhole(fileOf('files.eml', (await found?.make()) ?? ''));
  assert.match(inspection.notes.join(), /^2 attachments were skipped: bomb\.docx \(.*unpacks.*\); a\.zip \(Archives/);
  const note = textsOf(parts).find(({ text }) => text === 'the note is read');
  assert.deepEqual(note?.place, { attachment: 'note.txt' });
});

test('a reader that is too slow is killed with that reason, and the next one continues', async () => {
  const extractor = createExtractor({ ...readers, timeoutSeconds: 0.001 });
  await assert.rejects(extractor.inspect(fileOf('a.txt', 'words')), {
    name: 'UnreadableFile',
    message: 'The file could not be read within 0.001 seconds',
  });
  await assert.rejects(extractor.inspect(fileOf('a.txt', 'words')), /within 0\.001 seconds/);
});

test('a reader that takes too much memory is killed with that reason, and concurrent files are read', async () => {
  const extractor = createExtractor({ ...readers, memoryMb: 256 });
  const greedy = fileOf(
    'a.json',
    JSON.stringify(Array.from({ length: 1_500_000 }, (_, index) => ({ a: index, b: [index] }))),
  );
  const [refused, read] = await Promise.allSettled([
    extractor.inspect(greedy),
    extractor.inspect(fileOf('a.txt', 'words')),
  ]);
  assert.match(refused.status === 'rejected' ? String(refused.reason) : 'read', /within 256 MB of memory/);
  assert.equal(read.status, 'fulfilled');
});
