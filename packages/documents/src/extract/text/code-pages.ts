/** Charset of Western Windows; the default if a document declares none. */
export const western = 'windows-1252';

// Code pages that are not named `windows-…`. Those of ISO 8859 begin at 28591.
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

/** Charset of a Windows code page, as `TextDecoder` names it; Western Windows if unknown. */
export const charsetOfCodePage = (codePage: number): string => {
  const part = codePage - 28590;
  const name = part > 0 && part < 17 ? `iso-8859-${part}` : (named.get(codePage) ?? `windows-${codePage}`);
  try {
    return new TextDecoder(name).encoding;
  } catch {
    return western;
  }
};
