// A comma may end a table cell. Some writers of JSON put a backslash before a slash, others escape characters by
// number.
const plainChar = String.raw`[\w%+/=.:~!*@$&?#-]`;
const escapedChar = String.raw`\\/|\\u00[\da-f]{2}`;

// A file in a data URL is longer than this. A shorter one is an example of a data URL.
const minChars = 100;

const head = String.raw`\b(data:[\w.+-]+\\?/[\w.+-]+)(?:;[\w.+=-]+){0,20},(?:${plainChar}|${escapedChar}){${minChars}}`;

// A pattern that matches a file of megabytes at once would overflow the stack when it backtracks.
const next = `${plainChar}{1,4096}|${escapedChar}`;

/** Removes the content of data URLs such as `data:image/png;base64,…` from a text. Their media types remain. */
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
