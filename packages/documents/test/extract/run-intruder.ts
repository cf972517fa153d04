import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ReadResponse } from '../../src/extract/reader-process.ts';

const [, , assetsDirectory = ''] = process.argv;

const isReadable = (path: string): boolean => {
  try {
    return readFileSync(path).length > 0;
  } catch {
    return false;
  }
};

const wanted = [
  import.meta.filename,
  join(assetsDirectory, 'zod/package.json'),
  `/proc/${process.ppid}/environ`,
  '/proc/self/environ',
  '/etc/passwd',
  join(import.meta.dirname, '../../../../package.json'),
];

/** Simulates a file that has taken over the reader process, and reports what it can read. */
process.on('message', (request) => {
  const { id } = request as { readonly id: number };
  const reason = wanted.filter(isReadable).join('\n');
  process.send?.({ id, body: { task: 'unreadable', reason, cause: '' } satisfies ReadResponse });
});
