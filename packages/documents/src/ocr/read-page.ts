import type { GreyImage } from '../extract/pdf/encode-png.ts';
import { brightenPanels, isInverted, removeRules } from './clean-page.ts';
import { type Blob, findBlobs, findInk } from './ink.ts';
import {
  countFrequentWords,
  detectLanguage,
  latinModels,
  latinScripts,
  modelsOfScript,
  type OcrModels,
} from './language.ts';
import { letterHeight, lettersInWords, lettersOf, measureLie } from './letters.ts';
import { double, flatten, turn, turnQuarters } from './page-image.ts';
import { sampleOf, withoutWords } from './other-scripts.ts';
import type { LinePlace, OcrResult } from './port.ts';
import { type Word, writeInOrder, type WrittenText } from './reading-order.ts';

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

/** Width in pixels below which letters are assumed to be too small for the model, if none are found. */
const smallWidth = 1_200;
/** Height of letters in pixels below which the image is doubled. */
const smallLetters = 14;
const maxPixels = 25_000_000;
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

/** Returns the point of the picture that a point of a prepared page shows, in shares of the picture. */
type ToSource = (x: number, y: number) => readonly [x: number, y: number];

interface Page {
  readonly image: GreyImage;
  readonly letters: readonly Blob[];
  readonly dotsPerInch: number;
  readonly toSource: ToSource;
  /** Quarter turns clockwise by which it was turned upright. */
  readonly quarters: number;
}

/**
 * Resolution for the engine, which expects letters of 10 to 12 points. A stated resolution that contradicts the size of
 * the letters, such as the 72 dpi of many photographs, does not count.
 */
const resolutionFor = (stated: number | null, height: number | null): number => {
  const estimate = Math.max(100, Math.min(600, Math.round((height ?? 20) * 12)));
  return stated !== null && stated > estimate * 0.45 && stated < estimate * 2.2 ? Math.round(stated) : estimate;
};

const invert = ({ width, height, pixels }: GreyImage): GreyImage => ({
  width,
  height,
  pixels: pixels.map((pixel) => 255 - pixel),
});

/** Returns the way back from a page that was turned by quarters, and then by a small angle. */
const openToSource = (
  upright: GreyImage,
  turned: GreyImage,
  { quarters, degrees }: { readonly quarters: number; readonly degrees: number },
): ToSource => {
  const angle = (-degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return (column, row) => {
    const [dx, dy] = [column - turned.width / 2, row - turned.height / 2];
    const x = (cos * dx + sin * dy + upright.width / 2) / upright.width;
    const y = (cos * dy - sin * dx + upright.height / 2) / upright.height;
    if (quarters === 1) return [y, 1 - x];
    if (quarters === 2) return [1 - x, 1 - y];
    return quarters === 3 ? [1 - y, x] : [x, y];
  };
};

/**
 * Prepares a page: dark letters of sufficient size on even white paper, upright, without rules.
 * @param quarters Quarter turns that make it upright, if they are known.
 */
const prepare = (source: GreyImage, stated: number | null, quarters: number | null = null): Page => {
  const positive = isInverted(source) ? invert(source) : { ...source, pixels: source.pixels.slice() };
  brightenPanels(positive);
  const even = flatten(positive) ?? positive;
  const found = findBlobs(findInk(even));
  const foundHeight = letterHeight(found);
  const isSmall = foundHeight === null ? even.width < smallWidth : foundHeight < smallLetters;
  const isDoubled = isSmall && even.pixels.length * 4 <= maxPixels;
  const lie =
    foundHeight === null
      ? { quarters: quarters ?? 0, degrees: 0 }
      : measureLie(lettersOf(found, foundHeight), foundHeight, quarters);
  const upright = turnQuarters(isDoubled ? double(even) : even, lie.quarters);
  const image = lie.degrees === 0 ? upright : turn(upright, -lie.degrees);
  const ink = findInk(image);
  const height = foundHeight === null ? null : foundHeight * (isDoubled ? 2 : 1);
  if (height !== null) removeRules(image, ink, height);
  const letters = height === null ? [] : lettersInWords(lettersOf(findBlobs(ink), height), height);
  const scale = isDoubled ? 2 : 1;
  const dotsPerInch = resolutionFor(stated === null ? null : stated * scale, height);
  return { image, letters, dotsPerInch, toSource: openToSource(upright, image, lie), quarters: lie.quarters };
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

const turnOver = ({ letters, toSource, quarters, ...page }: Page): Page => {
  const image = turnQuarters(page.image, 2);
  const { width, height } = image;
  return {
    ...page,
    image,
    letters: letters.map(({ left, top, right, bottom, area }) => ({
      left: width - right,
      top: height - bottom,
      right: width - left,
      bottom: height - top,
      area,
    })),
    toSource: (x, y) => toSource(width - x, height - y),
    quarters: (quarters + 2) % 4,
  };
};

/** Certainty below which a line may be of another script, and share of the characters and their number in such lines. */
const strange = { confidence: 0.7, share: 0.1, chars: 12 } as const;
/** Factor by which a reading in another script must be better, and its minimum certainty. */
const better = { factor: 1.05, confidence: 0.6 } as const;
/** Certainty from which no other models are tried. */
const wellRead = 0.8;
/** Share of the characters up to which the rest of a page does not say how it lies. */
const fewSure = 0.2;

const textsOf = (words: readonly Word[]): string => words.map(({ text }) => text).join(' ');

const charsIn = (words: readonly Word[]): number => words.reduce((sum, { text }) => sum + text.length, 0);

/** Divides words into those of lines that were read with certainty, and of others. */
const divideByCertainty = (words: readonly Word[]) => {
  const lines = [...Map.groupBy(words, ({ line }) => line).values()];
  const isSure = (line: readonly Word[]): boolean => confidenceOf(line) >= strange.confidence;
  return { sure: lines.filter(isSure).flat(), doubtful: lines.filter((line) => !isSure(line)).flat() };
};

/** Whether words are so many and so doubtful, or so few for the letters, that the script of the page is looked for. */
const mayBeForeign = ({ letters }: Page, sure: readonly Word[], doubtful: readonly Word[]): boolean => {
  const [certain, rest] = [charsIn(sure), charsIn(doubtful)];
  if (rest >= strange.chars && rest >= (certain + rest) * strange.share) return true;
  return letters.length >= unknown.letters && certain + rest < letters.length * unknown.read;
};

/**
 * Reads a page. The engine's automatic segmentation misses columns of prices and the like, which shows in letters
 * outside its words. The page is then read again as one block, and at last without any order, which finds the rest.
 * Lines that the models for Latin letters hardly read are read again by the models of their script.
 * @param stated Resolution that the picture states, in dots per inch.
 */
export const readPage = async (engine: OcrEngine, source: GreyImage, stated: number | null): Promise<OcrResult> => {
  const startedAt = cpuMs();
  let page = prepare(source, stated);
  let models = latinModels('eng');
  let isReadInScript = false;
  let passes = 0;
  const mayRead = (): boolean => passes < bounds.passes && cpuMs() - startedAt < bounds.ms;
  const read = (mode: OcrPass['mode'], of: Page = page): readonly Word[] => {
    passes += 1;
    return engine.read(of.image, { mode, dotsPerInch: of.dotsPerInch, models });
  };
  const isMissing = (words: readonly Word[]): boolean =>
    unreadLetters(page, words).length > page.letters.length * (isReadInScript ? missable.other : missable.latin);
  /** Compares models on a sample of a page. */
  const chooseModels = (of: Page, rounds: readonly (readonly OcrModels[])[]): OcrModels => {
    const [[only = models, ...others] = [], ...further] = rounds;
    if (others.length + further.length === 0) return only;
    const sample = sampleOf(of.image, of.letters);
    let best = { choice: only, confidence: -1 };
    for (const choices of rounds) {
      for (const choice of choices) {
        const pass = { mode: segmentation.block, dotsPerInch: of.dotsPerInch, models: choice };
        const confidence = confidenceOf(engine.read(sample, pass));
        if (confidence > best.confidence) best = { choice, confidence };
      }
      if (best.confidence >= wellRead) break;
    }
    return best.choice;
  };

  let words = read(segmentation.automatic);
  const { sure, doubtful: uncertain } = divideByCertainty(words);
  let script: string | null = null;
  if (mayBeForeign(page, sure, uncertain) && mayRead()) {
    const rest = { ...page, image: withoutWords(page.image, sure), letters: unreadLetters(page, sure) };
    const found = await engine.detectScript(rest.image);
    if (found !== null && !latinScripts.has(found.script)) script = found.script;
    const choices = script === null ? [] : modelsOfScript(script);
    if (found !== null && choices.length > 0) {
      const isTurned = found.turnedQuarters !== 0 && charsIn(sure) < charsIn(words) * fewSure;
      const upright = isTurned ? prepare(source, stated, (page.quarters + 4 - found.turnedQuarters) % 4) : rest;
      const former = models;
      models = [...chooseModels(upright, choices), ...new Set([detectLanguage(textsOf(sure)), 'eng' as const])];
      const whole = isTurned ? upright : page;
      const other = read(segmentation.automatic, whole);
      if (confidenceOf(other) >= better.confidence && scoreOf(other) > scoreOf(words) * better.factor) {
        isReadInScript = true;
        [words, page] = [other, whole];
      } else models = former;
    }
  }
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
  if (!isReadInScript) {
    if (isForeignTo(words, page))
      return { text: '', confidence: confidenceOf(words), isForeign: true, ...(script !== null && { script }) };
    words = withoutNoise(words);
  }
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
