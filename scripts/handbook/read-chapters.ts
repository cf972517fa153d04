import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lexer, type MarkedToken, type Token } from 'marked';
import { plainText } from './read-runs.ts';

/** A heading that the contents name. */
export interface Heading {
  readonly title: string;
  /** 1 for a chapter, 2 for a part of it. */
  readonly depth: number;
}

/** The heading that a block is, where the contents name it. */
export const headingOf = (token: Token): Heading | null => {
  // Without extensions the lexer gives no tokens but its own.
  const block = token as MarkedToken;
  return block.type === 'heading' && block.depth <= 2 ? { title: plainText(block.tokens), depth: block.depth } : null;
};

/**
 * Reads the chapters of a folder, one a file, in order of their names. @throws Error for a file that does not begin with a
 * heading of the first level, or has another one.
 */
export const readChapters = async (directory: string): Promise<readonly (readonly Token[])[]> => {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.md')).toSorted();
  return Promise.all(
    names.map(async (name) => {
      const blocks = lexer(await readFile(join(directory, name), 'utf8'));
      const headings = blocks.flatMap((block) => headingOf(block) ?? []);
      if (headings[0]?.depth !== 1 || headings.filter(({ depth }) => depth === 1).length > 1) {
        throw new Error(`${name} must begin with its only heading of the first level`);
      }
      return blocks;
    }),
  );
};
