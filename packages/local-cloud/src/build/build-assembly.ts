import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { synthesize } from '../../../../lib/synthesize.ts';
import { bundleProject } from '../../../../scripts/bundle.ts';
import { bundleHost } from './bundle-host.ts';
import { isBuilt, type BuildOptions } from './prepare-assembly.ts';

const lockWaitMs = 120_000;

/** Waits until no other process builds. The operating system releases the lock when the process ends. */
const takeBuildLock = (directory: string): DatabaseSync => {
  mkdirSync(directory, { recursive: true });
  const lock = new DatabaseSync(join(directory, 'build-lock.sqlite'), { timeout: lockWaitMs });
  lock.exec('BEGIN EXCLUSIVE');
  return lock;
};

const say = (phase: string): void => {
  process.stdout.write(`${phase}\n`);
};

/** Bundles and synthesizes, then renames the complete assembly into place. */
const build = async ({ directory, stamp, ...options }: BuildOptions): Promise<void> => {
  if (isBuilt(directory, stamp)) {
    return;
  }
  say('bundling functions');
  await bundleProject();
  await bundleHost();
  say('synthesizing templates');
  const outdir = `${directory}.new`;
  rmSync(outdir, { recursive: true, force: true });
  await synthesize({ outdir, ...options, validate: false });
  writeFileSync(join(outdir, 'stamp'), stamp);
  rmSync(directory, { recursive: true, force: true });
  renameSync(outdir, directory);
};

// The argument is what `prepareAssembly` wrote.
const options = JSON.parse(process.argv[2] ?? '') as BuildOptions;
const lock = takeBuildLock(dirname(options.directory));
await build(options);
lock.close();
