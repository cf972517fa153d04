import { isBesideTitle } from './article-lines.ts';
import { type DomNode, isSkipped } from './collect-blocks.ts';
import type { Extent } from './page-extent.ts';

/** Part of an element that is needed. The project compiles without the types of browsers. */
export interface TreeElement extends DomNode {
  readonly childNodes: Iterable<DomNode>;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  remove(): void;
  cloneNode(isDeep: boolean): TreeElement;
}

interface Tree {
  querySelectorAll(selector: string): Iterable<Pick<TreeElement, 'setAttribute'>>;
}

const mark = 'data-element-number';

/** Numbers the elements of a page. Readability renames and copies elements, but keeps this attribute. */
export const markElements = (tree: Tree): void => {
  let number = 0;
  for (const element of tree.querySelectorAll('*')) element.setAttribute(mark, String((number += 1)));
};

const isElement = (node: DomNode): node is TreeElement => node.nodeType === 1;

const childrenOf = (element: TreeElement): readonly TreeElement[] => [...element.childNodes].filter(isElement);

/** Numbers of the elements under a node. */
export const retainedMarks = (root: DomNode): ReadonlySet<string> => {
  const found = new Set<string>();
  const visit = (node: DomNode): void => {
    const number = node.getAttribute?.(mark);
    if (typeof number === 'string') found.add(number);
    for (let child = node.firstChild; child !== null; child = child.nextSibling) visit(child);
  };
  visit(root);
  return found;
};

/** Measures of an element with everything in it. */
interface Measures {
  chars: number;
  linkChars: number;
  links: number;
  /** Whether a part of it belongs to the main article. */
  isRetained: boolean;
  /** Whether it contains the main heading of the page. */
  hasTitle: boolean;
  /** Whether it is or contains the main element of the page. */
  hasMain: boolean;
  hasBlocks: boolean;
}

const blockNames = new Set(
  'ADDRESS ARTICLE ASIDE BLOCKQUOTE DIV DL FIGURE FOOTER FORM H1 H2 H3 H4 H5 H6 HEADER MAIN NAV OL P PRE SECTION TABLE UL'.split(
    ' ',
  ),
);
const isHeading = (name: string): boolean => /^H[1-6]$/.test(name);
const isWhole = (name: string): boolean => name === 'HTML' || name === 'BODY' || name === 'MAIN';

/** Links to a person or a place, which are content. */
const contacts = /^(?:tel|mailto|sms|geo|callto|whatsapp):|\bmaps?\b|openstreetmap/i;
const maxHrefChars = 200;

const nameOf = (element: TreeElement): string => element.nodeName.toUpperCase();

const isMainElement = (element: TreeElement): boolean =>
  nameOf(element) === 'MAIN' || element.getAttribute('role')?.trim().toLowerCase() === 'main';

type Measured = ReadonlyMap<TreeElement, Measures>;

const measure = (root: TreeElement, marks: ReadonlySet<string>): Measured => {
  const found = new Map<TreeElement, Measures>();
  const visit = (element: TreeElement, isLinked: boolean, isOnlyChild: boolean): Measures => {
    const name = nameOf(element);
    const isLink = name === 'A' && !contacts.test((element.getAttribute('href') ?? '').slice(0, maxHrefChars));
    const isRetained = isOnlyChild || marks.has(element.getAttribute(mark) ?? '');
    const own = {
      chars: 0,
      linkChars: 0,
      links: isLink ? 1 : 0,
      isRetained,
      hasTitle: name === 'H1',
      hasMain: isMainElement(element),
    };
    const sum: Measures = { ...own, hasBlocks: false };
    found.set(element, sum);
    if (isSkipped(name)) return sum;
    const isLoneChild = isRetained && childrenOf(element).length === 1;
    for (const child of element.childNodes) {
      if (child.nodeType === 3) {
        const { length } = (child.textContent ?? '').trim();
        sum.chars += length;
        if (isLinked || isLink) sum.linkChars += length;
      }
      if (!isElement(child)) continue;
      // Readability replaces an element that contains only one other by that one, which gets the number of the first.
      const part = visit(child, isLinked || isLink, isLoneChild && sum.chars === 0);
      sum.chars += part.chars;
      sum.linkChars += part.linkChars;
      sum.links += part.links;
      sum.isRetained ||= part.isRetained;
      sum.hasTitle ||= part.hasTitle;
      sum.hasMain ||= part.hasMain;
      sum.hasBlocks ||= part.hasBlocks || blockNames.has(nameOf(child));
    }
    return sum;
  };
  visit(root, false, false);
  return found;
};

/** Words in names of elements that are boilerplate for any content. */
const boilerplate =
  /^(?:breadcrumbs?|share|sharing|sharebar|shares|addthis|social|comments?|commentlist|disqus|respond|related|recommended|recommendations|cookies?|consent|gdpr|adverts?|advertisement|advertising|ads?|sponsored|newsletter|pagination|pager|popup|footer|contentinfo|copyright|skip)$/;

/** Words in the names of boilerplate that consists of links. With text it is content, such as the menu of a restaurant. */
const linkBoilerplate =
  /^(?:nav|navbar|navi|navigation|menu|menubar|submenu|sidenav|topnav|topbar|toolbar|header|masthead|banner|tags?|toc|links?)$/;

/** Words in the names of places beside the content. They are left out only if they consist of links. */
const besides = /^(?:sidebar|aside|complementary|widget|bottom)$/;

/** Names which state on another element, such as a wrapper, that there is boilerplate. */
const states = /^(?:has|is|with|without|no|show|hide)-/;
const maxNameChars = 500;

/** Words of the tag, role, id and classes of an element: `mainMenu` and `main-menu` contain `menu`. */
const nameWords = (element: TreeElement): readonly string[] => {
  const of = (attribute: string): string => (element.getAttribute(attribute) ?? '').slice(0, maxNameChars);
  const names = `${nameOf(element).toLowerCase()} ${of('role')} ${of('id')} ${of('class')}`;
  return names
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replaceAll('_', '-')
    .split(/\s+/)
    .filter((name) => !states.test(name))
    .flatMap((name) => name.replace(/^(main|top|site|page|sub|foot)(?=menu|nav|footer|header)/, '$1-').split(/-+/));
};

const isNamedBoilerplate = (element: TreeElement, { chars, linkChars, hasTitle, hasMain }: Measures): boolean => {
  if (hasTitle || hasMain || isHeading(nameOf(element))) return false;
  const words = nameWords(element);
  return (
    words.some((word) => boilerplate.test(word)) ||
    (linkChars * 2 >= chars && linkChars > 0 && words.some((word) => linkBoilerplate.test(word))) ||
    (linkChars >= chars * 0.8 && linkChars > 0 && words.some((word) => besides.test(word)))
  );
};

const minCards = 3;

/** Whether an element consists of links: a list, a table, an element without further blocks, or several cards. */
const isLinkList = (element: TreeElement, measures: Measures): boolean => {
  const { chars, linkChars, links, hasBlocks, hasTitle, hasMain } = measures;
  const name = nameOf(element);
  if (links === 0 || isHeading(name) || name === 'ADDRESS') return false;
  if (name === 'TABLE') return linkChars >= chars * 0.8;
  if (!/^(?:UL|OL|DL)$/.test(name) && (hasBlocks || !blockNames.has(name)))
    return hasBlocks && !hasTitle && !hasMain && links >= minCards && linkChars >= chars * 0.8;
  return links === 1 ? linkChars >= chars * 0.9 : linkChars >= chars * 0.5;
};

/**
 * Whether a child of the body is boilerplate even if Readability keeps it: a list of several links, or a small part of
 * the page that is named so.
 */
const isMenu = (element: TreeElement, measures: Measures, pageChars: number): boolean => {
  const { chars, linkChars, links } = measures;
  if (isLinkList(element, measures) && links >= 3 && linkChars >= chars * 0.9) return true;
  return (linkChars * 2 >= chars || chars * 4 < pageChars) && isNamedBoilerplate(element, measures);
};

const minLikeChars = 80;

/** Name and class of an element that has one. */
const kindOf = (element: TreeElement): readonly string[] => {
  const classes = element.getAttribute('class')?.trim() ?? '';
  return classes === '' ? [] : [`${nameOf(element)} ${classes.replace(/\d+/g, '#')}`];
};

const maxTitleChars = 120;

/** First heading in an element; null without one. */
const headingIn = (element: TreeElement): TreeElement | null => {
  for (const child of childrenOf(element)) {
    const found = isHeading(nameOf(child)) ? child : headingIn(child);
    if (found !== null) return found;
  }
  return null;
};

/** Whether an element is a group of links to other pages, perhaps with a line below each, below a heading that says so. */
const isBesideGroup = (element: TreeElement, measures: Measures): boolean => {
  const { chars, linkChars, links, isRetained, hasTitle, hasMain } = measures;
  if (links < 2 || linkChars < chars * (isRetained ? 0.6 : 0.3) || hasTitle || hasMain || isHeading(nameOf(element)))
    return false;
  const title = headingIn(element)?.textContent ?? '';
  return title.length <= maxTitleChars && isBesideTitle(title);
};

/** Removes a list of links and the heading directly before it, which is about it. */
const removeWithHeading = (element: TreeElement, before: TreeElement | undefined): void => {
  if (before !== undefined && /^H[2-6]$/.test(nameOf(before))) before.remove();
  element.remove();
};

/**
 * Removes menus, link lists, forms and other boilerplate from a page, except the elements of its main article. The
 * remainder is the article and what stands beside it, in order. Without an article (null) only what is named
 * boilerplate is removed, since links may be the content. Of a page that is an article, only that remains, with its
 * title. Recursive, so the page must not be nested deeply.
 */
export const removeBoilerplate = (
  root: TreeElement,
  marks: ReadonlySet<string> | null,
  { extent, isArticle }: { readonly extent: Extent; readonly isArticle: boolean },
): void => {
  const measured = measure(root, marks ?? new Set());
  const prune = (element: TreeElement, isInMain: boolean): void => {
    let before: TreeElement | undefined;
    const kinds = new Set(
      childrenOf(element).flatMap((child) => (measured.get(child)?.isRetained === true ? kindOf(child) : [])),
    );
    // Paragraphs that are elements of the same class as those of the article belong to it.
    const isLikeRetained = (child: TreeElement, { chars, linkChars }: Measures): boolean =>
      chars >= minLikeChars && linkChars < chars * 0.2 && kinds.has(kindOf(child)[0] ?? '');
    for (const child of childrenOf(element)) {
      const measures = measured.get(child);
      if (measures === undefined || isSkipped(nameOf(child))) continue;
      const name = nameOf(child);
      const isOutside = extent === 'main' && !isInMain && !measures.hasMain;
      if (marks !== null && nameOf(element) === 'BODY' && isMenu(child, measures, measured.get(element)?.chars ?? 0))
        removeWithHeading(child, before);
      else if (marks !== null && isBesideGroup(child, measures)) child.remove();
      else if (!measures.isRetained && !isWhole(name)) {
        if (isArticle && !measures.hasTitle && !isLikeRetained(child, measures)) child.remove();
        else if (marks !== null && isLinkList(child, measures)) removeWithHeading(child, before);
        else if (isOutside || isNamedBoilerplate(child, measures) || (marks !== null && name === 'FORM'))
          child.remove();
      }
      before = child;
      prune(child, isInMain || isMainElement(child));
    }
  };
  prune(root, false);
};
