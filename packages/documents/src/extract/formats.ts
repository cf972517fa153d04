/** Kind of a format's units: tasks consist of them, and search results point to them. */
export type UnitKind = 'page' | 'slide' | 'sheet' | 'row' | 'section' | 'message' | 'lines' | 'time';

/** Model that a format may need besides a reader. */
export type Recognition = 'ocr' | 'transcription';

interface FormatFacts {
  readonly name: string;
  readonly mediaTypes: readonly string[];
  /** Lower case, without the dot. */
  readonly extensions: readonly string[];
  readonly unit: UnitKind;
  /** Model that some or all of its files need, for scanned pages, pictures or speech. */
  readonly recognition?: Recognition;
}

const openXml = 'application/vnd.openxmlformats-officedocument';
const openDocument = 'application/vnd.oasis.opendocument';

/** Extensions of source code. Scripts without an extension are detected by their first line. */
const codeExtensions = (
  'ada adb ads asm bash bat c cc cfg cjs clj cljs cmake cmd coffee conf cpp cs css cts cxx d dart dockerfile ejs el elm ' +
  'erl ex exs f90 fish fs fsx go gql gradle graphql groovy h hbs hcl hh hpp hrl hs hxx ini java jl js jsx kt kts less ' +
  'lisp lua m make mjs ml mli mm mts nim nix pas php pl pm proto ps1 py pyi r rb rs s sass scala scm scss sh sol sql ' +
  'svelte swift tcl tf toml ts tsx v vb vhd vim vue wat yaml yml zig zsh'
).split(' ');

/** Formats that can be read. */
export const formats = {
  pdf: { name: 'PDF', mediaTypes: ['application/pdf'], extensions: ['pdf'], unit: 'page', recognition: 'ocr' },
  docx: {
    name: 'Word',
    mediaTypes: [`${openXml}.wordprocessingml.document`],
    extensions: ['docx', 'docm', 'dotx', 'dotm'],
    unit: 'section',
  },
  doc: { name: 'Word 97–2003', mediaTypes: ['application/msword'], extensions: ['doc', 'dot'], unit: 'section' },
  pptx: {
    name: 'PowerPoint',
    mediaTypes: [`${openXml}.presentationml.presentation`],
    extensions: ['pptx', 'pptm', 'ppsx', 'ppsm', 'potx', 'potm'],
    unit: 'slide',
  },
  xlsx: {
    name: 'Excel',
    mediaTypes: [`${openXml}.spreadsheetml.sheet`],
    extensions: ['xlsx', 'xlsm', 'xltx', 'xltm'],
    unit: 'sheet',
  },
  odt: { name: 'OpenDocument text', mediaTypes: [`${openDocument}.text`], extensions: ['odt', 'ott'], unit: 'section' },
  ods: {
    name: 'OpenDocument spreadsheet',
    mediaTypes: [`${openDocument}.spreadsheet`],
    extensions: ['ods', 'ots'],
    unit: 'sheet',
  },
  odp: {
    name: 'OpenDocument presentation',
    mediaTypes: [`${openDocument}.presentation`],
    extensions: ['odp', 'otp'],
    unit: 'slide',
  },
  rtf: { name: 'Rich Text Format', mediaTypes: ['application/rtf', 'text/rtf'], extensions: ['rtf'], unit: 'section' },
  epub: { name: 'EPUB', mediaTypes: ['application/epub+zip'], extensions: ['epub'], unit: 'section' },
  html: {
    name: 'Web page',
    mediaTypes: ['text/html', 'application/xhtml+xml'],
    extensions: ['html', 'htm', 'xhtml'],
    unit: 'section',
  },
  markdown: {
    name: 'Markdown',
    mediaTypes: ['text/markdown', 'text/x-markdown'],
    extensions: ['md', 'markdown', 'mdown', 'mdx', 'mkd'],
    unit: 'section',
  },
  asciidoc: { name: 'AsciiDoc', mediaTypes: ['text/asciidoc'], extensions: ['adoc', 'asciidoc'], unit: 'section' },
  rst: { name: 'reStructuredText', mediaTypes: ['text/x-rst'], extensions: ['rst', 'rest'], unit: 'section' },
  org: { name: 'Org', mediaTypes: ['text/org'], extensions: ['org'], unit: 'section' },
  latex: {
    name: 'LaTeX',
    mediaTypes: ['application/x-latex', 'text/x-tex', 'application/x-tex'],
    extensions: ['tex', 'latex', 'ltx'],
    unit: 'section',
  },
  text: { name: 'Plain text', mediaTypes: ['text/plain'], extensions: ['txt', 'text', 'log'], unit: 'section' },
  csv: {
    name: 'Table of text',
    mediaTypes: ['text/csv', 'text/tab-separated-values'],
    extensions: ['csv', 'tsv', 'tab', 'psv'],
    unit: 'row',
  },
  json: { name: 'JSON', mediaTypes: ['application/json'], extensions: ['json', 'geojson', 'ipynb'], unit: 'row' },
  jsonl: {
    name: 'JSON Lines',
    mediaTypes: ['application/jsonl', 'application/x-ndjson'],
    extensions: ['jsonl', 'ndjson'],
    unit: 'row',
  },
  vectors: {
    name: 'JSON Lines of vectors',
    mediaTypes: [],
    extensions: [],
    unit: 'row',
  },
  parquet: {
    name: 'Parquet of vectors',
    mediaTypes: ['application/vnd.apache.parquet'],
    extensions: ['parquet'],
    unit: 'row',
  },
  xml: {
    name: 'XML',
    mediaTypes: ['application/xml', 'text/xml', 'image/svg+xml'],
    extensions: ['xml', 'svg', 'rss', 'atom', 'xsd', 'xsl', 'plist', 'kml', 'gpx'],
    unit: 'section',
  },
  eml: {
    name: 'E-mail, and web pages saved as such',
    mediaTypes: ['message/rfc822', 'multipart/related'],
    extensions: ['eml', 'mhtml', 'mht'],
    unit: 'message',
    recognition: 'ocr',
  },
  mbox: {
    name: 'Mailbox',
    mediaTypes: ['application/mbox'],
    extensions: ['mbox', 'mbx'],
    unit: 'message',
    recognition: 'ocr',
  },
  msg: {
    name: 'Outlook message',
    mediaTypes: ['application/vnd.ms-outlook'],
    extensions: ['msg'],
    unit: 'message',
    recognition: 'ocr',
  },
  ics: {
    name: 'Calendar',
    mediaTypes: ['text/calendar', 'application/ics'],
    extensions: ['ics', 'ical', 'ifb', 'vcs'],
    unit: 'row',
  },
  vcf: {
    name: 'Contacts',
    mediaTypes: ['text/vcard', 'text/x-vcard', 'text/directory'],
    extensions: ['vcf', 'vcard'],
    unit: 'row',
  },
  code: {
    name: 'Source code and settings',
    mediaTypes: ['text/javascript', 'text/css', 'text/x-python', 'application/toml', 'application/yaml'],
    extensions: codeExtensions,
    unit: 'lines',
  },
  subtitles: {
    name: 'Subtitles',
    mediaTypes: ['text/vtt', 'application/x-subrip', 'application/ttml+xml'],
    extensions: ['vtt', 'srt', 'sbv', 'ttml', 'dfxp', 'smi', 'sami', 'scc'],
    unit: 'time',
  },
  png: { name: 'PNG', mediaTypes: ['image/png'], extensions: ['png'], unit: 'page', recognition: 'ocr' },
  jpeg: {
    name: 'JPEG',
    mediaTypes: ['image/jpeg'],
    extensions: ['jpg', 'jpeg', 'jfif'],
    unit: 'page',
    recognition: 'ocr',
  },
  tiff: { name: 'TIFF', mediaTypes: ['image/tiff'], extensions: ['tif', 'tiff'], unit: 'page', recognition: 'ocr' },
  webp: { name: 'WebP', mediaTypes: ['image/webp'], extensions: ['webp'], unit: 'page', recognition: 'ocr' },
  gif: { name: 'GIF', mediaTypes: ['image/gif'], extensions: ['gif'], unit: 'page', recognition: 'ocr' },
  bmp: {
    name: 'BMP',
    mediaTypes: ['image/bmp', 'image/x-ms-bmp'],
    extensions: ['bmp', 'dib'],
    unit: 'page',
    recognition: 'ocr',
  },
  heic: {
    name: 'HEIC',
    mediaTypes: ['image/heic', 'image/heif'],
    extensions: ['heic', 'heif'],
    unit: 'page',
    recognition: 'ocr',
  },
  avif: { name: 'AVIF', mediaTypes: ['image/avif'], extensions: ['avif'], unit: 'page', recognition: 'ocr' },
  wav: { name: 'WAV', mediaTypes: ['audio/wav'], extensions: ['wav'], unit: 'time', recognition: 'transcription' },
  mp3: { name: 'MP3', mediaTypes: ['audio/mpeg'], extensions: ['mp3'], unit: 'time', recognition: 'transcription' },
  m4a: {
    name: 'MPEG-4 audio',
    mediaTypes: ['audio/mp4'],
    extensions: ['m4a', 'm4b'],
    unit: 'time',
    recognition: 'transcription',
  },
  ogg: {
    name: 'Ogg',
    mediaTypes: ['audio/ogg'],
    extensions: ['ogg', 'oga', 'opus'],
    unit: 'time',
    recognition: 'transcription',
  },
  webm: {
    name: 'WebM audio',
    mediaTypes: ['audio/webm'],
    extensions: ['weba'],
    unit: 'time',
    recognition: 'transcription',
  },
  flac: { name: 'FLAC', mediaTypes: ['audio/flac'], extensions: ['flac'], unit: 'time', recognition: 'transcription' },
} as const satisfies Readonly<Record<string, FormatFacts>>;

/** Short name of a format that can be read. */
export type Format = keyof typeof formats;

/** Text formats whose files have many different media types. */
const manyTypes: ReadonlySet<string> = new Set<Format>(['code', 'subtitles']);

/**
 * Returns a media type that is valid for every file of a format. Vectors have none of their own and count as JSON
 * Lines.
 */
export const mediaTypeOf = (format: string): string => {
  if (manyTypes.has(format)) return 'text/plain';
  const [type = 'application/jsonl'] = formats[format as Format].mediaTypes;
  return type;
};

const pictures: ReadonlySet<string> = new Set(
  Object.entries(formats)
    .filter(([, { mediaTypes }]) => mediaTypes.every((type) => type.startsWith('image/')))
    .map(([format]) => format),
);

/** Whether every unit of a file of that format is a picture. */
export const isPicture = (format: string): boolean => pictures.has(format);
