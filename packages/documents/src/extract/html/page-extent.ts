import type { Handler } from 'htmlparser2';
import { type BlockCollector, isSkipped } from './collect-blocks.ts';
import { isConsentBanner } from './consent-banner.ts';
import { type AttributeOf, shownName } from './tag-names.ts';

/** Part of a page that is read: its main element, all but the boilerplate around its content, or the whole page. */
export type Extent = 'main' | 'content' | 'all';

type Landmark = 'main' | 'article' | 'section' | 'header' | 'beside' | 'silent' | 'none';

/** Number of open elements of each kind. */
type Within = Readonly<Record<Landmark, number>>;

const outside: Within = { main: 0, article: 0, section: 0, header: 0, beside: 0, silent: 0, none: 0 };

const byRole: ReadonlyMap<string | undefined, Landmark> = new Map([
  ['main', 'main'],
  ['banner', 'header'],
  ['navigation', 'beside'],
  ['contentinfo', 'beside'],
  ['dialog', 'beside'],
  ['alertdialog', 'beside'],
]);

/** Elements that contain a whole page or its content. They are no banners, even if their classes name one. */
const whole: ReadonlySet<string> = new Set(['html', 'body', 'main', 'article']);

/**
 * Landmark of an element within the given open elements. In an article, a header belongs to the article and an aside is
 * a note.
 */
const landmarkOf = (name: string, attributeOf: AttributeOf, { main, article, section }: Within): Landmark => {
  const landmark = byRole.get(attributeOf('role')?.trim().toLowerCase());
  if (landmark !== undefined) return landmark;
  const isOfPage = main + article === 0;
  if (isOfPage && !whole.has(name) && isConsentBanner(attributeOf)) return 'beside';
  if (name === 'main' || name === 'article' || name === 'section') return name;
  if (name === 'nav' || name === 'dialog') return 'beside';
  if (name === 'aside' && isOfPage) return 'beside';
  if (name === 'header' && isOfPage && section === 0) return 'header';
  if (name === 'footer' && isOfPage && section === 0) return 'beside';
  return isSkipped(name.toUpperCase()) ? 'silent' : 'none';
};

const isBeside = ({ header, beside }: Within): boolean => header + beside > 0;

/** Tracks the landmarks of a page. */
const openLandmarks = () => {
  const within = { ...outside };
  const around: Landmark[] = [];
  return {
    within,
    open: (name: string, attributeOf: AttributeOf): Landmark => {
      const landmark = landmarkOf(name, attributeOf, within);
      around.push(landmark);
      within[landmark] += 1;
      return landmark;
    },
    close: (): void => {
      const landmark = around.pop();
      if (landmark !== undefined) within[landmark] -= 1;
    },
  };
};

/** If the header has this many times the text of the rest, the rest is a remark. */
const muchOfHeader = 10;

/** Tracks the tags and texts of a page to determine the extent to read. */
export const surveyExtent = () => {
  const { within, open, close } = openLandmarks();
  const characters = { main: 0, content: 0, header: 0 };
  let mains = 0;
  return {
    open: (name: string, attributeOf: AttributeOf): void => {
      if (open(name, attributeOf) === 'main') mains += 1;
    },
    text: (words: string): void => {
      if (within.silent > 0) return;
      const { length } = words.trim();
      if (within.header > 0) characters.header += length;
      if (isBeside(within)) return;
      characters.content += length;
      if (within.main > 0) characters.main += length;
    },
    close,
    /** Whether the current position is outside the content. */
    isBeside: (): boolean => isBeside(within),
    extent: (): Extent => {
      const { main, content, header } = characters;
      if (mains === 1 && main > 0) return 'main';
      return content > 0 && content * muchOfHeader >= header ? 'content' : 'all';
    },
  };
};

/** Returns a parser handler that passes the tags and texts of an extent to a collector. */
export const readExtent = ({ open, text, close }: BlockCollector, extent: Extent): Partial<Handler> => {
  const landmarks = openLandmarks();
  const { within } = landmarks;
  const handed: boolean[] = [];
  const isRead = (): boolean => extent === 'all' || (!isBeside(within) && (extent === 'content' || within.main > 0));
  return {
    onopentag: (tag, attributes) => {
      const name = shownName(tag, attributes);
      const isHanded = isRead();
      handed.push(isHanded);
      const attributeOf: AttributeOf = (attribute) => attributes[attribute];
      if (isHanded) open(name.toUpperCase(), attributeOf);
      landmarks.open(name, attributeOf);
    },
    ontext: (words) => {
      if (isRead()) text(words);
    },
    onclosetag: () => {
      landmarks.close();
      if (handed.pop() === true) close();
    },
  };
};

/** Part of an element that is needed to find its landmark. The project compiles without the types of browsers. */
export interface PageElement {
  readonly localName: string;
  /** Snapshot of the children; removing one does not change it. */
  readonly children: Iterable<PageElement>;
  getAttribute(name: string): string | null;
  remove(): void;
}

/** Removes everything outside the content from a tree. Recursive, so the tree must not be nested deeply. */
export const removeBeside = (root: PageElement, within = outside): void => {
  for (const element of root.children) {
    const landmark = landmarkOf(element.localName, (attribute) => element.getAttribute(attribute), within);
    if (landmark === 'header' || landmark === 'beside') element.remove();
    else removeBeside(element, { ...within, [landmark]: within[landmark] + 1 });
  }
};
