import type { Format } from '../formats.ts';
import type { refusedFormats } from '../refused-formats.ts';
import { openCompoundFile } from './compound-file.ts';
import { openZip } from './open-zip.ts';
import { UnreadableFile } from '../port.ts';

/** Format detected by content, which may be a refused one. */
export type Sniffed = Format | keyof typeof refusedFormats;

const mainParts: readonly (readonly [RegExp, Sniffed])[] = [
  [/wordprocessingml\.(?:document|template)\.main\+xml|ms-word\.\S*main\+xml/i, 'docx'],
  [/presentationml\.(?:presentation|slideshow|template)\.main\+xml|ms-powerpoint\.\S*main\+xml/i, 'pptx'],
  [/ms-excel\.sheet\.binary\.macroEnabled\.main/i, 'xlsb'],
  [/spreadsheetml\.(?:sheet|template)\.main\+xml|ms-excel\.\S*main\+xml/i, 'xlsx'],
];

const openDocuments: readonly (readonly [RegExp, Sniffed])[] = [
  [/^application\/vnd\.oasis\.opendocument\.text/, 'odt'],
  [/^application\/vnd\.oasis\.opendocument\.spreadsheet/, 'ods'],
  [/^application\/vnd\.oasis\.opendocument\.presentation/, 'odp'],
  [/^application\/vnd\.oasis\.opendocument\./, 'drawing'],
  [/^application\/epub\+zip/, 'epub'],
];

// Parts of Pages, Numbers and Keynote: of today's versions, and of those before 2013.
const iworkPart = /(?:^|\/)(?:[^/]+\.iwa|Index\.zip|index\.apxl|BuildVersionHistory\.plist)$/i;

/**
 * Detects the format of a ZIP archive: an office document, a book, or an archive. Throws `UnreadableFile` if it is
 * damaged.
 */
export const sniffZip = async (bytes: Uint8Array): Promise<Sniffed> => {
  const archive = await openZip(bytes);
  const types = archive.names.has('[Content_Types].xml') ? ((await archive.text('[Content_Types].xml')) ?? '') : '';
  const kind = archive.names.has('mimetype') ? ((await archive.text('mimetype')) ?? '').trim() : '';
  const found =
    mainParts.find(([pattern]) => pattern.test(types))?.[1] ??
    openDocuments.find(([pattern]) => pattern.test(kind))?.[1];
  if (found !== undefined) return found;
  if (archive.names.has('META-INF/container.xml')) return 'epub';
  return [...archive.names.keys()].some((name) => iworkPart.test(name)) ? 'iwork' : 'archive';
};

/**
 * Detects the format of a compound file (OLE) by the streams at its root.
 * @throws UnreadableFile if it is encrypted or unknown; the message says which.
 */
export const sniffCfb = (bytes: Uint8Array): Sniffed => {
  const { names } = openCompoundFile(bytes);
  if (names.has('EncryptedPackage') || names.has('EncryptionInfo')) {
    throw new UnreadableFile('The document is encrypted: it opens with a password only');
  }
  if (names.has('__properties_version1.0')) return 'msg';
  if (names.has('WordDocument')) return 'doc';
  if (names.has('Workbook') || names.has('Book')) return 'xls';
  if (names.has('PowerPoint Document')) return 'ppt';
  throw new UnreadableFile(
    names.size === 0
      ? 'The file is a damaged office document of the format before 2007'
      : "The file is a compound document of an unknown kind, which can't be read",
  );
};
