import { openBlocks, type Block } from './cut-units.ts';
import type { FormatReader } from './format.ts';

interface Cue {
  readonly startSeconds: number;
  readonly endSeconds: number;
  readonly text: string;
}

const timing = /^((?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3})\s+-->\s+((?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3})/;
const spokenChars = 240;

const secondsOf = (time: string): number => {
  const parts = time.replace(',', '.').split(':').map(Number);
  return Math.round(parts.reduce((sum, part) => sum * 60 + part, 0) * 1000) / 1000;
};

const wordsOf = (lines: readonly string[]): string =>
  lines
    .join(' ')
    .replace(/<v(?:\.[^ >]*)?\s+([^>]*)>/g, '$1: ')
    .replace(/<[^>]*>|\{\\[^}]*\}/g, '')
    .replace(/&nbsp;/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')
    .trim();

/** Cues of an SRT or WebVTT file, in the order of the file; comments, styles and numbers are left out. */
const readCues = (text: string): readonly Cue[] =>
  text.split(/\n\s*\n/).flatMap((paragraph) => {
    const lines = paragraph.split('\n');
    const at = lines.findIndex((line) => timing.test(line));
    const [, start, end] = timing.exec(lines[at] ?? '') ?? [];
    const words = wordsOf(lines.slice(at + 1));
    if (start === undefined || end === undefined || words === '') return [];
    return [{ startSeconds: secondsOf(start), endSeconds: secondsOf(end), text: words }];
  });

/** Joins cues up to the end of a sentence, for a cue is as long as a line on the screen. */
const joinCues = (cues: readonly Cue[]): readonly Cue[] => {
  const joined: Cue[] = [];
  for (const cue of cues) {
    const open = joined.at(-1);
    if (open === undefined || /[.!?…"”]$/.test(open.text) || open.text.length > spokenChars) joined.push(cue);
    else joined[joined.length - 1] = { ...open, endSeconds: cue.endSeconds, text: `${open.text} ${cue.text}` };
  }
  return joined;
};

/** Reads SRT and WebVTT; the place of a chunk is its time in the recording. */
export const readSubtitles: FormatReader = async (_, { text }) => {
  const blocks = joinCues(readCues(text)).map((cue): Block => ({
    text: cue.text,
    level: null,
    bounds: { first: { start_seconds: cue.startSeconds }, last: { end_seconds: cue.endSeconds } },
  }));
  return openBlocks(blocks);
};
