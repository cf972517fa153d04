import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { UsageError } from './command.ts';
import { type IgnoreRule, isIgnored, readRules } from './ignore.ts';

/** Files to push, and what was left out. */
export interface LocalFiles {
  /** Paths of the files by their names in the index. */
  readonly paths: ReadonlyMap<string, string>;
  /** Paths of symbolic links. */
  readonly links: readonly string[];
  /** Whether a folder was given. */
  readonly hasFolder: boolean;
}

const ignoreFiles = ['.gitignore', '.strataignore'];

const toSlashes = (path: string): string => path.replaceAll(sep, '/');

const rulesIn = async (folder: string): Promise<readonly IgnoreRule[]> => {
  const texts = await Promise.all(ignoreFiles.map((name) => readFile(join(folder, name), 'utf8').catch(() => '')));
  return texts.flatMap((text) => readRules(text, `${toSlashes(folder)}/`));
};

/** Rules of the folders above, up to the repository that they belong to; none outside a repository. */
const rulesAbove = async (folder: string): Promise<readonly IgnoreRule[]> => {
  const folders: string[] = [];
  for (let at = folder; ; at = dirname(at)) {
    if (at !== folder) folders.unshift(at);
    if (
      await stat(join(at, '.git')).then(
        () => true,
        () => false,
      )
    )
      return (await Promise.all(folders.map(rulesIn))).flat();
    if (dirname(at) === at) return [];
  }
};

/** Finds the files below a folder in order of their paths, without names that begin with a dot. */
const walk = async (
  root: string,
  excluded: readonly string[],
  found: { readonly paths: Map<string, string>; readonly links: string[] },
): Promise<void> => {
  // Patterns of the command line have precedence over files.
  const own = readRules(excluded.join('\n'), `${toSlashes(root)}/`);
  const visit = async (folder: string, inherited: readonly IgnoreRule[]): Promise<void> => {
    const rules = [...inherited, ...(await rulesIn(folder))];
    const entries = await readdir(folder, { withFileTypes: true });
    for (const entry of entries.toSorted((left, right) => (left.name < right.name ? -1 : 1))) {
      const path = join(folder, entry.name);
      if (entry.name.startsWith('.')) continue;
      if (isIgnored([...rules, ...own], toSlashes(path), entry.isDirectory())) continue;
      if (entry.isDirectory()) await visit(path, rules);
      else if (entry.isSymbolicLink()) found.links.push(path);
      else if (entry.isFile()) found.paths.set(toSlashes(path.slice(root.length + 1)), path);
    }
  };
  await visit(root, await rulesAbove(root));
};

/**
 * Finds the files of folders and single files. The name of a file is its path below its folder. Throws UsageError for a path
 * that does not exist and for two files with the same name.
 */
export const findLocalFiles = async (paths: readonly string[], excluded: readonly string[]): Promise<LocalFiles> => {
  const all = new Map<string, string>();
  const links: string[] = [];
  let hasFolder = false;
  for (const path of paths) {
    const found = { paths: new Map<string, string>(), links };
    const stats = await stat(path).catch(() => null);
    if (stats === null) throw new UsageError(`There is no file or folder "${path}".`);
    hasFolder ||= stats.isDirectory();
    if (stats.isDirectory()) await walk(resolve(path), excluded, found);
    else if (stats.isFile()) found.paths.set(basename(path), path);
    else throw new UsageError(`"${path}" is neither a file nor a folder.`);
    for (const [name, place] of found.paths) {
      const other = all.get(name);
      if (other !== undefined && resolve(other) !== resolve(place))
        throw new UsageError(`${other} and ${place} have the same name "${name}". Push them to different indexes.`);
      all.set(name, place);
    }
  }
  return { paths: all, links, hasFolder };
};
