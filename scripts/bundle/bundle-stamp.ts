import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { digestOf, writeIfChanged } from './place-file.ts';

/** One function to bundle. */
export interface BundleEntry {
  /** Directory of its output. */
  readonly id: string;
  /** Text of the module that exports `handler`; its imports are relative to the project's root. */
  readonly source: string;
  /** Files that go beside the bundle: `from` relative to the project's root, `to` to the bundle's directory. */
  readonly files: readonly { readonly from: string; readonly to: string }[];
}

/** What to bundle and where. */
export interface BundleOrder {
  readonly entries: readonly BundleEntry[];
  readonly projectDirectory: string;
  /** Directory of `<id>/index.cjs` and its files for each entry. All other files in it are removed. */
  readonly outputDirectory: string;
}

/** One bundle as built. */
export interface Bundle {
  readonly id: string;
  /** Size of `index.cjs`. */
  readonly bytes: number;
  /** The input files that take the most of it, largest first. */
  readonly largestParts: readonly { readonly path: string; readonly bytes: number }[];
  /** Files of the project that went into it, relative to the project. */
  readonly sources: readonly string[];
}

interface Stamp {
  /** Digest of the options and entries. */
  readonly key: string;
  /** Digest of each source, by its path relative to the project. */
  readonly digests: Readonly<Record<string, string>>;
  readonly bundles: readonly Bundle[];
}

const stampPath = ({ outputDirectory }: BundleOrder): string => join(outputDirectory, 'stamp.json');

const digestFile = async ({ projectDirectory }: BundleOrder, path: string): Promise<string> =>
  digestOf(await readFile(join(projectDirectory, path)));

/** Files whose change makes bundles stale. The lock file represents the installed packages. */
const watchedFiles = ({ entries }: BundleOrder, bundles: readonly Bundle[]): readonly string[] => {
  const assets = entries.flatMap(({ files }) => files.map(({ from }) => from));
  const ownAssets = assets.filter((path) => !path.includes('node_modules/'));
  return [...new Set([...bundles.flatMap(({ sources }) => sources), ...ownAssets, 'package-lock.json'])];
};

/** Records the sources that the bundles were built from. */
export const writeStamp = async (order: BundleOrder, key: string, bundles: readonly Bundle[]): Promise<void> => {
  const files = watchedFiles(order, bundles);
  const digests = await Promise.all(files.map(async (path) => [path, await digestFile(order, path)] as const));
  const stamp: Stamp = { key, digests: Object.fromEntries(digests), bundles };
  await writeIfChanged(stampPath(order), Buffer.from(JSON.stringify(stamp)));
};

/** The bundles of the last build if they are still what building would make, else null. */
export const freshBundles = async (order: BundleOrder, key: string): Promise<readonly Bundle[] | null> => {
  try {
    const stamp = JSON.parse(await readFile(stampPath(order), 'utf8')) as Stamp;
    if (stamp.key !== key) return null;
    const same = await Promise.all(
      Object.entries(stamp.digests).map(async ([path, digest]) => (await digestFile(order, path)) === digest),
    );
    const expected = order.entries.flatMap(({ id, files }) => [
      `${id}/index.cjs`,
      ...files.map(({ to }) => `${id}/${to}`),
    ]);
    const complete = expected.every((path) => existsSync(join(order.outputDirectory, path)));
    return complete && same.every(Boolean) ? stamp.bundles : null;
  } catch {
    // Without a readable stamp, or without one of the sources, a build is necessary.
    return null;
  }
};
