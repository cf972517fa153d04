import { decodeText } from './decode-text.ts';
import { UnreadableFile, type SourceFile } from './port.ts';

/** Formats that can be read. */
export type Format = 'pdf' | 'html' | 'markdown' | 'text';

const declaredTypes: Readonly<Record<string, Format>> = {
  'application/pdf': 'pdf',
  'application/xhtml+xml': 'html',
  'text/html': 'html',
  'text/markdown': 'markdown',
  'text/x-markdown': 'markdown',
};

const extensions: Readonly<Record<string, Format>> = {
  htm: 'html',
  html: 'html',
  xhtml: 'html',
  markdown: 'markdown',
  md: 'markdown',
  mdown: 'markdown',
  mdx: 'markdown',
  mkd: 'markdown',
  pdf: 'pdf',
};

const htmlStart =
  /^\s*(?:<\?xml[^>]{0,200}>\s*)?(?:<!--(?:(?!-->)[\s\S]){0,2000}-->\s*){0,8}<(?:!doctype\s+html|html|head|body)\b/i;

const expectedFormat = (file: SourceFile): Format | undefined => {
  const extension = /\.(\w+)$/.exec(file.filename)?.[1]?.toLowerCase() ?? '';
  const mediaType = file.contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  return extensions[extension] ?? declaredTypes[mediaType];
};

/** Some writers put a few bytes before the header, which PDF readers accept; text may speak of it, which is no PDF. */
const isPdf = (file: SourceFile, expected: Format | undefined): boolean => {
  const at = Buffer.from(file.bytes.subarray(0, 1024)).indexOf('%PDF');
  return at === 0 || (at > 0 && expected === 'pdf');
};

const nameOf = async (bytes: Uint8Array): Promise<string> => {
  const { fileTypeFromBuffer } = await import('file-type');
  // A hostile archive may upset the detector; its type is then as good as unknown.
  const type = await fileTypeFromBuffer(bytes).catch(() => undefined);
  return type === undefined
    ? 'The file holds binary data of an unknown type'
    : `The file is of type ${type.ext} (${type.mime})`;
};

const formatOfText = (text: string, expected: Format | undefined): Format => {
  if (htmlStart.test(text.slice(0, 20_000))) return 'html';
  if (expected === 'html' && /<[a-z!]/i.test(text)) return 'html';
  return expected === 'markdown' ? 'markdown' : 'text';
};

/**
 * What a file is: by its content first; name and declared type decide only between kinds of text.
 * @throws UnreadableFile with the detected type for everything that no reader stands ready for.
 */
export const detectFormat = async (file: SourceFile): Promise<Format> => {
  const expected = expectedFormat(file);
  if (isPdf(file, expected)) return 'pdf';
  const text = await decodeText(file);
  if (text === null) throw new UnreadableFile(`${await nameOf(file.bytes)}, which can't be read`);
  const pageLanguage = /^\s*(\{\\rtf|%!PS-)/.exec(text)?.[1];
  if (pageLanguage !== undefined) {
    throw new UnreadableFile(
      `The file is of type ${pageLanguage === '%!PS-' ? 'PostScript' : 'RTF'}, which can't be read`,
    );
  }
  return formatOfText(text, expected);
};
