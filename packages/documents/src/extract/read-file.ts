import { join } from 'node:path';
import { readerFiles } from './assets.ts';
import { withoutDataUrls } from './data-urls.ts';
import { detectFormat, type Detected } from './detect-format.ts';
import { attachmentName, type FormatReader, type OpenedFile, type ReadContext } from './format.ts';
import { formats, type Format } from './formats.ts';
import { UnreadableFile, type InnerFile, type SourceFile } from './port.ts';
import { audioReader } from './media/read-audio.ts';
import { readAsciidoc } from './text/read-asciidoc.ts';
import { readCalendar } from './text/read-calendar.ts';
import { readContacts } from './text/read-contacts.ts';
import { readCode } from './text/read-code.ts';
import { readDoc } from './office/read-doc.ts';
import { readDocx } from './office/read-docx.ts';
import { readEml, readMbox } from './mail/read-eml.ts';
import { readEpub } from './html/read-epub.ts';
import { readHtml } from './html/read-html.ts';
import { imageReaders } from './media/read-image.ts';
import { readJson, readJsonLines } from './data/read-json.ts';
import { readLatex } from './text/read-latex.ts';
import { readMarkdown } from './text/read-markdown.ts';
import { readMsg } from './mail/read-msg.ts';
import { readOdf } from './office/read-odf.ts';
import { readOrg } from './text/read-org.ts';
import { readParquet } from './data/read-parquet.ts';
import { pdfReader } from './pdf/read-pdf.ts';
import { readPlainText } from './text/read-plain-text.ts';
import { readPptx } from './office/read-pptx.ts';
import { readRst } from './text/read-rst.ts';
import { readRtf } from './office/read-rtf.ts';
import { readSubtitles } from './text/read-subtitles.ts';
import { readTable } from './data/read-table.ts';
import { readVectorLines } from './data/read-vector-lines.ts';
import { readXlsx } from './office/read-xlsx.ts';
import { readXml } from './data/read-xml.ts';

/** Open file of a known format. */
export interface OpenedFormat extends OpenedFile {
  readonly format: Format;
}

/** Opens files of every format. Throws `UnreadableFile`. For hostile files it may throw any error of a parser. */
export type FileOpener = (file: SourceFile) => Promise<OpenedFormat>;

const maxDepth = 4;
const maxInnerFiles = 1_000;
/**
 * Maximum units, which become tasks and rows. No book has so many pages, and no text under 800 million characters so
 * many blocks. A kilobyte of a PDF or presentation that repeats one page has more. Rows that a file supplies are small,
 * and the size of the file bounds them.
 */
const maxUnits = 20_000;

const checkUnits = ({ format, units }: OpenedFormat): void => {
  if (format !== 'vectors' && format !== 'parquet' && units > maxUnits)
    throw new UnreadableFile(
      `The file has ${units} pages or blocks of text, more than the ${maxUnits} that can be read; split it into several`,
    );
};

const readersOf = (assetsDirectory: string): Readonly<Record<Format, FormatReader>> => {
  const image = imageReaders(join(assetsDirectory, readerFiles.magick));
  return {
    pdf: pdfReader(join(assetsDirectory, readerFiles.pdfium)),
    docx: readDocx,
    doc: readDoc,
    pptx: readPptx,
    xlsx: readXlsx,
    odt: readOdf,
    ods: readOdf,
    odp: readOdf,
    rtf: readRtf,
    epub: readEpub,
    html: readHtml,
    markdown: readMarkdown,
    asciidoc: readAsciidoc,
    rst: readRst,
    org: readOrg,
    latex: readLatex,
    text: readPlainText,
    csv: readTable,
    json: readJson,
    jsonl: readJsonLines,
    vectors: readVectorLines,
    parquet: readParquet,
    xml: readXml,
    eml: readEml,
    mbox: readMbox,
    msg: readMsg,
    ics: readCalendar,
    vcf: readContacts,
    code: readCode,
    subtitles: readSubtitles,
    png: image('Png'),
    jpeg: image('Jpeg'),
    tiff: image('Tiff'),
    webp: image('WebP'),
    gif: image('Gif'),
    bmp: image('Bmp'),
    heic: image('Heic'),
    avif: image('Avif'),
    wav: audioReader(formats.wav.mediaTypes[0]),
    mp3: audioReader(formats.mp3.mediaTypes[0]),
    m4a: audioReader(formats.m4a.mediaTypes[0]),
    ogg: audioReader(formats.ogg.mediaTypes[0]),
    webm: audioReader(formats.webm.mediaTypes[0]),
    flac: audioReader(formats.flac.mediaTypes[0]),
  };
};

/** Returns the context of a reader without the files within its file. */
const textContextOf = ({ text, segments }: Detected): Pick<ReadContext, 'text' | 'segments'> => ({
  text: withoutDataUrls(text),
  *segments() {
    for (const segment of segments?.() ?? [text]) yield withoutDataUrls(segment);
  },
});

/**
 * Creates the function that returns the files within a file that have a name, without reading them.
 * @param assetsDirectory Holds `readerFiles`.
 */
export const createAttachmentFinder = (
  assetsDirectory: string,
): ((file: SourceFile, name: string) => Promise<readonly InnerFile[]>) => {
  const readers = readersOf(assetsDirectory);
  return async (file, name) => {
    const detected = await detectFormat(file);
    const found: InnerFile[] = [];
    const openInner = (inner: InnerFile): Promise<OpenedFile> => {
      if (attachmentName(inner) === name) found.push(inner);
      return Promise.reject(new UnreadableFile('it is not read'));
    };
    await readers[detected.format](file, { ...textContextOf(detected), openInner });
    return found;
  };
};

/**
 * Creates the function that opens files. Parsers are loaded on first use.
 * @param assetsDirectory Holds `readerFiles`: `node_modules`, or a directory beside a bundle.
 */
export const createFileOpener = (assetsDirectory: string): FileOpener => {
  const readers = readersOf(assetsDirectory);
  const openAt = async (file: SourceFile, depth: number, budget: { innerFiles: number }): Promise<OpenedFormat> => {
    const detected = await detectFormat(file);
    const { format, text } = detected;
    const openInner = async (inner: InnerFile): Promise<OpenedFile> => {
      budget.innerFiles += 1;
      if (depth >= maxDepth) throw new UnreadableFile(`it is nested in more than ${maxDepth} files`);
      if (budget.innerFiles > maxInnerFiles) throw new UnreadableFile(`there are more than ${maxInnerFiles} files`);
      if (inner.bytes.length === 0) throw new UnreadableFile('it is empty');
      return openAt({ ...inner, maySupplyRows: false }, depth + 1, budget);
    };
    // Rows that a file supplies are stored unchanged.
    const context = { ...textContextOf(detected), ...(format === 'vectors' && { text }), openInner };
    const opened = { format, ...(await readers[format](file, context)) };
    checkUnits(opened);
    return opened;
  };
  return (file) => openAt(file, 0, { innerFiles: 0 });
};
