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

/** Part of a document that is needed. The project compiles without the types of browsers. */
export interface DomDocument extends DomNode {
  readonly documentElement: PageElement;
  querySelectorAll(selector: string): Iterable<DomElement>;
  createElement(name: string, options: object): DomElement;
}

/** Replaces each declarative shadow root by its content, since templates are ignored. */
export const openShadows = (document: DomDocument): void => {
  const templates = [...document.querySelectorAll('template[shadowrootmode]')];
  for (const template of templates) template.replaceWith(...template.childNodes);
  // Nested ones are found only after their parents are part of the page.
  if (templates.length > 0) openShadows(document);
};

/**
 * Keeps asides within the main content, which are its notes and warnings. Readability treats every aside as
 * boilerplate.
 */
const keepNotes = (document: DomDocument): void => {
  for (const aside of document.querySelectorAll('main aside, article aside')) {
    const note = document.createElement('div', {});
    // Its class still distinguishes a note from an advertisement.
    note.className = aside.className;
    note.append(...aside.childNodes);
    aside.replaceWith(note);
  }
};

const hasLetters = (text: string): boolean => /\p{L}/u.test(text);

/** Keeps the text of buttons that form a heading or term. Readability removes every button. */
const keepTitles = (document: DomDocument): void => {
  for (const title of document.querySelectorAll('h1, h2, h3, h4, h5, h6, dt, summary')) {
    const button = [...title.querySelectorAll('button')].find(({ textContent }) => hasLetters(textContent ?? ''));
    const words = title.textContent ?? '';
    if (button === undefined || hasLetters(words.slice(0, words.indexOf(button.textContent ?? '')))) continue;
    button.replaceWith(...button.childNodes);
    // A class such as `accordion-header` would make it a page header.
    title.removeAttribute('class');
    title.removeAttribute('id');
  }
};

const asideRoles = new Set(['alertdialog', 'dialog', 'listbox', 'menu', 'menubar', 'navigation']);
const switches = 'button[aria-controls], [role=tab][aria-controls], [role=button][aria-controls]';

/** Shows panels that a reader can open, which are content. Readability removes everything hidden. */
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

/** Prepares a tree so that Readability keeps content that it would treat as boilerplate. */
export const prepareTree = (document: DomDocument): void => {
  openPanels(document);
  keepTitles(document);
  keepNotes(document);
};
