import { clipsOf, colourDistance, isOptional, readPainting, type Area, type Box } from './page-painting.ts';
import { drawPart, type Drawing } from './page-rendering.ts';
import { makesSense } from './readable-text.ts';
import type { PageCharacter, PageCharacters, PageHandles, TextStyle } from './page-characters.ts';

/** Characters of a page that a reader can see. */
export interface VisibleCharacters extends PageCharacters {
  /** Letters and digits that were left out, because no reader can see them. */
  readonly hiddenLetters: number;
}

/** Consecutive printed characters of one text object: those of a page from index `from` to `to`, except spaces. */
interface Run {
  readonly from: number;
  to: number;
  chars: number;
  readonly style: TextStyle;
  left: number;
  top: number;
  right: number;
  bottom: number;
}

type Reason =
  /** Outside of the page, or too small to read. */
  | 'nowhere'
  /** Not painted, or painted so that it leaves nothing on the page. A scan may have its recognised text like this. */
  | 'unpainted';

/** Text render modes that paint nothing. */
const paintsNothing = new Set([3, 7]);

// In points, on a page of usual size.
const minFontSize = 1;
const usualSide = 600;
const minOpacity = 13;
const doubtfulOpacity = 128;
// Difference in red, green or blue, of 255, below which text may be too pale. The rendering decides.
const doubtfulDistance = 64;
// Difference that a character must make on the page.
const minDifference = 16;
const white = [255, 255, 255] as const;

const isSpace = ({ text, isGenerated }: PageCharacter): boolean =>
  isGenerated || text === ' ' || ((text < '!' || text > '~') && text.trim() === '');

const boxOf = (characters: readonly PageCharacter[]): Box => {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y, width, height } of characters) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + width);
    bottom = Math.max(bottom, y + height);
  }
  return { left, top, right, bottom };
};

const maxRunChars = 500;

/** Divides the printed characters of a page into runs. */
const runsOf = (characters: readonly PageCharacter[]): readonly Run[] => {
  const runs: Run[] = [];
  let open: Run | undefined;
  for (let index = 0; index < characters.length; index += 1) {
    const character = characters[index];
    if (character === undefined || isSpace(character)) continue;
    const { x, y, style } = character;
    const [right, bottom] = [x + character.width, y + character.height];
    if (open === undefined || open.style !== style || open.chars >= maxRunChars) {
      open = { from: index, to: index + 1, chars: 1, style, left: x, top: y, right, bottom };
      runs.push(open);
      continue;
    }
    open.to = index + 1;
    open.chars += 1;
    open.left = Math.min(open.left, x);
    open.top = Math.min(open.top, y);
    open.right = Math.max(open.right, right);
    open.bottom = Math.max(open.bottom, bottom);
  }
  return runs;
};

/** Characters of a run. */
const charactersOf = (page: PageCharacters, { from, to }: Run): readonly PageCharacter[] =>
  page.characters.slice(from, to).filter((character) => !isSpace(character));

const overlaps = (one: Box, other: Box): boolean =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

/** The middle of a box, which is within a line's letters. */
const coreOf = ({ left, top, right, bottom }: Box): Box => {
  const [x, y] = [Math.min(2, (right - left) / 4), (bottom - top) * 0.4];
  return { left: left + x, right: right - x, top: top + y, bottom: bottom - y };
};

const contains = (outer: Box, inner: Box): boolean =>
  outer.left <= inner.left && outer.right >= inner.right && outer.top <= inner.top && outer.bottom >= inner.bottom;

/** Reason why no character of a style is seen; null if they may be. */
const styleReason = (
  { fontSize, renderMode, fill }: TextStyle,
  page: Pick<PageCharacters, 'width' | 'height'>,
): Reason | null => {
  if (fontSize < minFontSize * Math.min(1, Math.min(page.width, page.height) / usualSide)) return 'nowhere';
  return paintsNothing.has(renderMode) || fill[3] < minOpacity ? 'unpainted' : null;
};

/** Adds the characters of a run that are certainly not seen. Returns whether others may be. */
const addHidden = (page: PageCharacters, run: Run, hidden: Map<PageCharacter, Reason>): boolean => {
  const reason = styleReason(run.style, page);
  const isInside = run.left >= 0 && run.top >= 0 && run.right <= page.width && run.bottom <= page.height;
  if (reason === null && isInside) return true;
  let isSeen = false;
  for (const character of charactersOf(page, run)) {
    const [atX, atY] = [character.x + character.width / 2, character.y + character.height / 2];
    const isOutside = atX < 0 || atY < 0 || atX > page.width || atY > page.height;
    const own = isOutside ? 'nowhere' : reason;
    if (own === null) isSeen = true;
    else hidden.set(character, own);
  }
  return isSeen;
};

const maxComparisons = 5_000_000;

/** Returns the runs that may leave nothing on the page: pale ones, clipped ones, those on or below painted areas. */
const doubtfulRuns = (handles: PageHandles, runs: readonly Run[]): readonly Run[] => {
  const { areas, textOrder, inForms, isCut } = readPainting(handles);
  if (isCut || areas.length * runs.length > maxComparisons) return runs;
  const isDoubtfulOn = (run: Run, area: Area): boolean => {
    if (!overlaps(area, coreOf(run))) return false;
    const isCovered = (textOrder.get(run.style.object) ?? 0) < area.order;
    return isCovered || area.colour === null || colourDistance(run.style.fill, area.colour) < doubtfulDistance;
  };
  const isDoubtful = (run: Run): boolean => {
    const { renderMode, fill, object } = run.style;
    if (renderMode !== 0 || fill[3] < doubtfulOpacity) return true;
    if (colourDistance(fill, white) < doubtfulDistance) return true;
    if (inForms.has(object) || !textOrder.has(object) || isOptional(handles.pdfium, object)) return true;
    const clips = clipsOf(handles, object);
    if (clips === null || clips.some((clip) => !contains(clip, coreOf(run)))) return true;
    return areas.some((area) => isDoubtfulOn(run, area));
  };
  return runs.filter(isDoubtful);
};

const maxLayers = 6;
const maxCells = 1_000_000;

/**
 * Divides runs into layers within which none lies on another, so that each is seen by itself. Runs beyond the last
 * layer are in none.
 */
const layersOf = (runs: readonly Run[], { width, height }: PageCharacters): readonly (readonly Run[])[] => {
  const cell = Math.max(2, Math.sqrt((width * height) / maxCells));
  const [columns, rows] = [Math.ceil(width / cell) + 1, Math.ceil(height / cell) + 1];
  const layers: { readonly runs: Run[]; readonly taken: Uint8Array; readonly objects: Set<number> }[] = [];
  const cellsOf = (run: Run): readonly number[] => {
    const { left, top, right, bottom } = coreOf(run);
    const cells: number[] = [];
    for (let y = Math.max(0, Math.floor(top / cell)); y < Math.min(rows, Math.ceil(bottom / cell)); y += 1) {
      for (let x = Math.max(0, Math.floor(left / cell)); x < Math.min(columns, Math.ceil(right / cell)); x += 1) {
        cells.push(y * columns + x);
      }
    }
    return cells;
  };
  for (const run of runs) {
    const cells = cellsOf(run);
    // Objects are rendered as a whole, so all runs of an object are in one layer.
    const layer =
      layers.find(({ objects }) => objects.has(run.style.object)) ??
      layers.find(({ taken }) => cells.every((at) => taken[at] === 0));
    const chosen =
      layer ??
      (layers.length < maxLayers
        ? { runs: [], taken: new Uint8Array(columns * rows), objects: new Set<number>() }
        : undefined);
    if (chosen === undefined) continue;
    if (layer === undefined) layers.push(chosen);
    chosen.runs.push(run);
    chosen.objects.add(run.style.object);
    for (const at of cells) chosen.taken[at] = 1;
  }
  return layers.map((layer) => layer.runs);
};

/** The box of a character without its edges, over which neighbours may hang. */
const inkBoxOf = ({ x, y, width, height }: PageCharacter): Box => ({
  left: x + width * 0.15,
  right: x + width * 0.85,
  top: y,
  bottom: y + height,
});

const wordsOf = (page: PageCharacters): readonly (readonly PageCharacter[])[] => {
  const words: PageCharacter[][] = [[]];
  for (const character of page.characters) {
    if (isSpace(character)) words.push([]);
    else words.at(-1)?.push(character);
  }
  return words.filter((word) => word.length > 0);
};

/** Renders a page with and without its doubtful runs, and returns the characters that make no difference. */
const withoutTrace = (
  handles: PageHandles,
  page: PageCharacters,
  doubtful: readonly Run[],
): ReadonlySet<PageCharacter> => {
  if (doubtful.length === 0) return new Set();
  const { pdfium } = handles;
  const charactersIn = new Map(doubtful.map((run) => [run, charactersOf(page, run)]));
  const part = boxOf([...charactersIn.values()].flat());
  const draw = (): Drawing => drawPart(pdfium, handles.page, page, part);
  const whole = draw();
  const seen = new Set<PageCharacter>();
  const isSeen = (character: PageCharacter, rest: Drawing): boolean =>
    whole.differs(rest, inkBoxOf(character), minDifference);
  for (const layer of layersOf(doubtful, page)) {
    const objects = new Set(layer.map(({ style }) => style.object));
    for (const object of objects) pdfium._FPDFPageObj_SetIsActive(object, 0);
    const rest = draw();
    for (const object of objects) pdfium._FPDFPageObj_SetIsActive(object, 1);
    for (const run of layer) {
      for (const character of charactersIn.get(run) ?? []) if (isSeen(character, rest)) seen.add(character);
    }
  }
  return new Set([...charactersIn.values()].flat().filter((character) => !seen.has(character)));
};

// A scan has no more text of its own than stamps and page numbers.
const maxOwnShare = 0.2;
const minContrast = 48;
const minInkShare = 0.7;
const minLayerLetters = 10;

/**
 * Returns the hidden characters that are the text of a scan: they lie on a picture, on ink, on a page with hardly any
 * other text, and make sense.
 */
const scanText = (
  handles: PageHandles,
  page: PageCharacters,
  hidden: ReadonlyMap<PageCharacter, Reason>,
): ReadonlySet<PageCharacter> => {
  const none = new Set<PageCharacter>();
  const unpainted = page.characters.filter((character) => hidden.get(character) === 'unpainted');
  if (unpainted.length < minLayerLetters) return none;
  const own = page.characters.filter((character) => !hidden.has(character) && !isSpace(character)).length;
  if (own > unpainted.length * maxOwnShare) return none;
  const pictures = readPainting(handles).areas.filter(({ isPicture }) => isPicture);
  const isOnPicture = ({ x, y, width, height }: PageCharacter): boolean =>
    pictures.some(
      ({ left, top, right, bottom }) =>
        x + width / 2 >= left && x + width / 2 <= right && y + height / 2 >= top && y + height / 2 <= bottom,
    );
  const candidates = new Set(unpainted.filter(isOnPicture));
  if (candidates.size < minLayerLetters) return none;
  const words = wordsOf(page).flatMap((word) => {
    const kept = word.filter((character) => candidates.has(character));
    return kept.length === 0 ? [] : [kept];
  });
  const drawing = drawPart(handles.pdfium, handles.page, page, boxOf([...candidates]));
  const inked = words.filter((word) => hasInk(drawing, word));
  const inkedChars = inked.reduce((sum, word) => sum + word.length, 0);
  if (inkedChars < candidates.size * minInkShare) return none;
  const text = inked.map((word) => word.map(({ text: letters }) => letters).join('')).join(' ');
  return makesSense(text) ? new Set(inked.flat()) : none;
};

const hasInk = (drawing: Drawing, word: readonly PageCharacter[]): boolean =>
  drawing.contrast(boxOf(word)) >= minContrast;

const lettersOf = (characters: readonly PageCharacter[]): number =>
  characters.reduce((sum, { text }) => sum + (/[\p{L}\p{N}]/u.test(text) ? 1 : 0), 0);

/** Removes characters and the spaces after them. */
const without = (
  characters: readonly PageCharacter[],
  hidden: ReadonlyMap<PageCharacter, Reason>,
): readonly PageCharacter[] => {
  let isHidden = false;
  return characters.filter((character) => {
    if (isSpace(character)) return !isHidden || character.isGenerated;
    isHidden = hidden.has(character);
    return !isHidden;
  });
};

/**
 * Returns the characters of a page that a reader can see. Invisible, tiny, covered, clipped and switched-off text is
 * left out, as is text in the colour of its background. The invisible text of a scan is kept. Only pages with doubtful
 * characters are rendered.
 */
export const visibleCharacters = (handles: PageHandles, page: PageCharacters): VisibleCharacters => {
  const hidden = new Map<PageCharacter, Reason>();
  const painted = runsOf(page.characters).filter((run) => addHidden(page, run, hidden));
  for (const character of withoutTrace(handles, page, doubtfulRuns(handles, painted))) {
    if (!hidden.has(character)) hidden.set(character, 'unpainted');
  }
  if (hidden.size === 0) return { ...page, hiddenLetters: 0 };
  const kept = scanText(handles, page, hidden);
  for (const character of kept) hidden.delete(character);
  // The layer of a scan that is not kept is replaced by recognition.
  return { ...page, characters: without(page.characters, hidden), hiddenLetters: lettersOf([...hidden.keys()]) };
};
