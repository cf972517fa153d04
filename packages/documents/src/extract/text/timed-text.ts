import { attributeOf, findAll, parseXml, type XmlElement } from '../parse-xml.ts';

/** Text of a caption with its times, as the file has it. */
export interface RawCue {
  readonly startSeconds: number;
  readonly endSeconds: number;
  readonly text: string;
}

const inMilliseconds = (seconds: number): number => Math.round(seconds * 1000) / 1000;

/** Rates in which a TTML file counts its times. */
interface Rates {
  readonly frames: number;
  readonly ticks: number;
}

const unitsOf = ({ frames, ticks }: Rates): Readonly<Record<string, number>> => ({
  h: 3600,
  m: 60,
  s: 1,
  ms: 0.001,
  f: 1 / frames,
  t: 1 / ticks,
});

/** Seconds of `00:01:04.5`, `00:01:04:12` with frames, `64.5s` or `900t`; null if the time is of another form. */
const secondsOf = (time: string | undefined, rates: Rates): number | null => {
  const [, hours, minutes, seconds, frames] = /^(\d+):(\d\d):(\d\d(?:\.\d+)?)(?::(\d+))?/.exec(time ?? '') ?? [];
  if (hours !== undefined)
    return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) + Number(frames ?? 0) / rates.frames;
  const [, count, unit = ''] = /^(\d+(?:\.\d+)?)(ms|[hmsft])$/.exec(time ?? '') ?? [];
  return count === undefined ? null : Number(count) * (unitsOf(rates)[unit] ?? 1);
};

const textOf = (element: XmlElement): string =>
  element.children
    .map((child) => {
      if (typeof child === 'string') return child.replace(/\s+/g, ' ');
      if (child.name === 'br') return '\n';
      return child.name === 'metadata' ? '' : textOf(child);
    })
    .join('');

/** Reads the captions of a TTML file (DFXP). A time is relative to the element around it. */
export const readTimedText = async (text: string): Promise<readonly RawCue[]> => {
  const root = findAll(await parseXml(text), 'tt')[0];
  const rates = {
    frames: Number(attributeOf(root, 'frameRate') ?? 30) || 30,
    ticks: Number(attributeOf(root, 'tickRate') ?? 1) || 1,
  };
  const cues: RawCue[] = [];
  const visit = (element: XmlElement, base: number, until: number): void => {
    const begin = secondsOf(attributeOf(element, 'begin'), rates);
    const duration = secondsOf(attributeOf(element, 'dur'), rates);
    const end = secondsOf(attributeOf(element, 'end'), rates);
    const start = base + (begin ?? 0);
    const ends = end !== null ? base + end : duration !== null ? start + duration : until;
    if (element.name === 'p') {
      const isSplit = element.children.some(
        (child) => typeof child !== 'string' && attributeOf(child, 'begin') !== undefined,
      );
      if (!isSplit) {
        cues.push({ startSeconds: inMilliseconds(start), endSeconds: inMilliseconds(ends), text: textOf(element) });
        return;
      }
    } else if (element.name === 'span') {
      cues.push({ startSeconds: inMilliseconds(start), endSeconds: inMilliseconds(ends), text: textOf(element) });
      return;
    }
    for (const child of element.children) if (typeof child !== 'string') visit(child, start, ends);
  };
  for (const body of findAll(root, 'body')) visit(body, 0, 0);
  return cues.map((cue) => ({ ...cue, endSeconds: Math.max(cue.startSeconds, cue.endSeconds) }));
};

/** Reads the captions of a SAMI file. Each lasts until the next, and an empty one only ends the one before. */
export const readSami = (text: string): readonly RawCue[] => {
  const syncs = [...text.matchAll(/<sync\b[^<>]*\bstart\s*=\s*["']?(\d+)[^<>]*>/gi)];
  return syncs.map((sync, at) => {
    const next = syncs[at + 1];
    const startSeconds = Number(sync[1]) / 1000;
    return {
      startSeconds,
      endSeconds: next === undefined ? startSeconds : Number(next[1]) / 1000,
      text: text
        .slice(sync.index + sync[0].length, next?.index)
        .replace(/\s+/g, ' ')
        .replace(/<br\b[^<>]*>|<p\b[^<>]*>/gi, '\n'),
    };
  });
};
