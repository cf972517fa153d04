import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { siteSources } from '../../../../scripts/site/sources.ts';

const directories = [
  'bin',
  'console',
  'functions',
  'lib',
  'packages/documents/src',
  'packages/engine/src',
  'packages/typescript/src',
  'scripts',
  'shared',
];
const files = ['cdk.json', 'package-lock.json', 'package.json'];

/**
 * Returns a digest of all inputs of bundles and templates. An assembly with an equal stamp need not be built again.
 */
export const sourceStamp = (projectDirectory: string, options: object): string => {
  const digest = createHash('sha256').update(JSON.stringify([process.version, options]));
  const sources = directories.flatMap((directory) =>
    readdirSync(join(projectDirectory, directory), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  const named = [...files, ...siteSources()].map((name) => join(projectDirectory, name));
  for (const file of [...sources.toSorted(), ...named]) {
    digest.update(`\n${file}\n`).update(readFileSync(file));
  }
  return digest.digest('hex');
};
