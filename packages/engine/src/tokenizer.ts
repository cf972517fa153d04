import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { FtsToken } from '@lancedb/lancedb';
import { lazy } from '../../../shared/kernel/memoize.ts';

/** Settings by which a text is cut into terms. */
export interface TokenizeOptions {
  readonly baseTokenizer: 'icu' | 'simple';
  readonly language: string;
  /** Bytes beyond which a term is left out. */
  readonly maxTokenLength: number;
  readonly lowercase: boolean;
  readonly stem: boolean;
  readonly removeStopWords: boolean;
  /** Stems that are left out. Default: the engine's own list. */
  readonly customStopWords?: readonly string[];
  readonly asciiFolding: boolean;
}

type NativeTokenize = (
  text: string,
  baseTokenizer: string,
  language: string,
  maxTokenLength: number,
  lowercase: boolean,
  stem: boolean,
  removeStopWords: boolean,
  customStopWords: readonly string[] | undefined,
  asciiFolding: boolean,
) => FtsToken[];

/** Loads the engine's native file alone: the rest of its package and Arrow take ten times as long. */
const native = lazy((): { readonly tokenize: NativeTokenize } => {
  const load = createRequire(import.meta.url);
  // Cast: these are the functions of the file.
  return load(join(dirname(load.resolve('@lancedb/lancedb')), 'native.js')) as { readonly tokenize: NativeTokenize };
});

/** Cuts a text into terms with their positions: about 0.1 ms for a hundred words. */
export const tokenize = (text: string, options: TokenizeOptions): readonly FtsToken[] =>
  native().tokenize(
    text,
    options.baseTokenizer,
    options.language,
    options.maxTokenLength,
    options.lowercase,
    options.stem,
    options.removeStopWords,
    options.customStopWords,
    options.asciiFolding,
  );

/** Stands between texts that are cut together: letters of Linear A, which no stemmer changes. */
const divider = '\u{10602}\u{10603}\u{10602}';

/**
 * Cuts texts as `tokenize` does, in one call: passing the stop words takes as long as cutting a hundred words. Positions
 * of a text are relative to each other.
 */
export const tokenizeAll = (texts: readonly string[], options: TokenizeOptions): readonly (readonly FtsToken[])[] => {
  const found: FtsToken[][] = [[]];
  for (const token of tokenize(texts.join(`\n${divider}\n`), options)) {
    if (token.text === divider) found.push([]);
    else found.at(-1)?.push(token);
  }
  // A text contains the divider.
  return found.length === texts.length ? found : texts.map((text) => tokenize(text, options));
};
