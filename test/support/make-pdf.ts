import PDFDocument from 'pdfkit';

/** A PDF that `build` draws into; options are those of pdfkit. */
export const buildPdf = async (
  build: (document: PDFKit.PDFDocument) => void,
  options: PDFKit.PDFDocumentOptions = {},
): Promise<Buffer> => {
  const document = new PDFDocument(options);
  const parts: Buffer[] = [];
  const finished = new Promise((resolve, reject) => document.on('end', resolve).on('error', reject));
  document.on('data', (part: Buffer) => parts.push(part));
  build(document);
  document.end();
  await finished;
  return Buffer.concat(parts);
};

/** A PDF whose pages hold the given texts; options are those of pdfkit. */
export const makePdf = (pages: readonly string[], options: PDFKit.PDFDocumentOptions = {}): Promise<Buffer> =>
  buildPdf(
    (document) => {
      for (const text of pages) document.addPage().text(text);
    },
    { ...options, autoFirstPage: false },
  );

/** A one-page PDF around a content stream, written by hand for what pdfkit would not write. */
export const rawPdf = (content: Uint8Array, font: string, streamFilter = ''): Uint8Array =>
  Buffer.concat([
    Buffer.from(
      [
        '%PDF-1.4',
        '1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj',
        '2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj',
        '3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 5 0 R/Resources<</Font<</F 4 0 R>>>>>> endobj',
        `4 0 obj ${font} endobj`,
        `5 0 obj <</Length ${content.length}${streamFilter}>> stream\n`,
      ].join('\n'),
    ),
    content,
    Buffer.from('\nendstream endobj\ntrailer <</Root 1 0 R>>\n%%EOF\n'),
  ]);

/** A PDF of the given objects, numbered from 1, the first of them its catalogue. */
export const pdfOf = (objects: readonly string[]): Buffer =>
  Buffer.from(
    `%PDF-1.7\n${objects.map((object, index) => `${index + 1} 0 obj ${object} endobj\n`).join('')}trailer <</Root 1 0 R>>\n%%EOF\n`,
    'latin1',
  );

/** The body of a stream object, such as the content of a page. */
export const streamOf = (content: string, entries = ''): string =>
  `<<${entries}/Length ${content.length}>> stream\n${content}\nendstream`;
