// Runs after `npm ci`, before TypeScript can be loaded: npm may run it with an older Node.js.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

/** Native files of onnxruntime-node, which has those of all systems: 245 MB that one machine does not use. */
const binaries = join(
  import.meta.dirname ?? new URL('.', import.meta.url).pathname,
  '..',
  'node_modules',
  'onnxruntime-node',
  'bin',
  'napi-v6',
);

/** Systems to keep: this one, and that of Lambda, for a deployment. */
const kept = new Set([`${process.platform}/${process.arch}`, 'linux/x64']);

if (existsSync(binaries))
  for (const os of readdirSync(binaries))
    for (const cpu of readdirSync(join(binaries, os)))
      if (!kept.has(`${os}/${cpu}`)) rmSync(join(binaries, os, cpu), { recursive: true });
