import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { projectDirectory } from '../../scripts/support/project-directory.ts';

/** A code block of a guide. */
export interface Block {
  readonly language: string;
  /** Why the block cannot run here: it needs AWS (`aws`) or an `account` of another service; else empty. */
  readonly mark: string;
  readonly code: string;
}

/** A guide with its blocks, in their order. */
interface Guide {
  readonly name: string;
  readonly blocks: readonly Block[];
}

/** Blocks of a guide that run: of these languages, and without a mark. */
export const isRun = ({ language, mark }: Block): boolean => ['sh', 'python', 'ts'].includes(language) && mark === '';

/** Reads all guides. Blocks within lists lose their indent. */
export const readGuides = (): readonly Guide[] =>
  globSync('docs/guides/*.md', { cwd: projectDirectory })
    .filter((path) => basename(path) !== 'README.md')
    .toSorted()
    .map((path) => ({
      name: basename(path, '.md'),
      blocks: [
        ...readFileSync(join(projectDirectory, path), 'utf8').matchAll(/^( *)```(\w+)(?: (\w+))?\n([^]*?)^\1```$/gm),
      ].map(([, indent = '', language = '', mark = '', code = '']) => ({
        language,
        mark,
        code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      })),
    }));
