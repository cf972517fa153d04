import { type DomNode, isNoteMark } from './collect-blocks.ts';
import { isFormula, isHidden, isPanel, type Visibility } from './hidden-elements.ts';
import type { TreeElement } from './page-boilerplate.ts';
import type { PageElement } from './page-extent.ts';

interface DomElement extends DomNode {
  className: string;
  readonly childNodes: Iterable<DomNode>;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  remove(): void;
  append(...nodes: readonly DomNode[]): void;
  replaceWith(...nodes: readonly DomNode[]): void;
  querySelectorAll(selector: string): Iterable<DomElement>;
}

/** Part of a document that is needed. The project compiles without the types of browsers. */
export interface DomDocument extends DomNode {
  readonly documentElement: PageElement & TreeElement;
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

/** Keeps what the class of a mark of a note says, since Readability removes classes. */
const keepNoteMarks = (document: DomDocument): void => {
  for (const mark of document.querySelectorAll('sup[class]'))
    if (isNoteMark((name) => mark.getAttribute(name))) mark.setAttribute('role', 'doc-noteref');
};

const hiding = ['hidden', 'aria-hidden', 'style'] as const;

/**
 * Removes what a reader of the page cannot see. Shows panels that a reader can open, and formulas beside their pictures.
 * Readability removes everything that is hidden by its own attributes.
 */
const removeHidden = (document: DomDocument, visibility: Visibility): void => {
  const selector = visibility.hidden.size === 0 ? '[hidden], [aria-hidden], [style]' : '*';
  for (const element of document.querySelectorAll(selector)) {
    const attributeOf = (name: string): string | null => element.getAttribute(name);
    const name = element.nodeName.toUpperCase();
    if (isHidden(name, attributeOf, visibility)) element.remove();
    else if (isPanel(name, attributeOf, visibility) || isFormula(name, attributeOf))
      for (const attribute of hiding) element.removeAttribute(attribute);
  }
};

/** Prepares a tree so that Readability keeps content that it would treat as boilerplate. */
export const prepareTree = (document: DomDocument, visibility: Visibility): void => {
  removeHidden(document, visibility);
  keepTitles(document);
  keepNotes(document);
  keepNoteMarks(document);
};
