/** The value of an attribute of a tag. */
export type AttributeOf = (name: string) => string | null | undefined;

/**
 * The name of an element, in lower case, under which a page shows it: what a template holds is no part of the page, unless
 * the page declares it the inside of a component. Source: HTML, "shadowrootmode".
 */
export const shownName = (name: string, attributes: Readonly<Record<string, string>>): string =>
  name === 'template' && attributes['shadowrootmode'] !== undefined ? 'span' : name;

/** Whether an element names what follows it, so that a button in it, which opens that, is its text. */
const isNaming = (name: string): boolean => /^(?:H[1-6]|DT|SUMMARY)$/.test(name);

/** Tells under which name a tag is to be read, of tags and texts that it is told in order. */
export const openTagNames = () => {
  let namingDepth = 0;
  let isNamed = false;
  return {
    open: (tag: string): string => {
      if (isNaming(tag)) {
        namingDepth += 1;
        isNamed = false;
      }
      // A button behind the words of a heading does something with it: it copies a link, or edits.
      return tag === 'BUTTON' && namingDepth > 0 && !isNamed ? 'SPAN' : tag;
    },
    text: (words: string): void => {
      if (namingDepth > 0 && !isNamed) isNamed = /\p{L}/u.test(words);
    },
    close: (name: string): void => {
      if (isNaming(name)) namingDepth -= 1;
    },
  };
};
