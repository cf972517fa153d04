import { crc32, deflateSync, gzipSync } from 'node:zlib';
import { strToU8, zipSync, type Zippable } from 'fflate';
import { lazy } from '../../../../shared/kernel/memoize.ts';
import { makePdf, pdfOf } from '../../../../test/support/make-pdf.ts';

/** Hostile file, and the required outcome of reading it. */
export interface HostileFile {
  readonly name: string;
  readonly filename: string;
  readonly make: () => Uint8Array | Promise<Uint8Array>;
  /** The refusal that a user sees; null where the file is harmless in the end and is read. */
  readonly refusal: RegExp | null;
}

const contentTypes = (main: string): string =>
  `<Types><Override PartName="/main.xml" ContentType="application/vnd.openxmlformats-officedocument.${main}.main+xml"/></Types>`;

const rootRelations =
  '<Relationships><Relationship Id="r1" Type="http://x/officeDocument" Target="main.xml"/></Relationships>';

const office = (main: string, parts: Zippable): Uint8Array =>
  zipSync({ '[Content_Types].xml': strToU8(contentTypes(main)), '_rels/.rels': strToU8(rootRelations), ...parts });

const docx = (body: string | Uint8Array, more: Zippable = {}): Uint8Array =>
  office('wordprocessingml.document', { 'main.xml': typeof body === 'string' ? strToU8(body) : body, ...more });

const xlsx = (sheet: string | Uint8Array): Uint8Array =>
  office('spreadsheetml.sheet', {
    'main.xml': strToU8('<workbook><sheets><sheet name="One" r:id="r1"/></sheets></workbook>'),
    '_rels/main.xml.rels': strToU8(
      '<Relationships><Relationship Id="r1" Type="x/worksheet" Target="s.xml"/></Relationships>',
    ),
    's.xml': typeof sheet === 'string' ? strToU8(sheet) : sheet,
  });

const paragraph = (text: string): string => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;

const pngChunk = (type: string, data: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(type), data]);
  const out = Buffer.alloc(8);
  out.writeUInt32BE(data.length, 0);
  out.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([out.subarray(0, 4), body, out.subarray(4)]);
};

const png = (width: number, height: number, data: Uint8Array): Buffer => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    pngChunk('IHDR', header),
    pngChunk('IDAT', data),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
};

/** A compound file whose root holds one empty stream for each name. */
const cfb = (names: readonly string[]): Buffer => {
  const file = Buffer.alloc(512 * 3);
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(file);
  file.writeUInt16LE(9, 30);
  file.writeUInt32LE(1, 44);
  file.writeUInt32LE(1, 48);
  file.fill(0xff, 76, 512);
  file.writeUInt32LE(0, 76);
  file.fill(0xff, 512, 1024);
  file.writeUInt32LE(0xfffffffd, 512);
  file.writeUInt32LE(0xfffffffe, 516);
  ['Root Entry', ...names].forEach((name, index) => {
    const at = 1024 + index * 128;
    file.write(name, at, 'utf16le');
    file.writeUInt16LE((name.length + 1) * 2, at + 64);
    file[at + 66] = index === 0 ? 5 : 2;
    file.writeInt32LE(-1, at + 68);
    file.writeInt32LE(index > 0 && index < names.length ? index + 1 : -1, at + 72);
    file.writeInt32LE(index === 0 ? 1 : -1, at + 76);
  });
  return file;
};

/** Text that shrinks a thousandfold. */
const zeros = (megabytes: number): Uint8Array => Buffer.alloc(megabytes * 1024 * 1024, 0x20);

/** More than any member of an archive may have. Packing takes seconds, so it is done once. */
const makeBomb = lazy(() => docx(zeros(160)));

/** A ZIP whose directory states sizes that its data does not have. */
const lyingZip = (): Uint8Array => {
  const file = Buffer.from(docx(`<w:document><w:body>${paragraph('x'.repeat(1_000_000))}</w:body></w:document>`));
  for (
    let at = file.indexOf('PK\u0001\u0002', 0, 'latin1');
    at !== -1;
    at = file.indexOf('PK\u0001\u0002', at + 4, 'latin1')
  ) {
    file.writeUInt32LE(0x7fffffff, at + 24);
  }
  return file;
};

const laughs = (): string => {
  const levels = Array.from({ length: 12 }, (_, index) => `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`);
  return `<?xml version="1.0"?><!DOCTYPE d [<!ENTITY l0 "lol">${levels.join('')}]><d>before &l12; after</d>`;
};

const external =
  '<?xml version="1.0"?><!DOCTYPE d [<!ENTITY secret SYSTEM "file:///etc/passwd">]><d>before &secret; after</d>';

const nestedMail = (depth: number): string => {
  let inner = 'Subject: innermost\r\nFrom: a@example.com\r\n\r\nthe innermost word\r\n';
  for (let level = 0; level < depth; level += 1) {
    inner = `From: a@example.com\r\nSubject: level ${level}\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b${level}\r\n\r\n--b${level}\r\nContent-Type: message/rfc822\r\nContent-Disposition: attachment; filename=l${level}.eml\r\n\r\n${inner}\r\n--b${level}--\r\n`;
  }
  return inner;
};

const mailWith = (files: readonly (readonly [string, Uint8Array])[]): string =>
  `From: a@example.com\r\nTo: b@example.com\r\nSubject: Files\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${files
    .map(
      ([name, bytes]) =>
        `--b\r\nContent-Type: application/octet-stream\r\nContent-Disposition: attachment; filename="${name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(bytes).toString('base64').replace(/.{76}/g, '$&\r\n')}\r\n`,
    )
    .join('')}--b--\r\n`;

const archives: readonly HostileFile[] = [
  {
    name: 'a DOCX that unpacks to 160 MB',
    filename: 'bomb.docx',
    make: makeBomb,
    refusal: /unpacks to more data/,
  },
  {
    name: 'a DOCX whose 100 MB of markup make a tree of gigabytes',
    filename: 'tree.docx',
    make: () => docx(Buffer.from(`<w:document><w:body>${'<w:p/>'.repeat(16_000_000)}</w:body></w:document>`)),
    refusal: /memory|seconds|damaged/,
  },
  {
    name: 'an archive that states sizes of 2 GB',
    filename: 'lie.docx',
    make: lyingZip,
    refusal: /unpacks to more data/,
  },
  {
    name: 'archives in archives in archives',
    filename: 'nested.zip',
    make: () =>
      Array.from({ length: 8 }).reduce<Uint8Array>(
        (inner) => zipSync({ 'a.zip': inner, 'b.zip': inner }),
        zipSync({ a: zeros(8) }),
      ),
    refusal: /^Archives are not unpacked/,
  },
  {
    name: 'an archive of names that climb out of their directory',
    filename: 'climb.docx',
    make: () =>
      docx(`<w:document><w:body>${paragraph('harmless words')}</w:body></w:document>`, {
        '../../../../tmp/strata-climbed': strToU8('no'),
        '/etc/strata-climbed': strToU8('no'),
      }),
    refusal: null,
  },
  {
    name: 'an archive of 30,000 members',
    filename: 'many.docx',
    make: () =>
      zipSync(Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`m${index}`, new Uint8Array()])), {
        level: 0,
      }),
    refusal: /more than 20000 members/,
  },
  {
    name: 'a gzip of 100 MB',
    filename: 'a.gz',
    make: () => gzipSync(zeros(100)),
    refusal: /^Archives are not unpacked/,
  },
  {
    name: 'a DOCX cut off in the middle',
    filename: 'cut.docx',
    make: () => docx(`<w:document>${paragraph('words '.repeat(1000))}</w:document>`).subarray(0, 400),
    refusal: /damaged/,
  },
];

const markup: readonly HostileFile[] = [
  { name: 'XML with a billion laughs', filename: 'laughs.xml', make: () => strToU8(laughs()), refusal: null },
  { name: 'a DOCX with a billion laughs', filename: 'laughs.docx', make: () => docx(laughs()), refusal: null },
  {
    name: 'XML that asks for a file of the machine',
    filename: 'external.xml',
    make: () => strToU8(external),
    refusal: null,
  },
  {
    name: 'XML a million elements deep',
    filename: 'deep.xml',
    make: () => strToU8(`<?xml version="1.0"?>${'<a>'.repeat(1_000_000)}`),
    refusal: /nests deeper/,
  },
  {
    name: 'JSON a million lists deep',
    filename: 'deep.json',
    make: () => strToU8('['.repeat(1_000_000) + ']'.repeat(1_000_000)),
    refusal: null,
  },
  {
    name: 'a page of a million nested elements',
    filename: 'deep.html',
    make: () => strToU8(`<html>${'<b>'.repeat(1_000_000)}`),
    refusal: null,
  },
  {
    name: 'RTF a million groups deep',
    filename: 'deep.rtf',
    make: () => strToU8(`{\\rtf1 ${'{'.repeat(1_000_000)}words`),
    refusal: null,
  },
  {
    name: 'Markdown of a million brackets',
    filename: 'deep.md',
    make: () => strToU8('['.repeat(1_000_000)),
    refusal: null,
  },
];

const tables: readonly HostileFile[] = [
  {
    name: 'a CSV of a million columns',
    filename: 'wide.csv',
    make: () =>
      strToU8(`${Array.from({ length: 1_000_000 }, (_, index) => `c${index}`).join(',')}\n${'1,'.repeat(999_999)}1\n`),
    refusal: null,
  },
  {
    name: 'a CSV whose quote never ends',
    filename: 'open.csv',
    make: () => strToU8(`a,b\n"${'x,\n'.repeat(300_000)}`),
    refusal: null,
  },
  {
    name: 'an XLSX of a million columns',
    filename: 'wide.xlsx',
    make: () =>
      xlsx(`<worksheet><sheetData><row r="1">${'<c><v>1</v></c>'.repeat(1_000_000)}</row></sheetData></worksheet>`),
    refusal: null,
  },
  {
    name: 'an ODS whose empty rows are repeated a billion times',
    filename: 'rows.ods',
    make: () =>
      zipSync({
        mimetype: strToU8('application/vnd.oasis.opendocument.spreadsheet'),
        'content.xml': strToU8(
          '<o:document-content><o:body><o:spreadsheet><t:table t:name="One"><t:table-row t:number-rows-repeated="1000000000"><t:table-cell t:number-columns-repeated="1000000000"><x:p>filled</x:p></t:table-cell></t:table-row></t:table></o:spreadsheet></o:body></o:document-content>',
        ),
      }),
    refusal: null,
  },
];

/** A PDF whose tree of pages comes to the same page by ten ways at each of its levels. */
const sharedPages = (levels: number): Uint8Array =>
  pdfOf([
    `<</Type/Catalog/Pages ${levels + 2} 0 R>>`,
    '<</Type/Page/Parent 3 0 R/MediaBox[0 0 9 9]>>',
    ...Array.from({ length: levels }, (_, level) => {
      const kids = `${level + 2} 0 R `.repeat(10);
      const parent = level === levels - 1 ? '' : `/Parent ${level + 4} 0 R`;
      return `<</Type/Pages/Count ${10 ** (level + 1)}/Kids[${kids}]${parent}>>`;
    }),
  ]);

const sharedSlides = (count: number): Uint8Array =>
  office('presentationml.presentation', {
    'main.xml': strToU8(`<presentation><sldIdLst>${'<sldId r:id="r1"/>'.repeat(count)}</sldIdLst></presentation>`),
    '_rels/main.xml.rels': strToU8(
      '<Relationships><Relationship Id="r1" Type="x/slide" Target="s.xml"/></Relationships>',
    ),
    's.xml': strToU8('<sld/>'),
  });

const repeated: readonly HostileFile[] = [
  {
    name: 'a PDF of one page that stands in it 100,000 times',
    filename: 'pages.pdf',
    make: () => sharedPages(5),
    refusal: /has 100000 pages .* more than the 20000 that can be read; split it/,
  },
  {
    name: 'a presentation of one slide that stands in it 20,001 times',
    filename: 'slides.pptx',
    make: () => sharedSlides(20_001),
    refusal: /has 20001 pages .* more than the 20000 that can be read; split it/,
  },
];

const pictures: readonly HostileFile[] = [
  {
    name: 'a PNG that claims 10,000 megapixels',
    filename: 'huge.png',
    make: () => png(100_000, 100_000, deflateSync(Buffer.alloc(100))),
    refusal: /megapixels|damaged/,
  },
  {
    name: 'a PNG of 100 megapixels of nothing',
    filename: 'blank.png',
    make: () => png(10_000, 10_000, deflateSync(Buffer.alloc(10_001 * 10_000))),
    refusal: /100 megapixels/,
  },
  {
    name: 'a PNG without its end',
    filename: 'cut.png',
    make: () => png(1_000, 1_000, deflateSync(Buffer.alloc(1_001_000))).subarray(0, 60),
    refusal: /damaged/,
  },
  {
    name: 'a vector drawing under the name of a photo',
    filename: 'photo.jpg',
    make: () =>
      strToU8(
        '<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/><text>drawn words</text></svg>',
      ),
    refusal: null,
  },
  {
    name: 'the head of a JPEG and noise',
    filename: 'noise.jpg',
    make: () =>
      Buffer.concat([
        Buffer.from('ffd8ffe000104a464946', 'hex'),
        Buffer.from(Array.from({ length: 5_000 }, (_, index) => (index * 193) % 256)),
      ]),
    refusal: /incomplete/,
  },
];

const others: readonly HostileFile[] = [
  {
    name: 'a PDF behind a password',
    filename: 'locked.pdf',
    make: () => makePdf(['secret words'], { userPassword: 'x', pdfVersion: '1.7' }),
    refusal: /password/,
  },
  {
    name: 'an office document behind a password',
    filename: 'locked.docx',
    make: () => cfb(['EncryptionInfo', 'EncryptedPackage']),
    refusal: /encrypted/,
  },
  {
    name: 'an old workbook',
    filename: 'old.xls',
    make: () => cfb(['Workbook']),
    refusal: /No safe reader exists for Excel/,
  },
  {
    name: 'an old presentation',
    filename: 'old.ppt',
    make: () => cfb(['PowerPoint Document']),
    refusal: /No safe reader exists for PowerPoint/,
  },
  { name: 'a Word document of zeros', filename: 'zero.doc', make: () => cfb(['WordDocument']), refusal: /damaged/ },
  {
    name: 'noise under the name of a text',
    filename: 'noise.txt',
    make: () => Uint8Array.from({ length: 100_000 }, (_, index) => (index * 89 + (index >> 3)) % 256),
    refusal: /binary data/,
  },
  {
    name: 'a program under the name of a PDF',
    filename: 'tool.pdf',
    make: () => Buffer.concat([Buffer.from('7f454c46020101', 'hex'), Buffer.alloc(2_000)]),
    refusal: /Programs and libraries are not read/,
  },
  { name: 'mail in mail in mail, 60 deep', filename: 'deep.eml', make: () => strToU8(nestedMail(60)), refusal: null },
  {
    name: 'mail with a bomb, an archive and a text',
    filename: 'files.eml',
    make: () =>
      strToU8(
        mailWith([
          ['bomb.docx', makeBomb()],
          ['a.zip', zipSync({ a: zeros(1) })],
          ['note.txt', strToU8('the note is read')],
        ]),
      ),
    refusal: null,
  },
  {
    name: 'a mailbox of 3,000 messages with an attachment each',
    filename: 'many.mbox',
    make: () =>
      strToU8(
        Array.from(
          { length: 3_000 },
          (_, index) =>
            `From a@example.com Sat Jan  3 01:05:34 2026\r\n${mailWith([[`n${index}.txt`, strToU8(`note ${index}`)]])}\r\n`,
        ).join(''),
      ),
    refusal: null,
  },
];

/** One file of each kind of attack, made when it is needed. */
export const hostileFiles: readonly HostileFile[] = [
  ...archives,
  ...markup,
  ...tables,
  ...repeated,
  ...pictures,
  ...others,
];
