import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createTesseractOcr } from '#documents';
import { characterError, scans } from '../../packages/documents/test/ocr/scans.ts';

const run = promisify(execFile);
const projectDirectory = join(import.meta.dirname, '../..');

/** Character error up to which a scan counts as read. */
const maxError = 0.05;

/** Result of one made picture. */
export interface ScanResult {
  readonly name: string;
  /** Share of characters that are wrong, missing or in excess. */
  readonly error: number;
  /** The same of the native Tesseract in its best segmentation mode; null if it is not installed. */
  readonly nativeError: number | null;
  /** CPU seconds. */
  readonly seconds: number;
}

const nativeModes = ['3', '4', '6', '11'];
const nativeLanguages = 'eng+deu+fra+spa+ita';

const readNatively = async (path: string, truth: string): Promise<number | null> => {
  try {
    const readings = await Promise.all(
      nativeModes.map((mode) => run('tesseract', [path, '-', '--psm', mode, '-l', nativeLanguages])),
    );
    return Math.min(...readings.map(({ stdout }) => characterError(stdout, truth)));
  } catch {
    return null;
  }
};

/** Reads made pictures of scans, and compares them with their text. */
const measureScans = async (): Promise<readonly ScanResult[]> => {
  const directory = await mkdtemp(join(tmpdir(), 'strata-scans-'));
  const ocr = createTesseractOcr({
    assetsDirectory: join(projectDirectory, 'node_modules'),
    modelsDirectory: join(projectDirectory, 'models'),
    workerFile: join(projectDirectory, 'packages/documents/src/ocr/run-tesseract.ts'),
  });
  const results: ScanResult[] = [];
  try {
    for (const [at, { name, truth, draw }] of scans.entries()) {
      const bytes = await draw();
      const startedAt = process.cpuUsage();
      const { text } = await ocr.recognize({ mediaType: 'image/png', bytes });
      const { user, system } = process.cpuUsage(startedAt);
      const path = join(directory, `${at}.png`);
      await writeFile(path, bytes);
      const nativeError = await readNatively(path, truth);
      results.push({ name, error: characterError(text, truth), nativeError, seconds: (user + system) / 1e6 });
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
  return results;
};

const shown = (value: number | null): string => (value === null ? '-' : value.toFixed(3));

if (import.meta.main) {
  const results = await measureScans();
  console.log('error  native  seconds  picture');
  for (const { name, error, nativeError, seconds } of results)
    console.log(`${shown(error)}  ${shown(nativeError).padEnd(6)}  ${seconds.toFixed(1).padStart(7)}  ${name}`);
  const unread = results.filter(({ error }) => error > maxError);
  console.log(`Errors of at most ${maxError}: ${results.length - unread.length} passed, ${unread.length} failed`);
  process.exitCode = unread.length === 0 ? 0 : 1;
}
