import { oneLine } from '../../../../../shared/kernel/text.ts';
import { openBlocks, type Block } from '../cut-units.ts';
import type { FormatReader } from '../format.ts';
import { openEntities } from './decode-entities.ts';
import { readScenarist } from './scenarist-captions.ts';
import { readSami, readTimedText, type RawCue } from './timed-text.ts';

interface Times {
  readonly startSeconds: number;
  readonly endSeconds: number;
}

interface Spoken extends Times {
  /** Name of the speaker; empty if unknown. */
  readonly voice: string;
}

interface ShownCue extends Spoken {
  readonly lines: readonly string[];
}

interface Cue extends Spoken {
  readonly text: string;
}

// SBV has a comma in place of the arrow.
const timing = /^((?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3})(?:\s+-->\s+|,)((?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3})/;
const spokenChars = 240;

const secondsOf = (time: string): number => {
  const parts = time.replace(',', '.').split(':').map(Number);
  return Math.round(parts.reduce((sum, part) => sum * 60 + part, 0) * 1000) / 1000;
};

const linesOf = (text: string, decode: (text: string) => string): readonly string[] =>
  decode(text.replace(/<[^<>]*>|\{\\[^{}]*\}/g, ''))
    .split('\n')
    .map(oneLine)
    .filter((line) => line !== '');

/** Splits a cue into a part for each speaker. */
const voicesIn = (text: string, decode: (text: string) => string): readonly Pick<ShownCue, 'voice' | 'lines'>[] =>
  text.split(/(?=<v[.\s])/).map((part) => {
    const [, name = ''] = /^<v(?:\.[^\s<>]*)?\s([^<>]*)>/.exec(part) ?? [];
    return { voice: linesOf(name, decode).join(' '), lines: linesOf(part, decode) };
  });

const isBlank = (line: string): boolean => line.trim() === '';

const isNumber = (line: string): boolean => /^\s*\d+\s*$/.test(line);

/**
 * Cues of an SRT, SBV or WebVTT file, in order, without comments, styles and numbers. A blank line ends a cue of WebVTT.
 * In SRT it may be within a cue, which ends with the number of the next.
 */
const readLines = (text: string): readonly RawCue[] => {
  const cues: (Times & { readonly lines: string[] })[] = [];
  const isVtt = /^\s*WEBVTT/.test(text);
  let lines: string[] = [];
  for (const line of text.split('\n')) {
    const [, start, end] = timing.exec(line) ?? [];
    if (start !== undefined && end !== undefined) {
      if (isNumber(lines.at(-1) ?? '')) lines.pop();
      lines = [];
      cues.push({ startSeconds: secondsOf(start), endSeconds: secondsOf(end), lines });
    } else if (isVtt && (line === '' || (isBlank(line) && lines.length > 0))) lines = [];
    else lines.push(line);
  }
  return cues.map(({ lines: raw, ...times }) => ({ ...times, text: raw.join('\n') }));
};

/** Cues of a file of any kind of subtitles. */
const readCues = async (text: string): Promise<readonly RawCue[]> => {
  if (/^\s*Scenarist_SCC/.test(text)) return readScenarist(text);
  if (/^\s*<sami\b/i.test(text)) return readSami(text);
  return /^\s*</.test(text) ? readTimedText(text) : readLines(text);
};

const pauseSeconds = 0.1;
const minRepeats = 3;
// Lines on a screen. Without a bound, two long cues would take quadratic time.
const maxLines = 8;

/** Number of lines at the start of a cue that repeat the end of the previous cue, if there was no pause. */
const repeatsOf = (cue: ShownCue, before: ShownCue | undefined): number => {
  if (before?.voice !== cue.voice || cue.startSeconds > before.endSeconds + pauseSeconds) return 0;
  for (let count = Math.min(cue.lines.length, before.lines.length, maxLines); count > 0; count -= 1) {
    const shown = before.lines.slice(-count);
    if (shown.every((line, at) => line === cue.lines[at])) return count;
  }
  return 0;
};

/** Texts of cues without repetitions. Rolling captions, as on YouTube, repeat a line until the next is complete. */
const spokenIn = (cues: readonly ShownCue[]): readonly Cue[] => {
  const repeats = cues.map((cue, at) => repeatsOf(cue, cues[at - 1]));
  const repeating = repeats.filter((count) => count > 0).length;
  // In other captions a repeated line is spoken twice.
  const isRolling = repeating >= Math.max(minRepeats, cues.length / 2);
  return cues
    .map(({ lines, ...spoken }, at) => ({ ...spoken, text: lines.slice(isRolling ? repeats[at] : 0).join(' ') }))
    .filter((cue) => cue.text !== '');
};

const isComplete = ({ text }: Cue): boolean => /[.!?…"”]$/.test(text) || text.length > spokenChars;

/** Joins cues of one speaker up to the end of a sentence, since a cue is only as long as a line on the screen. */
const joinCues = (cues: readonly Cue[]): readonly Cue[] => {
  const joined: Cue[] = [];
  for (const cue of cues) {
    const open = joined.at(-1);
    if (open?.voice !== cue.voice || isComplete(open)) joined.push(cue);
    else joined[joined.length - 1] = { ...open, endSeconds: cue.endSeconds, text: `${open.text} ${cue.text}` };
  }
  return joined;
};

// Captions around a longer pause belong to different scenes, and a chunk of both would have the time of the first.
const scenePauseSeconds = 30;

/** Reads SRT, WebVTT, SBV, TTML, SAMI and SCC. The place of a chunk is its time in the recording. */
export const readSubtitles: FormatReader = async (_, { text }) => {
  const decode = await openEntities();
  const shown = (await readCues(text))
    .flatMap(({ text: raw, ...times }) => voicesIn(raw, decode).map((part) => ({ ...times, ...part })))
    .filter(({ lines }) => lines.length > 0);
  const cues = joinCues(spokenIn(shown));
  const blocks = cues.map((cue, at): Block => ({
    text: cue.voice === '' ? cue.text : `${cue.voice}: ${cue.text}`,
    level: null,
    isScene: cue.startSeconds - (cues[at - 1]?.endSeconds ?? cue.startSeconds) >= scenePauseSeconds,
    bounds: { first: { start_seconds: cue.startSeconds }, last: { end_seconds: cue.endSeconds } },
  }));
  return openBlocks(blocks);
};
