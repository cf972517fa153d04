// A comma may end the cell of a table. Some writers of JSON put a backslash before a slash, others escape signs by number.
const plainChar = String.raw`[\w%+/=.:~!*@$&?#-]`;
const escapedChar = String.raw`\\/|\\u00[\da-f]{2}`;

// A file in an address is longer than this; what is shorter is an example of one.
const leastChars = 100;

const head = String.raw`\b(data:[\w.+-]+\\?/[\w.+-]+)(?:;[\w.+=-]+){0,20},(?:${plainChar}|${escapedChar}){${leastChars}}`;

// A pattern that matched the whole of a file of megabytes would fill the stack on which it goes back.
const next = `${plainChar}{1,4096}|${escapedChar}`;

/** A text without the files that are written into its addresses, such as `data:image/png;base64,…`: their type remains. */
export const withoutDataUrls = (text: string): string => {
  const [heads, rest] = [new RegExp(head, 'gi'), new RegExp(next, 'iy')];
  const kept: string[] = [];
  let end = 0;
  for (let found = heads.exec(text); found !== null; found = heads.exec(text)) {
    kept.push(text.slice(end, found.index), found[1] ?? '');
    end = heads.lastIndex;
    for (rest.lastIndex = end; rest.test(text);) end = rest.lastIndex;
    heads.lastIndex = end;
  }
  return kept.join('') + text.slice(end);
};
