import { stat } from 'node:fs/promises';
import { basename, extname, relative, resolve } from 'node:path';
import { renderOwnHandbook } from '../handbook.ts';

/** The file that goes through the service. */
export interface DemoFile {
  readonly path: string;
  readonly name: string;
  readonly bytes: number;
  readonly contentType: string;
  readonly isHandbook: boolean;
}

const contentTypes: Readonly<Record<string, string>> = {
  '.htm': 'text/html',
  '.html': 'text/html',
  '.markdown': 'text/markdown',
  '.md': 'text/markdown',
  '.pdf': 'application/pdf',
  '.txt': 'text/plain',
};

/** The file that was named, else the handbook, freshly rendered. @throws Error for a file that cannot be read. */
export const chooseFile = async (given: string | null): Promise<DemoFile> => {
  const path = given === null ? (await renderOwnHandbook()).file : resolve(given);
  const found = await stat(path).catch(() => null);
  if (found === null || !found.isFile()) throw new Error(`${given} is not a file that can be read`);
  return {
    path,
    name: basename(path),
    bytes: found.size,
    contentType: contentTypes[extname(path).toLowerCase()] ?? 'application/octet-stream',
    isHandbook: given === null,
  };
};

/** The path as a user would write it. */
export const shownPath = (path: string): string => {
  const short = relative(process.cwd(), path);
  return short.startsWith('..') ? path : short;
};
