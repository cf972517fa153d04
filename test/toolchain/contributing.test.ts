import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { test } from 'node:test';
import ts from 'typescript';

const projectDirectory = join(import.meta.dirname, '..', '..');

/** One code block of a recipe: a new file, or lines of a file before another line. */
interface Step {
  readonly file: string;
  readonly before: string | null;
  readonly code: string;
}

/** Reads the blocks of TypeScript, each with the sentence before it, which names its place. */
const readSteps = (page: string): readonly Step[] =>
  [...page.matchAll(/^([^\n]+)\n\n( *)```ts\n([^]*?)^ *```$/gm)].map(([, sentence = '', indent = '', block = '']) => {
    const code = block.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
    const created = /\bCreate (?:the reader )?`([\w/.-]+\.ts)`/.exec(sentence)?.[1];
    if (created !== undefined) return { file: created, before: null, code };
    const [, file, before] = /\bin `([\w/.-]+\.ts)`, before `([^`]+)`\./.exec(sentence) ?? [];
    assert.ok(file !== undefined && before !== undefined, `No place of a block is named: ${sentence}`);
    return { file, before, code };
  });

/** Returns a file with the lines of a step: imports at its start, and the others before the named line. */
const withStep = (text: string, { file, before, code }: Step): string => {
  const lines = text.split('\n');
  const places = lines.flatMap((line, at) => (line.trimStart().startsWith(before ?? '') ? [at] : []));
  assert.equal(places.length, 1, `${file} has one line that begins with ${before}`);
  const [at = 0] = places;
  const isImport = (line: string): boolean => line.startsWith('import ');
  const added = code.split('\n');
  return [
    ...added.filter(isImport),
    ...lines.slice(0, at),
    ...added.filter((line) => !isImport(line)),
    ...lines.slice(at),
  ].join('\n');
};

/** Applies steps to the files of the project, in memory. */
const applySteps = (steps: readonly Step[]): ReadonlyMap<string, string> => {
  const files = new Map<string, string>();
  for (const step of steps) {
    const path = join(projectDirectory, step.file);
    if (step.before === null) {
      assert.ok(!existsSync(path), `${step.file} exists already`);
      files.set(path, step.code);
    } else files.set(path, withStep(files.get(path) ?? readFileSync(path, 'utf8'), step));
  }
  return files;
};

/** Folders whose files are placed but not compiled: the types of the CDK take more time than all others. */
const uncompiled = ['lib', 'test'].map((folder) => join(projectDirectory, folder, sep));

/** Returns the type errors in files that replace those of the project in memory. */
const typeErrorsIn = (files: ReadonlyMap<string, string>): readonly string[] => {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => assert.fail('tsconfig.json cannot be read') };
  const config = ts.getParsedCommandLineOfConfigFile(join(projectDirectory, 'tsconfig.json'), {}, host);
  assert.ok(config !== undefined);
  const compiler = ts.createCompilerHost(config.options);
  compiler.fileExists = (path) => files.has(path) || ts.sys.fileExists(path);
  compiler.readFile = (path) => files.get(path) ?? ts.sys.readFile(path);
  compiler.directoryExists = (path) =>
    ts.sys.directoryExists(path) || [...files.keys()].some((file) => file.startsWith(`${path}/`));
  const compiled = [...files.keys()].filter((path) => !uncompiled.some((folder) => path.startsWith(folder)));
  const program = ts.createProgram(compiled, config.options, compiler);
  return compiled.flatMap((path) => {
    const source = program.getSourceFile(path);
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      ({ messageText }) => `${path}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
    );
  });
};

test('the code of every recipe in CONTRIBUTING.md compiles at the place that the recipe names', () => {
  const steps = readSteps(readFileSync(join(projectDirectory, 'CONTRIBUTING.md'), 'utf8'));
  for (const created of ['get-age', 'log-size/worker', 'read-gettext', 'bulletins'])
    assert.ok(
      steps.some(({ file }) => file.endsWith(`${created}.ts`)),
      created,
    );
  assert.deepEqual(typeErrorsIn(applySteps(steps)), []);
});
