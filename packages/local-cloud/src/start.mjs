#!/usr/bin/env node
// Plain JavaScript, because older versions of Node.js cannot run the TypeScript that it starts.
/* oxlint-disable typescript/no-unsafe-argument, typescript/no-unsafe-assignment, typescript/no-unsafe-call, typescript/no-unsafe-member-access, typescript/no-unsafe-return -- nothing here has types */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';

const required = 24;
const [major] = process.versions.node.split('.').map(Number);

if (major < required) {
  process.stderr.write(
    `Strata needs Node.js ${required} or newer to run, and this is ${process.versions.node}: use "npm start", which brings it along.\n`,
  );
  process.exit(1);
}

const projectDirectory = join(import.meta.dirname, '..', '..', '..');
const bundle = join(projectDirectory, 'dist', 'local-cloud');

/** Whether a bundle was built from the present sources. */
const isFresh = () => {
  const stamp = join(bundle, 'stamp.json');
  if (!existsSync(stamp)) return false;
  try {
    return JSON.parse(readFileSync(stamp, 'utf8')).every(([path, mtimeMs, size]) => {
      const found = statSync(path);
      return found.mtimeMs === mtimeMs && found.size === size;
    });
  } catch {
    // A source or the stamp is missing or damaged.
    return false;
  }
};

enableCompileCache(join(projectDirectory, 'dist', 'compile-cache'));
const { start } = await import(isFresh() ? pathToFileURL(join(bundle, 'start.mjs')).href : './start.ts');
await start(process.argv.slice(2));
