import type { GreyImage } from '../extract/pdf/encode-png.ts';
import { type Blob, type Box, boundsOf } from './ink.ts';
import {
  countFrequentWords,
  detectLanguage,
  latinModels,
  latinScripts,
  modelsOfAnyScript,
  modelsOfScript,
  type OcrModels,
} from './language.ts';
import { isLatin, sampleOf, withoutWords } from './other-scripts.ts';
import type { LinePlace, OcrResult } from './port.ts';
import { type Page, preparePage, type ToSource, turnOver } from './prepare-page.ts';
import { writeInOrder, type WrittenText } from './reading-order.ts';
import type { Word } from './word.ts';

/** Page segmentation modes of Tesseract. */
export const segmentation = { automatic: 3, block: 6, sparse: 11 } as const;

/** One pass of the engine over an image. */
export interface OcrPass {
  readonly mode: (typeof segmentation)[keyof typeof segmentation];
  readonly dotsPerInch: number;
  readonly models: OcrModels;
}

/** Script of a page, and how the page lies: it is turned clockwise by so many quarters. */
export interface ScriptFound {
  /** As Tesseract names it. */
  readonly script: string;
  readonly turnedQuarters: number;
}

export interface OcrEngine {
  readonly read: (image: GreyImage, pass: OcrPass) => readonly Word[];
  /** Null if the page has too few letters. */
  readonly detectScript: (image: GreyImage) => Promise<ScriptFound | null>;
}

/** Confidence below which a page may be upside down, or no page at all. */
const doubtful = 0.5;
/** Confidence below which a page in another language than English is read again with that language first. */
const sureConfidence = 0.95;
/** Share of the letters that a reading may miss without another pass. In other scripts, parts of letters stand alone. */
const missable = { latin: 0.02, other: 0.05 } as const;
/** Unread letters that are reported. */
const reported = { letters: 12, share: 0.04 } as const;
/** Passes over one page, and CPU milliseconds after which no further one begins. */
const bounds = { passes: 4, ms: 20_000 } as const;
/** Share of its confidence that a reading may lose if it is fuller. */
const trusted = 0.9;
/** Confidence from which a word that only the last pass found counts. */
const certain = 0.5;

/** CPU time of this thread in milliseconds: on a busy machine a page is read as on any other. */
const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

const confidenceOf = (words: readonly Word[]): number => {
  const chars = words.reduce((sum, { text }) => sum + text.length, 0);
  return chars === 0 ? 0 : words.reduce((sum, { text, confidence }) => sum + text.length * confidence, 0) / chars;
};

/** Confidence of a page that makes short, much less certain words in it noise, such as the edge of the paper. */
const noise = { page: 0.8, word: 0.4, chars: 3 } as const;

/**
 * Words that count in a doubtful reading, which is that of a photograph: words of a sign, for example. Shorter ones count in
 * a line with one of `word` letters.
 */
const readable = { confidence: 0.7, chars: 3, word: 4 } as const;

/**
 * Bounds of a reading of letters that the models do not know: words with letters at least, certainty, share of frequent words,
 * and share of words with a capital or a digit inside. Cyrillic, Greek and Hebrew are read with a certainty of 0.51 to 0.56,
 * and Polish, Dutch and Turkish with 0.89 to 0.93.
 */
const foreign = { words: 6, confidence: 0.7, frequent: 0.05, odd: 0.15 } as const;
/** Maximum share of the letters that is read on such a page, and maximum certainty. */
const unknown = { letters: 20, read: 0.2, confidence: 0.85 } as const;
const oddWord = /\p{Ll}\p{Lu}|\p{L}\p{N}|\p{N}\p{L}/u;

/** Whether the letters of a page are of a script that the models do not know, so that their words are nonsense. */
const isForeignTo = (words: readonly Word[], { letters }: Page): boolean => {
  const certainty = confidenceOf(words);
  const read = words.reduce((sum, { text }) => sum + text.length, 0);
  if (words.length > 0 && letters.length >= unknown.letters && read < letters.length * unknown.read)
    return certainty < unknown.confidence;
  const spelled = words.map(({ text }) => text).filter((text) => /\p{L}/u.test(text));
  if (spelled.length < foreign.words || certainty >= foreign.confidence) return false;
  const odd = spelled.filter((text) => oddWord.test(text)).length;
  const most = Math.max(1, spelled.length * foreign.frequent);
  return odd >= spelled.length * foreign.odd && countFrequentWords(spelled.join(' ')) <= most;
};

/** Four letters or digits in a row. */
const longWord = /[\p{L}\p{N}]{4}/u;

const readableOf = (words: readonly Word[]): readonly Word[] => {
  const sure = words.filter(
    ({ text, confidence }) => confidence >= readable.confidence && text.length >= readable.chars,
  );
  const lines = new Set(sure.filter(({ text }) => text.length >= readable.word).map(({ line }) => line));
  return sure.filter(({ line }) => lines.has(line));
};

const withoutNoise = (words: readonly Word[]): readonly Word[] => {
  const certainty = confidenceOf(words);
  if (certainty < doubtful) return readableOf(words);
  // Only signs and syllables, none of them certain, are the shapes of a photograph.
  if (certainty < noise.page && !words.some(({ text }) => longWord.test(text))) return [];
  return certainty < noise.page
    ? words
    : words.filter(({ text, confidence }) => confidence >= noise.word || text.length > noise.chars || /\d/.test(text));
};

const cellSide = 8;

/** Letters whose middle is in no word. */
const unreadLetters = ({ image, letters }: Page, words: readonly Word[]): readonly Blob[] => {
  const columns = Math.ceil(image.width / cellSide);
  const isRead = new Uint8Array(columns * Math.ceil(image.height / cellSide));
  for (const { left, top, right, bottom } of words) {
    for (let y = Math.floor(top / cellSide); y <= Math.floor(bottom / cellSide); y += 1)
      isRead.fill(1, y * columns + Math.floor(left / cellSide), y * columns + Math.floor(right / cellSide) + 1);
  }
  const cellOf = ({ left, top, right, bottom }: Blob): number =>
    Math.floor((top + bottom) / 2 / cellSide) * columns + Math.floor((left + right) / 2 / cellSide);
  return letters.filter((letter) => isRead[cellOf(letter)] !== 1);
};

/** Score of a reading: its letters, weighted by confidence. */
const scoreOf = (words: readonly Word[]): number =>
  words.reduce((sum, { text }) => sum + text.length, 0) * confidenceOf(words) ** 2;

const overlaps = (one: Word, other: Word): boolean =>
  Math.min(one.right, other.right) > Math.max(one.left, other.left) &&
  Math.min(one.bottom, other.bottom) > Math.max(one.top, other.top);

/** Adds words that only another reading has. */
const complete = (words: readonly Word[], others: readonly Word[]): readonly Word[] => [
  ...words,
  ...others
    .filter((other) => other.confidence >= certain && !words.some((word) => overlaps(word, other)))
    .map((other) => ({ ...other, line: `+${other.line}` })),
];

/** Certainty below which a word may be of another script, and share of the characters and their number in such words. */
const strange = { confidence: 0.7, share: 0.1, chars: 12 } as const;
/** Takes each line from that of two readings which is more certain of it. */
const mergeLines = (words: readonly Word[], others: readonly Word[]): readonly Word[] => {
  const lines = [...Map.groupBy(others, ({ line }) => line).values()].map((line) => ({ line, ...boundsOf(line) }));
  const isIn = ({ left, top, right, bottom }: Word, line: Box): boolean => {
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    return x >= line.left && x < line.right && y >= line.top && y < line.bottom;
  };
  const merged = lines.flatMap(({ line, ...bounds }) => {
    const former = words.filter((word) => isIn(word, bounds));
    // Words such as "am" have the same shapes in Cyrillic and Greek letters.
    const needed = isLatin(line) ? strange.confidence : confidenceOf(line);
    return confidenceOf(former) > needed ? former : line;
  });
  return complete(merged, words);
};

// Share of the height of a line between its letters and the lines above and below.
const leading = 0.2;

const placeOf = ({ at, left, top, right, bottom }: WrittenText['lines'][number], toSource: ToSource): LinePlace => {
  const pad = (bottom - top) * leading;
  const corners = [
    [left, top - pad],
    [right, top - pad],
    [left, bottom + pad],
    [right, bottom + pad],
  ].map(([x = 0, y = 0]) => toSource(x, y).map((share) => Math.max(0, Math.min(1, share))));
  const [xs, ys] = [corners.map(([x = 0]) => x), corners.map(([, y = 0]) => y)];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { at, left: x, top: y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
};

/** Factor by which a reading in another script must be better, and its minimum certainty. */
const better = { factor: 1.05, confidence: 0.6 } as const;
/** Certainty from which no other models are tried. */
const wellRead = 0.8;
/** Share of the characters up to which the rest of a page does not say how it lies. */
const fewSure = 0.4;

const textsOf = (words: readonly Word[]): string => words.map(({ text }) => text).join(' ');

const charsIn = (words: readonly Word[]): number => words.reduce((sum, { text }) => sum + text.length, 0);

/** Whether words are so many and so doubtful, or so few for the letters, that the script of the page is looked for. */
const mayBeForeign = ({ letters }: Page, sure: readonly Word[], doubtful: readonly Word[]): boolean => {
  const [certain, rest] = [charsIn(sure), charsIn(doubtful)];
  if (rest >= strange.chars && rest >= (certain + rest) * strange.share) return true;
  return letters.length >= unknown.letters && certain + rest < letters.length * unknown.read;
};

/** Returns the models that read a sample of a page with the most certainty. */
const chooseModels = ({ read }: OcrEngine, page: Page, rounds: readonly (readonly OcrModels[])[]): OcrModels => {
  const [[only = [], ...others] = [], ...further] = rounds;
  if (others.length + further.length === 0) return only;
  const sample = sampleOf(page.image, page.letters);
  let best = { choice: only, confidence: -1 };
  for (const choices of rounds) {
    for (const models of choices) {
      const pass = { mode: segmentation.block, dotsPerInch: page.dotsPerInch, models };
      const confidence = confidenceOf(read(sample, pass));
      if (confidence > best.confidence) best = { choice: models, confidence };
    }
    if (best.confidence >= wellRead) break;
  }
  return best.choice;
};

interface ScriptReading {
  /** Script other than Latin that was detected; null if there was none. */
  readonly script: string | null;
  /** Null if no other models read the page better. */
  readonly reading: { readonly words: readonly Word[]; readonly page: Page; readonly models: OcrModels } | null;
}

const noScript: ScriptReading = { script: null, reading: null };

/**
 * Reads a page again by the models of its script, if the models for Latin letters were uncertain of many words. Lines of
 * which these were certain stay.
 * @param prepareAgain Prepares the page with so many quarter turns: only detection knows how other scripts lie.
 */
const readInScript = async (
  engine: OcrEngine,
  page: Page,
  words: readonly Word[],
  prepareAgain: (quarters: number) => Page,
): Promise<ScriptReading> => {
  const sure = words.filter(({ confidence }) => confidence >= strange.confidence);
  const uncertain = words.filter(({ confidence }) => confidence < strange.confidence);
  if (!mayBeForeign(page, sure, uncertain)) return noScript;
  const rest = { ...page, image: withoutWords(page.image, sure), letters: unreadLetters(page, sure) };
  const found = await engine.detectScript(rest.image);
  const script = found === null || latinScripts.has(found.script) ? null : found.script;
  const choices = found === null ? modelsOfAnyScript : modelsOfScript(found.script);
  if (choices.length === 0) return { script, reading: null };
  const isTurned = found !== null && found.turnedQuarters > 0 && charsIn(sure) < charsIn(words) * fewSure;
  const upright = isTurned ? prepareAgain((page.quarters + 4 - found.turnedQuarters) % 4) : page;
  const chosen = chooseModels(engine, isTurned ? upright : rest, choices);
  const models = [...chosen, ...new Set([detectLanguage(textsOf(sure)), 'eng' as const])];
  const pass = { mode: segmentation.automatic, dotsPerInch: upright.dotsPerInch, models };
  const other = engine.read(upright.image, pass);
  const merged = isTurned ? other : mergeLines(words, other);
  const isBetter = confidenceOf(merged) >= better.confidence && scoreOf(merged) > scoreOf(words) * better.factor;
  return { script, reading: isBetter ? { words: merged, page: upright, models } : null };
};

const resultOf = (page: Page, words: readonly Word[]): OcrResult => {
  const unread = unreadLetters(page, words).length;
  const { text, lines } = writeInOrder(words);
  return {
    text,
    places: lines.map((line) => placeOf(line, page.toSource)),
    confidence: confidenceOf(words),
    // Of a picture without words, such as a photograph, nothing is said.
    isPartial: words.length > 0 && unread >= reported.letters && unread > page.letters.length * reported.share,
  };
};

/** Result of words that the models for Latin letters read. `script` is another one that was detected. */
const resultInLatin = (page: Page, words: readonly Word[], script: string | null): OcrResult =>
  isForeignTo(words, page)
    ? { text: '', confidence: confidenceOf(words), isForeign: true, ...(script !== null && { script }) }
    : resultOf(page, withoutNoise(words));

/**
 * Reads a page. The engine's automatic segmentation misses columns of prices and the like, which shows in letters
 * outside its words. The page is then read again as one block, and at last without any order, which finds the rest.
 * Lines that the models for Latin letters hardly read are read again by the models of their script.
 * @param stated Resolution that the picture states, in dots per inch.
 */
export const readPage = async (engine: OcrEngine, source: GreyImage, stated: number | null): Promise<OcrResult> => {
  const startedAt = cpuMs();
  const prepareAgain = (quarters: number): Page => preparePage(source, stated, quarters);
  let page = preparePage(source, stated);
  let models = latinModels('eng');
  let passes = 0;
  const mayRead = (): boolean => passes < bounds.passes && cpuMs() - startedAt < bounds.ms;
  const read = (mode: OcrPass['mode'], of: Page = page): readonly Word[] => {
    passes += 1;
    return engine.read(of.image, { mode, dotsPerInch: of.dotsPerInch, models });
  };

  let words = read(segmentation.automatic);
  const { script, reading } = mayRead() ? await readInScript(engine, page, words, prepareAgain) : noScript;
  if (reading !== null) ({ words, page, models } = reading);
  const isReadInScript = reading !== null;
  const mayMiss = isReadInScript ? missable.other : missable.latin;
  const isMissing = (found: readonly Word[]): boolean =>
    unreadLetters(page, found).length > page.letters.length * mayMiss;

  if (!isReadInScript && words.length > 0 && confidenceOf(words) < doubtful && mayRead()) {
    const turned = turnOver(page);
    const other = read(segmentation.automatic, turned);
    if (scoreOf(other) > scoreOf(words)) [words, page] = [other, turned];
  }
  const spoken = detectLanguage(textsOf(words));
  if (!isReadInScript && spoken !== 'eng' && confidenceOf(words) < sureConfidence && mayRead()) {
    const former = models;
    models = latinModels(spoken);
    const other = read(segmentation.automatic);
    if (scoreOf(other) > scoreOf(words)) words = other;
    else models = former;
  }
  if (isMissing(words) && mayRead()) {
    const other = read(segmentation.block);
    const isFuller = unreadLetters(page, other).length < unreadLetters(page, words).length;
    if (isFuller && confidenceOf(other) > confidenceOf(words) * trusted) words = other;
  }
  if (isMissing(words) && mayRead()) words = complete(words, read(segmentation.sparse));
  return isReadInScript ? resultOf(page, words) : resultInLatin(page, words, script);
};
