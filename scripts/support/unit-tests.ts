import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { projectDirectory } from './project-directory.ts';

/** Modules that open a connection or start a process. */
const outside = /^node:(?:http|https|http2|net|tls|dgram|child_process|worker_threads)$/;
/** Folders with the service, the emulated cloud and the bundles. */
const service = /^(?:bench|bin|client|functions|lib|packages\/local-cloud\/src|scripts)\//;
/** Tests that run the search engine, models or large files, and take too long for a unit test. */
const slow =
  /^test\/models\/|^packages\/(?:engine\/test|documents\/test\/(?:ocr|transcribe))\/|extract\/(?:hostile|pictures)\.test\.ts$/;

const tests = /^(?:test|packages\/[\w-]+\/test)\//;

const pathOf = (file: string): string => relative(projectDirectory, file).split(sep).join('/');

/** Returns whether a test file needs nothing but the modules that it tests. It follows imports within tests. */
export const isUnitTest = (file: string, seen = new Set<string>()): boolean => {
  if (seen.has(file)) return true;
  seen.add(file);
  if (slow.test(pathOf(file))) return false;
  const imported = [...readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*'([^']+)'/g)].map(
    ([, name = '']) => name,
  );
  return imported.every((name) => {
    if (!name.startsWith('.')) return !outside.test(name);
    const target = join(dirname(file), name);
    if (service.test(pathOf(target))) return false;
    return !tests.test(pathOf(target)) || !existsSync(target) || isUnitTest(target, seen);
  });
};
