import { strToU8, zipSync } from 'fflate';
import PDFDocument from 'pdfkit';

/** Document whose content is known: a table under a heading, or pages of columns. */
export interface MadeDocument {
  readonly name: string;
  readonly kind: string;
  readonly bytes: Uint8Array;
  readonly heading: string;
  readonly table: readonly (readonly string[])[];
  /** Words in reading order. */
  readonly words: readonly string[];
}

/** Numbers from 0 to 1 that are the same in each run. */
const randomOf = (seed: number): (() => number) => {
  let state = seed * 2_654_435_761 + 1;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 374_761_393) >>> 0;
    return state / 2 ** 32;
  };
};

const syllables = ['ka', 'lo', 'mi', 'ren', 'tus', 'var', 'del', 'pon', 'sa', 'ber', 'nor', 'fli'] as const;

const wordOf = (random: () => number): string =>
  Array.from({ length: 2 + Math.floor(random() * 2) }, () => syllables[Math.floor(random() * syllables.length)]).join(
    '',
  );

const titled = (word: string): string => word[0]?.toUpperCase() + word.slice(1);

const tableOf = (random: () => number): readonly (readonly string[])[] => {
  const columns = 3 + Math.floor(random() * 3);
  const head = Array.from(
    { length: columns },
    (_, at) => `${titled(wordOf(random))}${at === 0 ? '' : ` ${'ABCDEF'[at]}`}`,
  );
  const rows = Array.from({ length: 6 + Math.floor(random() * 30) }, (_, row) => [
    `${titled(wordOf(random))} ${row + 1}`,
    ...head.slice(1).map(() => (random() < 0.08 ? '' : String(Math.floor(random() * 90_000) + 100))),
  ]);
  return [head, ...rows];
};

const zip = (parts: Readonly<Record<string, string>>): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])));

const relationship = (id: string, type: string, target: string): string =>
  `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/>`;

const relations = (...all: readonly string[]): string =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all.join('')}</Relationships>`;

const openXml = (kind: string, main: string, parts: Readonly<Record<string, string>>): Uint8Array =>
  zip({
    '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/${main}" ContentType="application/vnd.openxmlformats-officedocument.${kind}.main+xml"/></Types>`,
    '_rels/.rels': relations(relationship('r1', 'officeDocument', main)),
    ...parts,
  });

type Writer = (heading: string, table: readonly (readonly string[])[]) => Uint8Array | Promise<Uint8Array>;

const each = (
  table: readonly (readonly string[])[],
  row: (cells: string) => string,
  cell: (text: string) => string,
): string => table.map((cells) => row(cells.map(cell).join(''))).join('');

const word = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const paragraph = (text: string): string => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;

const docx: Writer = (heading, table) =>
  openXml('wordprocessingml.document', 'word/document.xml', {
    'word/document.xml': `<w:document ${word}><w:body><w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>${heading}</w:t></w:r></w:p><w:tbl>${each(
      table,
      (cells) => `<w:tr>${cells}</w:tr>`,
      (text) => `<w:tc>${paragraph(text)}</w:tc>`,
    )}</w:tbl></w:body></w:document>`,
    'word/_rels/document.xml.rels': relations(relationship('s', 'styles', 'styles.xml')),
    'word/styles.xml': `<w:styles ${word}><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style></w:styles>`,
  });

const xlsx: Writer = (heading, table) =>
  openXml('spreadsheetml.sheet', 'xl/workbook.xml', {
    'xl/workbook.xml': `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="${heading}" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(relationship('r1', 'worksheet', 'sheet.xml')),
    'xl/sheet.xml': `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${table
      .map(
        (cells, row) =>
          `<row r="${row + 1}">${cells
            .map((text, column) => {
              const reference = `${'ABCDEFG'[column]}${row + 1}`;
              if (text === '') return '';
              return /^\d+$/.test(text)
                ? `<c r="${reference}"><v>${text}</v></c>`
                : `<c r="${reference}" t="inlineStr"><is><t>${text}</t></is></c>`;
            })
            .join('')}</row>`,
      )
      .join('')}</sheetData></worksheet>`,
  });

const htmlText = (heading: string, table: readonly (readonly string[])[]): string =>
  `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>${heading}</title></head><body><h1>${heading}</h1><table>${table
    .map(
      (cells, row) => `<tr>${cells.map((text) => (row === 0 ? `<th>${text}</th>` : `<td>${text}</td>`)).join('')}</tr>`,
    )
    .join('')}</table></body></html>`;

const html: Writer = (heading, table) => strToU8(htmlText(heading, table));

const epub: Writer = (heading, table) =>
  zip({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
    'book.opf':
      '<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata/><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>',
    'a.xhtml': htmlText(heading, table),
  });

const md: Writer = (heading, table) =>
  strToU8(
    `# ${heading}\n\n${table
      .flatMap((cells, row) => [
        `| ${cells.join(' | ')} |`,
        ...(row === 0 ? [`|${cells.map(() => ' --- |').join('')}`] : []),
      ])
      .join('\n')}\n`,
  );

const odt: Writer = (heading, table) =>
  zip({
    mimetype: 'application/vnd.oasis.opendocument.text',
    'content.xml': `<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"><office:body><office:text><text:h text:outline-level="1">${heading}</text:h><table:table>${each(
      table,
      (cells) => `<table:table-row>${cells}</table:table-row>`,
      (text) => `<table:table-cell><text:p>${text}</text:p></table:table-cell>`,
    )}</table:table></office:text></office:body></office:document-content>`,
  });

const rtf: Writer = (heading, table) =>
  strToU8(
    `{\\rtf1\\ansi{\\stylesheet{\\s1 heading 1;}}\\pard\\s1\\outlinelevel0 ${heading}\\par ${each(
      table,
      (cells) =>
        `\\trowd${(table[0] ?? []).map((_, at) => `\\cellx${(at + 1) * 1500}`).join('')}\\pard\\intbl ${cells}\\row `,
      (text) => `${text}\\cell `,
    )}\\pard }`,
  );

const pptx: Writer = (heading, table) => {
  const names =
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
  const text = (words: string): string => `<a:p><a:r><a:t>${words}</a:t></a:r></a:p>`;
  const rows = each(
    table,
    (cells) => `<a:tr>${cells}</a:tr>`,
    (words) => `<a:tc><a:txBody>${text(words)}</a:txBody></a:tc>`,
  );
  return openXml('presentationml.presentation', 'ppt/presentation.xml', {
    'ppt/presentation.xml': `<p:presentation ${names}><p:sldIdLst><p:sldId id="256" r:id="r1"/></p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations(relationship('r1', 'slide', 'slides/slide1.xml')),
    'ppt/slides/slide1.xml': `<p:sld ${names}><p:cSld><p:spTree><p:sp><p:nvSpPr><p:cNvPr id="2" name="t"/><p:nvPr><p:ph type="title"/></p:nvPr></p:nvSpPr><p:txBody>${text(heading)}</p:txBody></p:sp><p:graphicFrame><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/table"><a:tbl>${rows}</a:tbl></a:graphicData></a:graphic></p:graphicFrame></p:spTree></p:cSld></p:sld>`,
  });
};

const csv: Writer = (_, table) => strToU8(table.map((cells) => cells.join(',')).join('\n'));

const finish = async (pdf: PDFKit.PDFDocument): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = [];
  pdf.on('data', (chunk: Uint8Array) => chunks.push(chunk));
  const end = new Promise((resolve) => pdf.on('end', resolve));
  pdf.end();
  await end;
  return Buffer.concat(chunks);
};

const pdfTable =
  (hasRules: boolean, font: string, size: number): Writer =>
  (heading, table) => {
    const pdf = new PDFDocument({ size: 'A4', margin: 50 });
    const height = size * 1.7;
    const columns = table[0]?.length ?? 1;
    const width = 480 / columns;
    pdf
      .font(`${font}-Bold`)
      .fontSize(size * 1.6)
      .text(heading, 50, 50);
    let top = 50 + size * 3;
    for (const [row, cells] of table.entries()) {
      if (top > 760) {
        pdf.addPage();
        top = 50;
      }
      pdf.font(row === 0 ? `${font}-Bold` : font).fontSize(size);
      for (const [column, text] of cells.entries()) {
        const left = 50 + column * width;
        if (hasRules) pdf.rect(left, top, width, height).stroke();
        if (text !== '')
          pdf.text(text, left + 4, top + 4, {
            width: width - 8,
            lineBreak: false,
            align: column === 0 ? 'left' : 'right',
          });
      }
      top += height;
    }
    return finish(pdf);
  };

const columnsPdf = async (
  columns: number,
  size: number,
  heading: string,
  words: readonly string[],
): Promise<Uint8Array> => {
  const pdf = new PDFDocument({ size: 'A4', margin: 50 });
  pdf
    .font('Helvetica-Bold')
    .fontSize(size * 1.8)
    .text(heading);
  pdf
    .moveDown()
    .font('Times-Roman')
    .fontSize(size)
    .text(words.join(' '), { columns, columnGap: 24, height: 420, width: 495 });
  return finish(pdf);
};

/** Writes a PDF with 40 lines of words on each page. */
export const writeLongPdf = (pages: number): Promise<Uint8Array> => {
  const pdf = new PDFDocument({ size: 'A4', margin: 50, autoFirstPage: false });
  for (let page = 0; page < pages; page += 1) {
    pdf.addPage().font('Times-Roman').fontSize(11);
    for (let line = 0; line < 40; line += 1)
      pdf.text(`Line ${line} of page ${page}: the harbour was quiet, and rain fell on the quay until the evening.`);
  }
  return finish(pdf);
};

const writers: Readonly<Record<string, Writer>> = { docx, pptx, xlsx, html, odt, rtf, epub, md };

/** Writes one table under a heading in ten formats. A CSV has no heading. @returns Files by their extension. */
export const writeTable = async (
  heading: string,
  table: MadeDocument['table'],
): Promise<ReadonlyMap<string, Uint8Array>> => {
  const files = new Map<string, Uint8Array>();
  for (const [extension, write] of Object.entries({ ...writers, csv, pdf: pdfTable(false, 'Helvetica', 10) }))
    files.set(extension, await write(heading, table));
  return files;
};

/** Makes documents in all formats. @param seeds Number of documents of each kind. */
export const makeDocuments = async (seeds: number): Promise<readonly MadeDocument[]> => {
  const documents: MadeDocument[] = [];
  for (let seed = 1; seed <= seeds; seed += 1) {
    const random = randomOf(seed);
    const table = tableOf(random);
    const heading = `${titled(wordOf(random))} ${wordOf(random)}`;
    const words = [...heading.split(' '), ...table.flat().flatMap((cell) => cell.split(' '))].filter(
      (one) => one !== '',
    );
    const size = 8 + (seed % 4);
    const font = seed % 2 === 0 ? 'Helvetica' : 'Courier';
    const all = {
      ...writers,
      'pdf with rules': pdfTable(true, font, size),
      'pdf without rules': pdfTable(false, font, size),
    };
    for (const [kind, write] of Object.entries(all)) {
      const extension = kind.split(' ')[0] ?? kind;
      const bytes = await write(heading, table);
      documents.push({ name: `${kind.replaceAll(' ', '-')}-${seed}.${extension}`, kind, bytes, heading, table, words });
    }
    for (const columns of [2, 3]) {
      const text = Array.from({ length: 110 * columns }, (_, at) => `${wordOf(random)}${at % 12 === 11 ? '.' : ''}`);
      const bytes = await columnsPdf(columns, size, heading, text);
      const kind = `pdf of ${columns} columns`;
      documents.push({
        name: `columns-${columns}-${seed}.pdf`,
        kind,
        bytes,
        heading,
        table: [],
        words: [...heading.split(' '), ...text],
      });
    }
  }
  return documents;
};
