/** A pattern of a `.gitignore`, for the paths below a folder. */
export interface IgnoreRule {
  /** Path of the folder, which ends with `/`, or is empty. */
  readonly folder: string;
  readonly pattern: RegExp;
  readonly isNegated: boolean;
  readonly onlyFolders: boolean;
}

/** Parts of a glob and the regular expressions that they mean, in the order in which they are tried. */
const globs: readonly (readonly [RegExp, (part: string) => string])[] = [
  [/^\*\*\//, () => '(?:.*/)?'],
  [/^\/\*\*$/, () => '/.+'],
  [/^\/\*\*\//, () => '/(?:.*/)?'],
  [/^\*+/, () => '[^/]*'],
  [/^\?/, () => '[^/]'],
  [/^\[!?[^\]/]+\]/, (part) => `[${part.slice(1, -1).replace(/^!/, '^').replaceAll('\\', '\\\\')}]`],
  [/^\\./, (part) => part.slice(1).replace(/[^\w\s]/, '\\$&')],
  [/^[^]/, (part) => part.replace(/[^\w\s/]/u, '\\$&')],
];

const toExpression = (glob: string): string => {
  let [rest, expression] = [glob, ''];
  while (rest !== '') {
    for (const [start, translate] of globs) {
      const part = start.exec(rest)?.[0];
      if (part === undefined) continue;
      expression += translate(part);
      rest = rest.slice(part.length);
      break;
    }
  }
  return expression;
};

/** Reads patterns in the format of a `.gitignore`. Source: gitignore(5). */
export const readRules = (text: string, folder: string): readonly IgnoreRule[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.replace(/(?<!\\) +$/, ''))
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const isNegated = line.startsWith('!');
      const glob = isNegated ? line.slice(1) : line;
      const bare = glob.replace(/\/$/, '');
      // A pattern with a slash before its end is for one place, any other for every folder below.
      const prefix = bare.includes('/') ? '' : '(?:.*/)?';
      const pattern = new RegExp(`^${prefix}${toExpression(bare.replace(/^\//, ''))}$`, 'su');
      return { folder, pattern, isNegated, onlyFolders: glob.endsWith('/') };
    });

/** Whether rules exclude a path. The last rule that matches counts. */
export const isIgnored = (rules: readonly IgnoreRule[], path: string, isFolder: boolean): boolean => {
  const rule = rules.findLast(
    ({ folder, pattern, onlyFolders }) =>
      (isFolder || !onlyFolders) && path.startsWith(folder) && pattern.test(path.slice(folder.length)),
  );
  return rule !== undefined && !rule.isNegated;
};
