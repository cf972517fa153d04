/** Returns the value of an attribute of a tag. */
export type AttributeOf = (name: string) => string | null | undefined;

/**
 * Name of an element as displayed, in lower case. The content of a template is not displayed, unless the page declares
 * it a shadow root. Source: HTML, "shadowrootmode".
 */
export const shownName = (name: string, attributes: Readonly<Record<string, string>>): string =>
  name === 'template' && attributes['shadowrootmode'] !== undefined ? 'span' : name;

/** Whether an element is the title of what follows, so that a button in it is its text. */
const isNaming = (name: string): boolean => /^(?:H[1-6]|DT|SUMMARY)$/.test(name);

/** Returns the effective name of each tag, from tags and texts in order. */
export const openTagNames = () => {
  let namingDepth = 0;
  let isNamed = false;
  return {
    open: (tag: string): string => {
      if (isNaming(tag)) {
        namingDepth += 1;
        isNamed = false;
      }
      // A button after the text of a heading is an action: it copies a link, or edits.
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
