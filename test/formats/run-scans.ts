import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createTesseractOcr } from '#documents';
import { changePage, onItsSide, pageTexts, unreadScripts } from '../../packages/documents/test/ocr/pages.ts';
import { photograph, rotate, turn } from '../../packages/documents/test/ocr/pictures.ts';
import { characterError, type Scan, scans } from '../../packages/documents/test/ocr/scans.ts';

const run = promisify(execFile);
const projectDirectory = join(import.meta.dirname, '../..');

/** Character error up to which a scan counts as read. */
const maxError = 0.05;
/** The same of a page in another script. */
const maxErrorOfScripts = 0.08;

const changes: Readonly<Record<string, Parameters<typeof changePage>[1]>> = {
  '': (page) => page,
  ', turned by 4 degrees': (page) => rotate(page, 4),
  ', on its side': onItsSide,
  ', upside down': turn,
  ', photographed under one lamp': photograph,
};

/** Pages in other scripts, each in several states. */
const scriptScans: readonly Scan[] = Object.entries(pageTexts).flatMap(([page, { text }]) =>
  Object.entries(changes).map(([state, change]) => ({
    name: `${page}${state}`,
    truth: text,
    draw: async () => changePage(page, change),
  })),
);
const unreadNames = new Set(
  Object.keys(unreadScripts).flatMap((page) => Object.keys(changes).map((state) => page + state)),
);

/** Result of one made picture. */
export interface ScanResult {
  readonly name: string;
  /** Share of characters that are wrong, missing or in excess. */
  readonly error: number;
  /** The same of the native Tesseract in its best segmentation mode; null if it is not installed. */
  readonly nativeError: number | null;
  /** CPU seconds. */
  readonly seconds: number;
  /** Whether its script was reported as unread. */
  readonly isForeign: boolean;
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
const measureScans = async (pictures: readonly Scan[]): Promise<readonly ScanResult[]> => {
  const directory = await mkdtemp(join(tmpdir(), 'strata-scans-'));
  const ocr = createTesseractOcr({
    assetsDirectory: join(projectDirectory, 'node_modules'),
    modelsDirectory: join(projectDirectory, 'models'),
    workerFile: join(projectDirectory, 'packages/documents/src/ocr/run-tesseract.ts'),
  });
  const results: ScanResult[] = [];
  try {
    for (const [at, { name, truth, draw }] of pictures.entries()) {
      const bytes = await draw();
      const startedAt = process.cpuUsage();
      const { text, isForeign = false } = await ocr.recognize({ mediaType: 'image/png', bytes });
      const { user, system } = process.cpuUsage(startedAt);
      const path = join(directory, `${at}.png`);
      await writeFile(path, bytes);
      const nativeError = await readNatively(path, truth);
      results.push({
        name,
        error: characterError(text, truth),
        nativeError,
        seconds: (user + system) / 1e6,
        isForeign,
      });
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
  return results;
};

const shown = (value: number | null): string => (value === null ? '-' : value.toFixed(3));

const isRight = ({ name, error, isForeign }: ScanResult, limit: number): boolean =>
  unreadNames.has(name) ? isForeign : error <= limit;

const report = (results: readonly ScanResult[], limit: number): void => {
  console.log('error  native  seconds  picture');
  for (const { name, error, nativeError, seconds, isForeign } of results) {
    const columns = [isForeign ? 'named' : shown(error), shown(nativeError).padEnd(6), seconds.toFixed(1).padStart(7)];
    console.log([...columns, name].join('  '));
  }
  const wrong = results.filter((result) => !isRight(result, limit));
  console.log(`Errors of at most ${limit}: ${results.length - wrong.length} passed, ${wrong.length} failed\n`);
  if (wrong.length > 0) process.exitCode = 1;
};

if (import.meta.main) {
  // `scripts` reads pages in other scripts alone.
  if (process.argv[2] !== 'scripts') report(await measureScans(scans), maxError);
  report(await measureScans(scriptScans), maxErrorOfScripts);
}
