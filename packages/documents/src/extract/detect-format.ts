import { isJson } from '../../../../shared/kernel/json-text.ts';
import { cleanText, decodeExactly } from './text/decode-text.ts';
import { openLargeText } from './text/large-text.ts';
import { formats, type Format } from './formats.ts';
import { refusedFormats } from './refused-formats.ts';
import { UnreadableFile, type SourceFile } from './port.ts';
import { findDelimiter, isSentence, separatorLine, unquoted } from './data/read-table.ts';
import { isJsonStream } from './data/read-json.ts';
import { sniffCfb, sniffZip, type Sniffed } from './containers/sniff-container.ts';
import { isVectorLines } from './data/detect-vector-lines.ts';

/** A file whose format is known. */
export interface Detected {
  readonly format: Format;
  /** Whole text if the format is text, unchanged for rows; else empty. */
  readonly text: string;
  /** The same text segment by segment, if it is too large to hold; `text` is empty then. */
  readonly segments?: () => Iterable<string>;
}

const lookup = (facts: 'extensions' | 'mediaTypes'): ReadonlyMap<string, Sniffed> =>
  new Map(
    Object.entries({ ...refusedFormats, ...formats }).flatMap(([format, about]) =>
      // Cast: `Object.entries` loses the type of the keys.
      about[facts].map((name: string) => [name, format as Sniffed] as const),
    ),
  );

const byExtension = lookup('extensions');
const byMediaType = lookup('mediaTypes');

const htmlStart =
  /^\s*(?:<\?xml[^>]{0,200}>\s*)?(?:<!--(?:(?!-->)[\s\S]){0,2000}-->\s*){0,8}<(?:!doctype\s+html|html|head|body)\b/i;
const fragmentStart =
  /^\s*(?:<!--(?:(?!-->)[\s\S]){0,2000}-->\s*){0,8}<(?:table|thead|tbody|tr|meta|title|link|style|script|base|div|center|font|p|br|hr|h[1-6]|span|b|i|u|strong|em|ul|ol|dl|pre|section|article|a|img)\b/i;
const tableWithin = /<table\b[^<>]{0,2000}>[\s\S]{0,5000}?<tr\b/i;
const armorStart = /^\s*-----BEGIN (?:PGP (?:MESSAGE|SIGNATURE|PUBLIC KEY BLOCK|PRIVATE KEY BLOCK)|PKCS7|CMS)\b/;
const xmlStart = /^\s*(?:<\?xml\s|<!doctype\s+(?!html)[\w:-]+|<svg\b|<!--)/i;
const mailHeader =
  /^(?:received|return-path|delivered-to|from|to|subject|date|message-id|mime-version|x-[\w-]+|content-type|reply-to|cc|sender|dkim-signature|arc-[\w-]+|authentication-results|snapshot-content-location|list-[\w-]+|references|in-reply-to):/i;
const mboxStart = /^From \S+ .{0,60}\b(?:19|20)\d\d\b[^\n]{0,20}\n[\w-]+:/;
const subtitleStart =
  /^\s*(?:WEBVTT(?:[ \t\n]|$)|Scenarist_SCC\b|<sami\b|(?:\d+[ \t]*\n)?(?:\d+:)?\d{1,2}:\d\d[.,]\d{1,3}(?: --> |,(?:\d+:)?\d{1,2}:\d\d[.,]\d{1,3}\n))/i;
const calendarStart = /^\s*BEGIN:VCALENDAR\s*\n/i;
const contactStart = /^\s*BEGIN:VCARD\s*\n/i;
const scriptStart = /^#!\s*\/\S*(?:bin|env)\b/;

/** Format by name, else by declared type. It may be one that is refused. */
const expectedFormat = (file: SourceFile): Sniffed | undefined => {
  const extension = /\.(\w+)$/.exec(file.filename)?.[1]?.toLowerCase() ?? '';
  const mediaType = file.contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  return byExtension.get(extension) ?? byMediaType.get(mediaType);
};

/** Some writers put a few bytes before the header, which PDF readers accept. Text that mentions `%PDF` is no PDF. */
const isPdf = (bytes: Uint8Array, expected: Sniffed | undefined): boolean => {
  const at = Buffer.from(bytes.subarray(0, 1024)).indexOf('%PDF');
  return at === 0 || (at > 0 && expected === 'pdf');
};

// oxlint-disable no-control-regex -- signatures of binary files hold control characters
const signatures: readonly (readonly [RegExp, Format])[] = [
  [/^\x89PNG\r\n\x1a\n/, 'png'],
  [/^\xff\xd8\xff/, 'jpeg'],
  [/^(?:II\*\0|MM\0\*|II\+\0|MM\0\+)/, 'tiff'],
  [/^RIFF[\s\S]{4}WEBP/, 'webp'],
  [/^GIF8[79]a/, 'gif'],
  [/^BM[\s\S]{4}\0{4}[\s\S]{4}/, 'bmp'],
  [/^[\s\S]{4}ftyp(?:hei[cxms]|hev[cxms]|mif1|msf1)/, 'heic'],
  [/^[\s\S]{4}ftypavi[fs]/, 'avif'],
  [/^(?:RIFF|RF64)[\s\S]{4}WAVE/, 'wav'],
  [/^OggS\0/, 'ogg'],
  [/^fLaC/, 'flac'],
  [/^ID3[\x02-\x04]/, 'mp3'],
  [/^[\s\S]{4}ftypM4[AB] /, 'm4a'],
];

const trackHeadBytes = 65_536;

/** Whether a WebM or Matroska file has sound and no video, by the names of its codecs. */
const isSoundOnly = (bytes: Uint8Array): boolean => {
  const head = Buffer.from(bytes.subarray(0, trackHeadBytes)).toString('latin1');
  return /A_(?:OPUS|VORBIS|AAC|FLAC|MPEG|PCM)/.test(head) && !/V_[A-Z]/.test(head);
};

/** Detects binary formats by the signature at their start. */
const sniffBinary = async (bytes: Uint8Array, expected: Sniffed | undefined): Promise<Sniffed | undefined> => {
  const head = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  if (isPdf(bytes, expected)) return 'pdf';
  // The format has its name at both ends. A text may begin with it.
  if (head.startsWith('PAR1') && Buffer.from(bytes.subarray(-4)).toString('latin1') === 'PAR1') return 'parquet';
  if (/^PK(?:\x03\x04|\x05\x06)/.test(head)) return sniffZip(bytes);
  if (head.startsWith('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')) return sniffCfb(bytes);
  if (/^[\s\S]{4}ftyp/.test(head) && expected === 'm4a') return 'm4a';
  if (head.startsWith('\x1aE\xdf\xa3') && isSoundOnly(bytes)) return 'webm';
  return signatures.find(([pattern]) => pattern.test(head))?.[1];
};

const archives = /zip|compress|tar|rar|7z|bzip|xz|zstd|lzip|lz4|cab|ar$/;

const programs = /x-msdownload|x-elf|x-mach-binary|java-vm/;
const textTypes = /^text\/|xml|rtf|postscript|pgp/;

/** Returns the type of a binary file that matches none of the signatures above; undefined if it is unknown. */
const findType = async (bytes: Uint8Array): Promise<{ readonly ext: string; readonly mime: string } | undefined> => {
  const { fileTypeFromBuffer } = await import('file-type');
  // A hostile archive may make the detector fail; its type counts as unknown.
  const type = await fileTypeFromBuffer(bytes).catch(() => undefined);
  return type === undefined || textTypes.test(type.mime) ? undefined : type;
};

/** Detects the type of a binary file. If it is unknown, its name may say why it is not read. */
const sniffByType = async (bytes: Uint8Array, expected: Sniffed | undefined): Promise<Sniffed> => {
  const type = await findType(bytes);
  if (type === undefined) {
    if (expected !== undefined && expected in refusedFormats) return expected;
    throw new UnreadableFile("The file contains binary data of an unknown type, which can't be read");
  }
  if (type.ext === 'mp3' || type.ext === 'm4a') return type.ext;
  if (type.mime.startsWith('video/')) return 'video';
  if (archives.test(type.mime)) return 'archive';
  if (programs.test(type.mime)) return 'executable';
  throw new UnreadableFile(`The file is of type ${type.ext} (${type.mime}), which can't be read`);
};

/**
 * Whether a file is no text although its bytes might be letters: it begins as a known binary type and has control
 * characters, or its name is that of a program.
 */
const isBinary = async (bytes: Uint8Array, expected: Sniffed | undefined): Promise<boolean> => {
  const head = Buffer.from(bytes.subarray(0, 4096)).toString('latin1');
  if (/^(?:\xff\xfe|\xfe\xff|\xef\xbb\xbf)/.test(head)) return false;
  const isProgram = expected === 'executable' && /^(?:MZ|\x7fELF)/.test(head);
  return isProgram || (/[\0-\x06\x0e-\x1a\x1c-\x1f]/.test(head) && (await findType(bytes)) !== undefined);
};

// oxlint-enable no-control-regex

const isMail = (text: string, expected: Sniffed | undefined): boolean => {
  const headers = text.slice(0, 20_000).split(/\n(?![ \t])/, 40);
  const end = headers.findIndex((line) => !/^[!-9;-~]+:/.test(line));
  const known = headers.slice(0, end === -1 ? headers.length : end).filter((line) => mailHeader.test(line));
  const has = (pattern: RegExp): boolean => known.some((line) => pattern.test(line));
  if (expected === 'eml') return known.length > 0;
  // Word processors save web pages so, under the name of a document.
  if (has(/^mime-version:/i) && has(/^content-type:\s*multipart\//i)) return true;
  return (
    known.length >= 3 &&
    has(/^(?:from|received|message-id|mime-version):/i) &&
    has(/^(?:subject|date|to|message-id|content-type):/i)
  );
};

// Kinds of text that the name decides. Any other name means a binary file, whose content is something else.
const textKinds: ReadonlySet<Sniffed | undefined> = new Set<Sniffed | undefined>([
  undefined,
  'text',
  'markdown',
  'html',
  'csv',
  'json',
  'jsonl',
  'xml',
  'eml',
  'mbox',
  'ics',
  'vcf',
  'code',
  'subtitles',
  'asciidoc',
  'rst',
  'org',
  'latex',
  'rtf',
  'postscript',
  'flatxml',
]);
const sheetKinds: ReadonlySet<Sniffed | undefined> = new Set<Sniffed | undefined>(['xls', 'xlsx', 'xlsb', 'ods']);

/** Whether all lines contain equally many tabs. */
const isTabbed = (head: string): boolean => {
  const lines = head
    .split('\n', 21)
    .slice(0, 20)
    .filter((line) => line.trim() !== '');
  const counts = new Set(lines.map((line) => line.split('\t').length));
  return lines.length > 1 && counts.size === 1 && !counts.has(1);
};

/** Detects text under the name of an office document or another binary file: exports of web systems. */
const formatOfExport = (head: string, expected: Sniffed | undefined): Format | undefined => {
  if (textKinds.has(expected)) return undefined;
  if ((fragmentStart.test(head) && /<\/[a-z]/i.test(head)) || tableWithin.test(head)) return 'html';
  return isTabbed(head) ? 'csv' : undefined;
};

/**
 * Whether all rows contain the same delimiter equally often. Lines of prose may too: minutes, a poem, a log. A table
 * with a space after every delimiter is indistinguishable from prose and is read as text, so that no word gets a wrong
 * label.
 */
const isTable = (text: string): boolean => {
  if (separatorLine.test(text)) return true;
  const lines = text
    .slice(0, 100_000)
    .split('\n', 21)
    .slice(0, 20)
    .filter((line) => line.trim() !== '')
    .map(unquoted);
  const delimiter = lines.length < 4 ? null : findDelimiter(lines.join('\n'));
  if (delimiter === null || delimiter === '|') return false;
  const counts = new Set(lines.map((line) => line.split(delimiter).length));
  if (counts.size !== 1 || ([...counts][0] ?? 0) <= 2) return false;
  return lines.filter((line) => isSentence(line, delimiter)).length < lines.length / 2;
};

const jsonStart = /^\s*[{[]/;

/** Whether a text may be JSON. The first line of JSON Lines may be damaged. */
const mayBeJson = (text: string, expected: Sniffed | undefined): boolean =>
  jsonStart.test(text) || (expected === 'jsonl' && /^[{[]/m.test(text));

/**
 * Cleans text that may be JSON. Other line separators become spaces, since they may occur in a string and a line break
 * may not.
 */
const cleanJson = (exact: string, text: string, expected: Sniffed | undefined): string =>
  mayBeJson(text, expected) ? cleanText(exact, ' ') : text;

/**
 * Whether a file contains rows with ids. A bad line, even the first, must be reported and must not change the format.
 */
const containsRows = ({ maySupplyRows }: SourceFile, expected: Sniffed | undefined, json: string): boolean =>
  maySupplyRows && expected === 'jsonl' && /^\s*\{/.test(json) && isVectorLines(json);

const formatOfJson = (text: string, expected: Sniffed | undefined): Format | undefined => {
  if (isJson(text)) return 'json';
  return isJsonStream(text, expected === 'json' || expected === 'jsonl') ? 'jsonl' : undefined;
};

const flatOffice: readonly RegExp[] = [
  /^<(?:\w+:)?document\s[^]*urn:oasis:names:tc:opendocument:/,
  /^<(?:\w+:)?(?:wordDocument|Workbook)\s[^]*schemas[.-]microsoft[.-]com[:/]office/,
  /^<(?:\w+:)?package\s[^]*schemas\.microsoft\.com\/office\/2006\/xmlPackage/,
];

/** Detects XML of any vocabulary, except flat office documents, which the root element identifies. */
const formatOfXml = (text: string): Sniffed => {
  const [root = ''] = /<[a-z][^<>]*/i.exec(text.slice(0, 20_000)) ?? [];
  if (/^<(?:\w+:)?tt[\s>][^]*www\.w3\.org\/[^"']*ttml?/.test(root) || /^<(?:\w+:)?tt[\s>][^]*ttaf1/.test(root))
    return 'subtitles';
  return flatOffice.some((pattern) => pattern.test(root)) ? 'flatxml' : 'xml';
};

const formatOfData = (json: string, text: string, expected: Sniffed | undefined): Sniffed | undefined => {
  const format = mayBeJson(text, expected) ? formatOfJson(json, expected) : undefined;
  if (format !== undefined) return format;
  if (expected === 'xml' || xmlStart.test(text.slice(0, 1_000)))
    return /<[a-z_]/i.test(text) ? formatOfXml(text) : undefined;
  return undefined;
};

const kept: ReadonlySet<Sniffed> = new Set<Format>([
  'markdown',
  'csv',
  'code',
  'html',
  'asciidoc',
  'rst',
  'org',
  'latex',
]);

const formatOfText = (json: string, text: string, expected: Sniffed | undefined): Sniffed => {
  const head = text.slice(0, 20_000);
  if (/^\s*\{\\rtf/.test(head)) return 'rtf';
  if (/^\s*%!PS-/.test(head)) return 'postscript';
  if (armorStart.test(head)) return 'encrypted';
  if (mboxStart.test(head)) return 'mbox';
  if (subtitleStart.test(head)) return 'subtitles';
  if (calendarStart.test(head)) return 'ics';
  if (contactStart.test(head)) return 'vcf';
  if (isMail(text, expected)) return 'eml';
  // A code template may contain a page, and code may be a list, so an extension of source code decides.
  if (expected === 'code') return 'code';
  if (htmlStart.test(head)) return 'html';
  const inExport = formatOfExport(head, expected);
  if (inExport !== undefined) return inExport;
  const data = formatOfData(json, text, expected);
  if (data !== undefined) return data;
  if (expected === 'html') return /<[a-z!]/i.test(text) ? 'html' : 'text';
  if (expected !== undefined && kept.has(expected)) return expected;
  if (scriptStart.test(head)) return 'code';
  return sheetKinds.has(expected) || isTable(text) ? 'csv' : 'text';
};

const inSegments: ReadonlySet<Sniffed> = new Set<Format>(['text', 'csv']);

/** Detects a large text whose format is read segment by segment. The first segment decides, as for any text. */
const detectLarge = (bytes: Uint8Array, expected: Sniffed | undefined): Detected | null => {
  const segments = openLargeText(bytes);
  const [head = ''] = segments?.() ?? [];
  if (segments === null || mayBeJson(head, expected) || expected === 'html' || expected === 'xml') return null;
  const format = formatOfText('', head, expected);
  return inSegments.has(format) ? { ...accept(format, ''), segments } : null;
};

const accept = (sniffed: Sniffed, text: string): Detected => {
  if (sniffed in refusedFormats)
    throw new UnreadableFile(refusedFormats[sniffed as keyof typeof refusedFormats].reason);
  return { format: sniffed as Format, text };
};

/**
 * Detects the format of a file: by content first. Name and declared type decide only between kinds of text.
 * @throws UnreadableFile with the reason for every format that has no reader.
 */
export const detectFormat = async (file: SourceFile): Promise<Detected> => {
  const expected = expectedFormat(file);
  const binary = await sniffBinary(file.bytes, expected);
  if (binary !== undefined) return accept(binary, '');
  if (await isBinary(file.bytes, expected)) return accept(await sniffByType(file.bytes, expected), '');
  const large = detectLarge(file.bytes, expected);
  if (large !== null) return large;
  const exact = await decodeExactly(file);
  if (exact === null) return accept(await sniffByType(file.bytes, expected), '');
  const text = cleanText(exact);
  const json = cleanJson(exact, text, expected);
  if (containsRows(file, expected, json)) return accept('vectors', exact);
  const format = formatOfText(json, text, expected);
  return accept(format, format === 'json' || format === 'jsonl' ? json : text);
};
