import type { SearchResult, StrataClient } from '#client';
import { placeOf, type Question } from './choose-questions.ts';

export const searchModes = ['dense', 'sparse', 'hybrid'] as const;

export type SearchMode = (typeof searchModes)[number];

const shownHits = 2;
const shownLines = 2;
const [narrowest, widest] = [40, 112];
const maxPlaceLength = 60;
const indent = ' '.repeat(5);
const modeWidth = 8;
const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/** Searches one index. */
export const search = async (
  client: StrataClient,
  index: string,
  mode: SearchMode,
  text: string,
  topK: number,
): Promise<readonly SearchResult[]> => {
  const { results } = await client.post(`/v1/indexes/{index_id}/search/${mode}`, {
    params: { path: { index_id: index } },
    body: { text, top_k: topK, include: ['text', 'metadata'], ...(mode === 'hybrid' ? { rerank: {} } : {}) },
  });
  return results;
};

/** Heads of the longer words, which is as much of a stem as it takes to choose a sentence. */
const headsOf = (text: string): ReadonlySet<string> =>
  new Set((text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? []).map((word) => word.slice(0, 5)));

/** The part of a hit's text that shares most with the question, cut to `length` characters. */
const excerpt = (hit: SearchResult, question: string, length: number): string => {
  const asked = headsOf(question);
  const parts = [...segmenter.segment((hit.text ?? '').replace(/\s+/g, ' '))].map(({ segment }) => segment.trim());
  const shared = parts.map((part) => [...headsOf(part)].filter((head) => asked.has(head)).length);
  const at = Math.max(0, shared.indexOf(Math.max(...shared)));
  const rest = parts.slice(at).join(' ');
  return rest.length <= length ? rest : `${rest.slice(0, length - 1).trimEnd()}…`;
};

/** Cuts a text into lines of at most `width` characters, between words. */
const wrap = (text: string, width: number): readonly string[] => {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
};

const show = (hit: SearchResult, question: Question, label: string): readonly string[] => {
  const mark = hit.id === question.rowId ? ', where the question comes from' : '';
  const place = (placeOf(hit) || 'no page').slice(0, maxPlaceLength);
  const head = `${indent}${label.padEnd(modeWidth)}${place}${mark}, score ${hit.score.toPrecision(3)}`;
  const width = Math.min(process.stdout.columns ?? widest, widest) - indent.length - modeWidth;
  const text = `“${excerpt(hit, question.text, shownLines * Math.max(width, narrowest) - 20)}”`;
  return [head, ...wrap(text, width).map((line) => `${indent}${' '.repeat(modeWidth)}${line}`)];
};

/**
 * Searches each question by all three kinds and prints the best passages with their pages.
 * @throws Error if no search finds anything.
 */
export const askQuestions = async (
  client: StrataClient,
  index: string,
  questions: readonly Question[],
  write: (line: string) => void,
): Promise<void> => {
  let found = 0;
  for (const [position, question] of questions.entries()) {
    write('');
    write(`  ${position + 1}. ${question.text}${question.origin === '' ? '' : `  [${question.origin}]`}`);
    for (const mode of searchModes) {
      const hits = await search(client, index, mode, question.text, shownHits);
      found += hits.length;
      if (hits.length === 0) write(`${indent}${mode.padEnd(modeWidth)}finds nothing`);
      for (const [rank, hit] of hits.entries()) show(hit, question, rank === 0 ? mode : '').forEach(write);
    }
  }
  if (questions.length > 0 && found === 0) throw new Error('not one search found anything');
};
