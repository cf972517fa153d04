// A comma may end the cell of a table. Some writers of JSON put a backslash before a slash, others escape signs by number.
const urlChars = String.raw`(?:[\w%+/=.:~!*@$&?#-]|\\/|\\u00[\da-f]{2})`;

// A file in an address is longer than this; what is shorter is an example of one.
const leastChars = 100;

const dataUrl = new RegExp(String.raw`\b(data:[\w.+-]+\\?/[\w.+-]+)(?:;[\w.+=-]+)*,${urlChars}{${leastChars},}`, 'gi');

/** A text without the files that are written into its addresses, such as `data:image/png;base64,…`: their type remains. */
export const withoutDataUrls = (text: string): string => text.replace(dataUrl, '$1');
