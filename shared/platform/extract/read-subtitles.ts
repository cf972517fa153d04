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

const isBlank = (line: string): boolean => line.trim() === '';

const isNumber = (line: string): boolean => /^\s*\d+\s*$/.test(line);

/**
 * Cues of an SRT or WebVTT file, in the order of the file; comments, styles and numbers are left out. A blank line ends a
 * cue of WebVTT. In SRT it may stand within one, which ends with the number of the next.
 */
const readCues = (text: string): readonly Cue[] => {
  const cues: (Omit<Cue, 'text'> & { readonly lines: string[] })[] = [];
  const isVtt = /^\s*WEBVTT/.test(text);
  let lines: string[] = [];
  for (const line of text.split('\n')) {
    const [, start, end] = timing.exec(line) ?? [];
    if (start !== undefined && end !== undefined) {
      if (isNumber(lines.at(-1) ?? '')) lines.pop();
      lines = [];
      cues.push({ startSeconds: secondsOf(start), endSeconds: secondsOf(end), lines });
    } else if (isVtt && isBlank(line)) lines = [];
    else lines.push(line);
  }
  return cues
    .map(({ lines: spoken, ...times }) => ({ ...times, text: wordsOf(spoken) }))
    .filter((cue) => cue.text !== '');
};

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
