import type { Handler } from 'htmlparser2';
import { type BlockCollector, isSkipped } from './collect-blocks.ts';
import { isConsentBanner } from './consent-banner.ts';
import { type AttributeOf, shownName } from './tag-names.ts';

/** What of a page is read: its main element, all but what stands beside its content, or the whole of it. */
export type Extent = 'main' | 'content' | 'all';

type Landmark = 'main' | 'article' | 'section' | 'header' | 'beside' | 'silent' | 'none';

/** How many of each kind stand open. */
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

/** Tags that contain a whole page or its content. They are no banners, even if their classes name one. */
const whole: ReadonlySet<string> = new Set(['html', 'body', 'main', 'article']);

/** What an element is where so many others stand open: the header of an article is no page's, and an aside there is a note. */
const landmarkOf = (name: string, attributeOf: AttributeOf, { main, article, section }: Within): Landmark => {
  const told = byRole.get(attributeOf('role')?.trim().toLowerCase());
  if (told !== undefined) return told;
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

/** Follows the tags of a page. */
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

/** Of a header that has so many times what the rest of a page says, the rest is a remark. */
const muchOfHeader = 10;

/** Follows the tags and texts of a page, and tells in the end what of it is to be read. */
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
    /** Whether what comes now stands beside the content. */
    isBeside: (): boolean => isBeside(within),
    extent: (): Extent => {
      const { main, content, header } = characters;
      if (mains === 1 && main > 0) return 'main';
      return content > 0 && content * muchOfHeader >= header ? 'content' : 'all';
    },
  };
};

/** What hands the tags and texts of an extent to a collector. */
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

/** What of an element is needed to tell what it is; the project compiles without the types of browsers. */
export interface PageElement {
  readonly localName: string;
  /** Those that there are when it is asked for; removing one changes nothing about it. */
  readonly children: Iterable<PageElement>;
  getAttribute(name: string): string | null;
  remove(): void;
}

/** Takes out of a tree, which is not deep, what stands beside its content. */
export const removeBeside = (root: PageElement, within = outside): void => {
  for (const element of root.children) {
    const landmark = landmarkOf(element.localName, (attribute) => element.getAttribute(attribute), within);
    if (landmark === 'header' || landmark === 'beside') element.remove();
    else removeBeside(element, { ...within, [landmark]: within[landmark] + 1 });
  }
};
