import type { DomNode } from './collect-blocks.ts';
import type { PageElement } from './page-extent.ts';

interface DomElement extends DomNode {
  className: string;
  readonly childNodes: Iterable<DomNode>;
  getAttribute(name: string): string | null;
  removeAttribute(name: string): void;
  append(...nodes: readonly DomNode[]): void;
  replaceWith(...nodes: readonly DomNode[]): void;
  querySelectorAll(selector: string): Iterable<DomElement>;
}

/** What of a document is needed; the project compiles without the types of browsers. */
export interface DomDocument extends DomNode {
  readonly documentElement: PageElement;
  querySelectorAll(selector: string): Iterable<DomElement>;
  createElement(name: string, options: object): DomElement;
}

/** What a component shows of itself stands in a template, and nobody reads those. */
export const openShadows = (document: DomDocument): void => {
  const templates = [...document.querySelectorAll('template[shadowrootmode]')];
  for (const template of templates) template.replaceWith(...template.childNodes);
  // Those within them are found only once they stand in the page.
  if (templates.length > 0) openShadows(document);
};

/** Readability takes every aside for a thing beside the page; within the main content they are its notes and warnings. */
const keepNotes = (document: DomDocument): void => {
  for (const aside of document.querySelectorAll('main aside, article aside')) {
    const note = document.createElement('div', {});
    // By its class it is still told whether it is a note or an advertisement.
    note.className = aside.className;
    note.append(...aside.childNodes);
    aside.replaceWith(note);
  }
};

const hasLetters = (text: string): boolean => /\p{L}/u.test(text);

/** Readability takes out every button; one that opens what a heading or term stands for holds its words. */
const keepTitles = (document: DomDocument): void => {
  for (const title of document.querySelectorAll('h1, h2, h3, h4, h5, h6, dt, summary')) {
    const button = [...title.querySelectorAll('button')].find(({ textContent }) => hasLetters(textContent ?? ''));
    const words = title.textContent ?? '';
    if (button === undefined || hasLetters(words.slice(0, words.indexOf(button.textContent ?? '')))) continue;
    button.replaceWith(...button.childNodes);
    // By such a name as `accordion-header` it would be taken for the header of a page.
    title.removeAttribute('class');
    title.removeAttribute('id');
  }
};

const asideRoles = new Set(['alertdialog', 'dialog', 'listbox', 'menu', 'menubar', 'navigation']);
const switches = 'button[aria-controls], [role=tab][aria-controls], [role=button][aria-controls]';

/** Readability takes out all that is hidden; panels that their reader opens are content. */
const openPanels = (document: DomDocument): void => {
  const switched = new Set<string>();
  for (const element of document.querySelectorAll(switches))
    for (const id of (element.getAttribute('aria-controls') ?? '').split(/\s+/)) switched.add(id);
  for (const element of document.querySelectorAll('[hidden], [aria-hidden], [style]')) {
    const role = element.getAttribute('role') ?? '';
    if (element.nodeName === 'NAV' || asideRoles.has(role)) continue;
    const isPanel = role === 'tabpanel' || element.getAttribute('hidden') === 'until-found';
    if (!isPanel && !switched.has(element.getAttribute('id') ?? '')) continue;
    for (const name of ['hidden', 'aria-hidden', 'style']) element.removeAttribute(name);
  }
};

/** Changes what Readability would take for a thing beside the content, though it is a part of it. */
export const prepareTree = (document: DomDocument): void => {
  openPanels(document);
  keepTitles(document);
  keepNotes(document);
};
