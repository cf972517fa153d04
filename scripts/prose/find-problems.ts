import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TextlintKernel, TextlintKernelDescriptor } from '@textlint/kernel';
import markdown from '@textlint/textlint-plugin-markdown';
import { spellCheckDocument } from 'cspell-lib';
import terminology from 'textlint-rule-terminology';
import { projectDirectory } from '../support/project-directory.ts';
import { extractProse, type Prose } from './extract-prose.ts';
import { maxWords } from './max-words.ts';

const checkedFiles = [
  '*.md',
  '{bench,bin,docs,examples,functions,lib,scripts,shared,test}/**/*.{md,ts,mts,mjs}',
  'packages/*/{*.md,src/**/*.{ts,mjs}}',
  'packages/{engine,documents,local-cloud}/test/**/*.ts',
];
/** Generated files, whose texts come from their sources. Tables of benchmarks come from `npm run bench`. */
const generatedFiles = ['packages/typescript/src/schema.ts', 'docs/benchmarks.md'];
interface Terminology {
  readonly maxWordsOfASentence: number;
  /** Patterns, each with the term to use. */
  readonly terms: readonly (readonly [string, string])[];
}

interface FileProse extends Prose {
  readonly file: string;
}

export interface Finding {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

const textOf = (file: string): string => readFileSync(join(projectDirectory, file), 'utf8');

const proseOf = (file: string): FileProse => {
  const source = textOf(file);
  if (!file.endsWith('.md')) return { file, ...extractProse(file, source) };
  return { file, markdown: source, lines: source.split('\n').map((_, line) => line) };
};

/** Checks terms and the length of sentences. */
const checkSentences = async (proses: readonly FileProse[]): Promise<readonly Finding[]> => {
  const { maxWordsOfASentence, terms } = JSON.parse(textOf('docs/terminology.json')) as Terminology;
  const kernel = new TextlintKernel();
  const options = new TextlintKernelDescriptor({
    rules: [
      { ruleId: 'terminology', rule: terminology, options: { terms, defaultTerms: false, skip: [] } },
      { ruleId: 'max-words', rule: maxWords(maxWordsOfASentence) },
    ],
    plugins: [{ pluginId: 'markdown', plugin: markdown.default }],
    filterRules: [],
  }).toKernelOptions();
  const found = proses.map(async ({ file, lines, ...prose }) => {
    const { messages } = await kernel.lintText(prose.markdown, { ...options, ext: '.md', filePath: file });
    return messages.map(({ loc, message }) => ({ file, line: (lines[loc.start.line - 1] ?? 0) + 1, message }));
  });
  return (await Promise.all(found)).flat();
};

/** Code and addresses have no words. */
const codeOrAddress = /^ *```[\s\S]*?^ *```|`[^`]*`|\]\([^)]*\)|https?:\S+|<!--[\s\S]*?-->/gm;

/** Checks the spelling of all files as one document, because each document costs several milliseconds. */
const checkSpelling = async (proses: readonly FileProse[]): Promise<readonly Finding[]> => {
  const settings = {
    language: 'en,en-GB',
    dictionaries: ['aws', 'companies', 'filetypes', 'node', 'npm', 'softwareTerms', 'typescript'],
    words: textOf('docs/words.txt').split('\n'),
    maxNumberOfProblems: 1_000,
    maxDuplicateProblems: 100,
  };
  const places = proses.flatMap(({ file, lines, markdown: prose }) =>
    prose.split('\n').map((_, at) => ({ file, line: (lines[at] ?? 0) + 1 })),
  );
  const text = proses
    .map((prose) => prose.markdown.replaceAll(codeOrAddress, (match) => match.replaceAll(/\S/g, ' ')))
    .join('\n');
  const document = { uri: 'prose.txt', text, languageId: 'plaintext' };
  const { issues } = await spellCheckDocument(document, { generateSuggestions: false, noConfigSearch: true }, settings);
  return issues.flatMap(({ text: word, offset }) => {
    const place = places[text.slice(0, offset).split('\n').length - 1];
    return place === undefined ? [] : [{ ...place, message: `"${word}" is in no dictionary` }];
  });
};

/** Checks terms, sentences and spelling of `files`, by default of all that are checked. */
export const findProblems = async (files: readonly string[]): Promise<readonly Finding[]> => {
  const all =
    files.length > 0
      ? files
      : globSync(checkedFiles, {
          cwd: projectDirectory,
          exclude: generatedFiles,
        });
  const proses = all.map((file) => proseOf(file.replaceAll('\\', '/')));
  return [...(await checkSentences(proses)), ...(await checkSpelling(proses))];
};
