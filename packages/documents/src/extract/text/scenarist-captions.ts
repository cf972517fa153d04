import type { RawCue } from './timed-text.ts';

// Codes of captions in a television signal (CEA-608), without their parity bit.
const special = ['®', '°', '½', '¿', '™', '¢', '£', '♪', 'à', ' ', 'è', 'â', 'ê', 'î', 'ô', 'û'];
const extended: readonly string[] = ['ÁÉÓÚÜü‘¡*’—©℠•“”ÀÂÇÈÊËëÎÏïÔÙùÛ«»', 'ÃãÍÌìÒòÕõ{}\\^_|~ÄäÖöß¥¤¦ÅåØø┌┐└┘'];
const replaced: ReadonlyMap<number, string> = new Map([
  [0x2a, 'á'],
  [0x5c, 'é'],
  [0x5e, 'í'],
  [0x5f, 'ó'],
  [0x60, 'ú'],
  [0x7b, 'ç'],
  [0x7c, '÷'],
  [0x7d, 'Ñ'],
  [0x7e, 'ñ'],
]);

const framesPerSecond = 30;
const carriageReturn = 0x2d;
const eraseShown = 0x2c;
const eraseHidden = 0x2e;
const show = 0x2f;

const letterOf = (code: number): string => (code < 0x20 ? '' : (replaced.get(code) ?? String.fromCharCode(code)));

const line = /^(\d+):(\d\d):(\d\d)[:;](\d\d)\s+((?:[\da-f]{4}\s*)+)$/i;

/** Reads the captions of an SCC file, which are the codes of a television signal. */
export const readScenarist = (text: string): readonly RawCue[] => {
  const cues: { startSeconds: number; endSeconds: number; text: string }[] = [];
  let written = '';
  let isRolling = false;
  let last = 0;
  const endShown = (seconds: number): void => {
    const open = cues.at(-1);
    if (open !== undefined && open.endSeconds === Number.POSITIVE_INFINITY) open.endSeconds = seconds;
  };
  const showWritten = (seconds: number): void => {
    endShown(seconds);
    if (written.trim() !== '')
      cues.push({ startSeconds: seconds, endSeconds: Number.POSITIVE_INFINITY, text: written });
    written = '';
  };
  const control = (code: number, seconds: number): void => {
    if (code >= 0x25 && code <= 0x29) isRolling = code !== 0x28;
    if (code === 0x20) isRolling = false;
    if (code === show || (code === carriageReturn && isRolling)) showWritten(seconds);
    else if (code === eraseShown) {
      if (isRolling) showWritten(seconds);
      endShown(seconds);
    } else if (code === eraseHidden && !isRolling) written = '';
  };
  for (const row of text.split('\n')) {
    const [, hours, minutes, seconds, frames, codes = ''] = line.exec(row.trim()) ?? [];
    if (hours === undefined) continue;
    const start = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
    let before = '';
    for (const [at, pair] of codes.trim().split(/\s+/).entries()) {
      const [first, second] = [Number.parseInt(pair.slice(0, 2), 16) & 0x7f, Number.parseInt(pair.slice(2), 16) & 0x7f];
      last = Math.round((start + (Number(frames) + at) / framesPerSecond) * 1000) / 1000;
      const isControl = first >= 0x10 && first < 0x20;
      // Controls are sent twice.
      const isRepeated = isControl && pair === before;
      before = isRepeated ? '' : pair;
      if (isRepeated) continue;
      // The second channel has the same codes, eight further.
      const code = first & ~8;
      if (!isControl) written += letterOf(first) + letterOf(second);
      else if (second >= 0x40) written += '\n';
      else if (code === 0x11) written += second >= 0x30 ? (special[second - 0x30] ?? '') : ' ';
      else if (code === 0x12 || code === 0x13)
        // It follows a plain letter for old receivers.
        written = written.slice(0, -1) + (extended[code - 0x12]?.[second - 0x20] ?? '');
      else if (code === 0x14 || code === 0x15) control(second, last);
    }
  }
  showWritten(last);
  endShown(last);
  return cues;
};
