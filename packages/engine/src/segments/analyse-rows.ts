import type { FtsToken } from '@lancedb/lancedb';
import type { VersionedRow } from '../changes/index-content.ts';
import { batchesOf } from '../../../../shared/kernel/batches.ts';
import { storedTexts } from '../lance/stored-texts.ts';
import { analysisOf, type TextAnalysis } from '../lance/text-analysis.ts';
import { metadataTokens } from '../metadata-tokens.ts';
import type { IndexRef } from '../port.ts';
import { rulesOf } from '../text-language.ts';
import { tokenize, tokenizeAll } from '../tokenizer.ts';
import type { AnalysedRow, TermPositions } from './segment-builder.ts';

const positionsOf = (tokens: readonly FtsToken[]): TermPositions => {
  const terms = new Map<string, number[]>();
  for (const { text: term, position } of tokens) {
    const known = terms.get(term);
    if (known === undefined) terms.set(term, [position]);
    else known.push(position);
  }
  return terms;
};

/** Returns the terms of a text with their positions. */
export const termsOf = (text: string, analysis: TextAnalysis): TermPositions => positionsOf(tokenize(text, analysis));

const none: TermPositions = new Map();

/** Texts that are cut at once. */
const textsAtOnce = 100;

/** Returns the terms of texts, of which many are cut at once. */
const termsOfAll = (texts: readonly (string | null)[], analysis: TextAnalysis): readonly TermPositions[] => {
  const present = texts.filter((text) => text !== null);
  const terms = batchesOf(present, textsAtOnce)
    .flatMap((some) => tokenizeAll(some, analysis))
    .map(positionsOf)
    .values();
  return texts.map((text) => (text === null ? none : (terms.next().value ?? none)));
};

/** Analyses rows: the terms of their texts, and the tokens of their metadata. */
export const analyseRows = (rows: readonly VersionedRow[], ref: IndexRef): readonly AnalysedRow[] => {
  const rules = rulesOf(ref);
  const analysis = analysisOf(rules);
  const texts = rows.map((row) => storedTexts(row, rules));
  const terms = termsOfAll(
    texts.map(({ text }) => text),
    analysis,
  );
  const common = termsOfAll(
    texts.map((stored) => stored.common),
    { ...analysis, removeStopWords: false },
  );
  const toTokens = metadataTokens(ref);
  return rows.map((row, at) => ({
    row,
    terms: terms[at] ?? none,
    common: common[at] ?? none,
    filter: toTokens(row.metadata),
  }));
};
