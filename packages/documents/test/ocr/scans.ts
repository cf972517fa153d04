import { encodePng, type GreyImage } from '../../src/extract/pdf/encode-png.ts';
import { buildPdf } from '../../../../test/support/make-pdf.ts';
import { drawPdf, invert, photograph, rotate } from './pictures.ts';

/** Picture of a page, with its text. */
export interface Scan {
  readonly name: string;
  /** Text in reading order. White space does not count. */
  readonly truth: string;
  readonly draw: () => Promise<Uint8Array>;
}

type Draw = (page: PDFKit.PDFDocument) => void;

interface Paper {
  /** Points. */
  readonly size: readonly [width: number, height: number];
  readonly dpi: number;
  /** Whether the picture states its resolution. */
  readonly isSilent?: boolean;
}

const sheet: Paper = { size: [420, 340], dpi: 200 };

const render = async (draw: Draw, { size, dpi }: Paper): Promise<GreyImage> =>
  drawPdf(await buildPdf(draw, { size: [...size], margin: 36 }), dpi);

const scanOf = (
  name: string,
  truth: string,
  draw: Draw,
  paper: Paper = sheet,
  change: (image: GreyImage) => GreyImage = (image) => image,
): Scan => ({
  name,
  truth,
  draw: async () => {
    const { width, height, pixels } = change(await render(draw, paper));
    return encodePng({ width, height, pixels, ...(paper.isSilent !== true && { dotsPerInch: paper.dpi }) });
  },
});

const report =
  'The spillway gate was inspected on 9 June and found to leak 3.5 litres a minute. Divers replaced the lower seal in two shifts. The village of Ashcombe drew its water from wells until 14 June, when the reservoir had regained 2.80 metres. The works cost 18,240.75 euros, of which the insurer paid 11,900.00. A second inspection is planned for October, before the first frost reaches the upper valley.';

const prose =
  (text: string, font = 'Times-Roman', size = 12): Draw =>
  (page) =>
    void page.font(font).fontSize(size).text(text);

const skewed = (degrees: number): Scan =>
  scanOf(`a page turned by ${degrees} degrees`, report, prose(report), sheet, (image) => rotate(image, degrees));

const rows = [
  ['Article', 'Quantity', 'Unit price', 'Total'],
  ['Cedar plank 4 m', '36', '12.80', '460.80'],
  ['Hinge, brass', '14', '6.35', '88.90'],
  ['Wood screws', '800', '0.07', '56.00'],
  ['Varnish 2.5 l', '5', '41.20', '206.00'],
  ['Carpenter hours', '27', '64.50', '1,741.50'],
  ['Delivery', '1', '95.00', '95.00'],
] as const;

const linesOf = (table: readonly (readonly string[])[]): string => table.map((row) => row.join(' ')).join('\n');

const columns = [
  [36, 150],
  [186, 60],
  [246, 66],
  [312, 72],
] as const;

const ruledTable =
  (ruleWidth: number, rowHeight = 24): Draw =>
  (page) => {
    page.font('Helvetica-Bold').fontSize(14).text('Materials for the boathouse', 36, 30);
    page.font('Helvetica').fontSize(10).lineWidth(ruleWidth);
    for (const [at, row] of rows.entries()) {
      const top = 60 + at * rowHeight;
      for (const [column, cell] of row.entries()) {
        const [left, width] = columns[column] ?? [0, 0];
        const align = column === 0 ? 'left' : 'right';
        page.rect(left, top, width, rowHeight).stroke();
        page.text(cell, left + 5, top + rowHeight / 2 - 5, { width: width - 10, align, lineBreak: false });
      }
    }
    page.fontSize(10).text('Prices include delivery to the landing stage.', 36, 60 + rows.length * rowHeight + 14);
  };

const tableText = `Materials for the boathouse\n${linesOf(rows)}\nPrices include delivery to the landing stage.`;

/** @param pixels Width of the rules at 300 dpi. */
const ruled = (pixels: number): Scan =>
  scanOf(`a table with rules of ${pixels} pixels`, tableText, ruledTable((pixels * 72) / 300), {
    size: [420, 300],
    dpi: 300,
    isSilent: pixels % 2 === 1,
  });

const pricedRows = (
  items: readonly (readonly [item: string, price: string])[],
  width: number,
  size: number,
  font = 'Courier',
): Draw => {
  return (page) => {
    page.font(font).fontSize(size);
    for (const [at, [item, price]] of items.entries()) {
      const top = 20 + at * size * 1.4;
      page.text(item, 14, top, { lineBreak: false });
      if (price !== '') page.text(price, 14, top, { width: width - 28, align: 'right', lineBreak: false });
    }
  };
};

const receipts = [
  [
    ['CORNER BAKERY', ''],
    ['7 Mill Street, Ashcombe', ''],
    ['Rye bread 1 kg', '4.20'],
    ['Almond croissant', '2.95'],
    ['Apple juice 1 l', '3.10'],
    ['Paper bag', '0.15'],
    ['TOTAL EUR', '10.40'],
    ['CARD', '10.40'],
    ['VAT 7%', '0.68'],
    ['Receipt 20931 Till 2', ''],
    ['THANK YOU', ''],
  ],
  [
    ['Ironmonger Hall', ''],
    ['Tel 0555 018 7720', ''],
    ['Padlock 40 mm', '12.99'],
    ['Chain 2 m', '18.60'],
    ['Oil can 250 ml', '5.49'],
    ['Gloves, leather', '14.00'],
    ['Sandpaper x10', '3.90'],
    ['SUBTOTAL', '54.98'],
    ['DISCOUNT 10%', '-5.50'],
    ['TOTAL', '49.48'],
    ['CASH', '50.00'],
    ['CHANGE', '0.52'],
  ],
] as const;

const invoice = [
  ['Translation, May', '2,340.00'],
  ['Train tickets', '118.60'],
  ['Binding and paper', '57.25'],
  ['Courier', '19.90'],
  ['Total payable', '2,535.75'],
] as const;

const halves = [
  report.slice(0, report.indexOf('The works')).trim(),
  report.slice(report.indexOf('The works')),
] as const;
const thirds = [
  'Oysters are graded by weight and packed in baskets of poplar with seaweed on top. A basket keeps for nine days.',
  'Mussels grow on ropes that hang from rafts. The ropes are lifted in autumn, when the shells have closed their second ring.',
  'Cockles are raked at low tide by hand. A licence permits 50 kilograms a day and is renewed each March.',
] as const;

const inColumns =
  (texts: readonly string[], width: number, gap: number, title?: string): Draw =>
  (page) => {
    if (title !== undefined) page.font('Helvetica-Bold').fontSize(16).text(title, 36, 30);
    page.font('Times-Roman').fontSize(11);
    for (const [at, text] of texts.entries()) page.text(text, 36 + at * (width + gap), 64, { width });
  };

const accented = {
  German:
    'Die Gemäldegalerie in Überlingen öffnet täglich außer montags. Führungen für Schüler kosten 3,50 Euro, für Erwachsene 7,80 Euro. Bitte hängen Sie nasse Mäntel in die Schränke neben der großen Tür. Größere Gruppen müssen sich spätestens zwölf Tage vorher anmelden.',
  French:
    'Le marché aux fleurs ouvre dès sept heures près de la forêt. Les élèves reçoivent un carnet à dessins et goûtent les pâtisseries. Où trouver une chambre à cet étage ? Le gérant répond aussitôt : « Cela dépend de la durée du séjour. » Le reçu coûte 12,50 euros.',
  Spanish:
    'El próximo año la compañía abrirá una fábrica de jabón en Logroño. Los niños del señor Peña aprendieron álgebra el jueves. ¿Cuánto pagó usted por la habitación? La dueña pidió ochenta y tres euros según el último recibo.',
  Italian:
    'La città è più bella di sera, quando i caffè sono già pieni. Perché il treno per Forlì è in ritardo? Il capotreno dirà la verità lunedì, poiché la società non può più tacere. Il biglietto costa così poco: 4,60 euro.',
} as const;

const onDark: Draw = (page) => {
  page.rect(0, 0, 420, 70).fill('#203050');
  page.fillColor('white').font('Helvetica-Bold').fontSize(20).text('Harvest figures by orchard', 36, 26);
  page.font('Helvetica').fontSize(11);
  const fruit = [
    ['Orchard', 'Crates', 'Kilograms'],
    ['Northfield', '412', '6,180'],
    ['Long Meadow', '365', '5,475'],
    ['Riverbank', '298', '4,470'],
    ['Hill Farm', '187', '2,805'],
  ] as const;
  for (const [at, row] of fruit.entries()) {
    const top = 90 + at * 26;
    const isDark = at % 2 === 0;
    if (isDark) page.rect(30, top, 360, 26).fill('#404040');
    page.fillColor(isDark ? 'white' : 'black');
    for (const [column, cell] of row.entries()) page.text(cell, 40 + column * 120, top + 8, { lineBreak: false });
  }
};

/** Pictures of the kinds that people scan and photograph. */
export const scans: readonly Scan[] = [
  ...[2, 3, 4, 6].map(ruled),
  ...receipts.map((items, at) =>
    scanOf(`receipt ${at + 1} at 203 dpi`, linesOf(items), pricedRows(items, 204, 9.5), {
      size: [204, 230],
      dpi: 203,
      isSilent: at === 1,
    }),
  ),
  scanOf(
    'an invoice with amounts at the right margin',
    `Invoice 2026-114\n${linesOf(invoice)}`,
    (page) => {
      page.font('Helvetica-Bold').fontSize(18).text('Invoice 2026-114', 50, 50).font('Helvetica').fontSize(10);
      for (const [at, [item, amount]] of invoice.entries()) {
        page.text(item, 50, 110 + at * 18, { lineBreak: false });
        page.text(amount, 50, 110 + at * 18, { width: 495, align: 'right', lineBreak: false });
      }
    },
    { size: [595, 420], dpi: 200 },
  ),
  ...[-10, -7, -3, 2, 5, 8.5, 10].map(skewed),
  scanOf('a page in two columns', halves.join('\n'), inColumns(halves, 165, 18)),
  scanOf(
    'a page in three columns under a title',
    `From the shore\n${thirds.join('\n')}`,
    inColumns(thirds, 150, 16, 'From the shore'),
    { size: [555, 260], dpi: 200 },
  ),
  ...Object.entries(accented).map(([language, text]) => scanOf(`a page in ${language}`, text, prose(text))),
  scanOf('a photograph under one lamp', report, prose(report), sheet, photograph),
  scanOf('a photograph under one lamp, turned by 4 degrees', report, prose(report), sheet, (image) =>
    rotate(photograph(image), 4),
  ),
  scanOf('a page in white on black', report, prose(report), sheet, invert),
  scanOf(
    'a table with white words on dark rows',
    `Harvest figures by orchard\n${linesOf([
      ['Orchard', 'Crates', 'Kilograms'],
      ['Northfield', '412', '6,180'],
      ['Long Meadow', '365', '5,475'],
      ['Riverbank', '298', '4,470'],
      ['Hill Farm', '187', '2,805'],
    ])}`,
    onDark,
    { size: [420, 230], dpi: 200 },
  ),
  scanOf('a page of small letters at 100 dpi', report, prose(report, 'Helvetica', 9), { ...sheet, dpi: 100 }),
  scanOf('a page on its side', report, prose(report), sheet, (image) => rotate(image, 90)),
  scanOf('a page upside down', report, prose(report), sheet, (image) => rotate(image, 180)),
];

const comparable = (text: string): string =>
  text.normalize('NFC').replace(/[’‘]/g, "'").replace(/[“”]/g, '"').replace(/[–—]/g, '-').replace(/\s+/g, ' ').trim();

/** Share of characters that a reading has wrong, missing or in excess: the edit distance over the length. */
export const characterError = (reading: string, truth: string): number => {
  const [read, wanted] = [Array.from(comparable(reading)), Array.from(comparable(truth))];
  let row = Array.from({ length: wanted.length + 1 }, (_, at) => at);
  for (const [at, letter] of read.entries()) {
    const next = [at + 1];
    for (const [to, other] of wanted.entries())
      next.push(Math.min((next[to] ?? 0) + 1, (row[to + 1] ?? 0) + 1, (row[to] ?? 0) + (letter === other ? 0 : 1)));
    row = next;
  }
  return (row.at(-1) ?? 0) / Math.max(1, wanted.length);
};
