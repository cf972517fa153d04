// Runs after `npm ci`, before TypeScript can be loaded: npm may run it with an older Node.js.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

const packages = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..', 'node_modules');

/** @type {(...path: string[]) => string[]} */
const namesIn = (...path) => (existsSync(join(packages, ...path)) ? readdirSync(join(packages, ...path)) : []);

/** @type {(...path: string[]) => void} */
const remove = (...path) => rmSync(join(packages, ...path), { recursive: true });

/** Native files of onnxruntime-node, which has those of all systems: 245 MB that one machine does not use. */
const binaries = ['onnxruntime-node', 'bin', 'napi-v6'];

/** Systems to keep: this one, and that of Lambda, for a deployment. */
const kept = new Set([`${process.platform}/${process.arch}`, 'linux/x64']);

for (const os of namesIn(...binaries))
  for (const cpu of namesIn(...binaries, os)) if (!kept.has(`${os}/${cpu}`)) remove(...binaries, os, cpu);

/** Files of Tesseract that are used: two of six builds of the engine, and one of two forms of each model. */
const engine = /^(?!tesseract-core)|^tesseract-core-simd(?:-lstm)?\.(?:js|wasm)$/;
for (const name of namesIn('tesseract.js-core')) if (!engine.test(name)) remove('tesseract.js-core', name);
for (const model of namesIn('@tesseract.js-data'))
  if (namesIn('@tesseract.js-data', model).includes('4.0.0_best_int'))
    rmSync(join(packages, '@tesseract.js-data', model, '4.0.0'), { recursive: true, force: true });
