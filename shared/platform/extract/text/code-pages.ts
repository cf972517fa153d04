/** The charset of Western Windows, taken where a document tells of none. */
export const western = 'windows-1252';

// Code pages that are not called `windows-…`; those of ISO 8859 are numbered from 28591.
const named: ReadonlyMap<number, string> = new Map([
  [932, 'shift_jis'],
  [936, 'gbk'],
  [949, 'euc-kr'],
  [950, 'big5'],
  [10000, 'macintosh'],
  [20866, 'koi8-r'],
  [21866, 'koi8-u'],
  [50220, 'iso-2022-jp'],
  [50221, 'iso-2022-jp'],
  [50222, 'iso-2022-jp'],
  [51932, 'euc-jp'],
  [51936, 'gbk'],
  [51949, 'euc-kr'],
  [54936, 'gb18030'],
  [65001, 'utf-8'],
]);

/** The charset that Windows gives a number, as `TextDecoder` calls it; for others that of Western Windows. */
export const charsetOfCodePage = (codePage: number): string => {
  const part = codePage - 28590;
  const name = part > 0 && part < 17 ? `iso-8859-${part}` : (named.get(codePage) ?? `windows-${codePage}`);
  try {
    return new TextDecoder(name).encoding;
  } catch {
    return western;
  }
};
