import { office, relations, type Parts } from './make-office.ts';

/** Cell of a made sheet: a text, a number, or a number with a format code. Null is empty. */
export type MadeCell = string | number | readonly [number, string] | null;

/** Rows and other parts of a made workbook. */
export interface MadeSheet {
  readonly rows: readonly (readonly MadeCell[])[];
  readonly merged?: readonly string[];
  readonly hiddenRows?: readonly number[];
  /** Content of the sheet before and after its rows. */
  readonly before?: string;
  /** Parts that the sheet refers to, as content by type: `comments`, `drawing`, `table`. */
  readonly parts?: Readonly<Record<string, string>>;
  readonly state?: string;
}

const columnName = (column: number): string => String.fromCharCode(65 + column);

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Makes an XLSX of sheets by name. */
export const workbookOf = (sheets: Readonly<Record<string, MadeSheet>>): Uint8Array => {
  const codes: string[] = [];
  const parts: Record<string, string> = {};
  const cellOf = (cell: MadeCell, reference: string): string => {
    if (cell === null) return '';
    if (typeof cell === 'string') return `<c r="${reference}" t="inlineStr"><is><t>${escape(cell)}</t></is></c>`;
    if (typeof cell === 'number') return `<c r="${reference}"><v>${cell}</v></c>`;
    const [value, code] = cell;
    if (!codes.includes(code)) codes.push(code);
    return `<c r="${reference}" s="${codes.indexOf(code) + 1}"><v>${value}</v></c>`;
  };
  const entries = Object.entries(sheets).map(([name, sheet], index) => {
    const rows = sheet.rows.map((cells, at) => {
      const own = cells.map((cell, column) => cellOf(cell, `${columnName(column)}${at + 1}`)).join('');
      const hidden = sheet.hiddenRows?.includes(at + 1) === true ? ' hidden="1"' : '';
      return own === '' ? '' : `<row r="${at + 1}"${hidden}>${own}</row>`;
    });
    const merges = (sheet.merged ?? []).map((range) => `<mergeCell ref="${range}"/>`).join('');
    parts[`xl/worksheets/sheet${index}.xml`] =
      `<worksheet>${sheet.before ?? ''}<sheetData>${rows.join('')}</sheetData><mergeCells>${merges}</mergeCells></worksheet>`;
    const links: Record<string, readonly [string, string]> = {};
    for (const [type, content] of Object.entries(sheet.parts ?? {})) {
      parts[`xl/${type}${index}.xml`] = content;
      links[type] = [type, `../${type}${index}.xml`];
    }
    parts[`xl/worksheets/_rels/sheet${index}.xml.rels`] = relations(links);
    return `<sheet name="${escape(name)}" state="${sheet.state ?? 'visible'}" r:id="s${index}"/>`;
  });
  const links: Record<string, readonly [string, string]> = { styles: ['styles', 'styles.xml'] };
  for (const index of entries.keys()) links[`s${index}`] = ['worksheet', `worksheets/sheet${index}.xml`];
  const formats = codes.map((code, at) => `<numFmt numFmtId="${200 + at}" formatCode="${escape(code)}"/>`).join('');
  const styles = codes.map((_, at) => `<xf numFmtId="${200 + at}"/>`).join('');
  const all: Parts = {
    'xl/workbook.xml': `<workbook><sheets>${entries.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(links),
    'xl/styles.xml': `<styleSheet><numFmts>${formats}</numFmts><cellXfs><xf numFmtId="0"/>${styles}</cellXfs></styleSheet>`,
    ...parts,
  };
  return office('spreadsheetml.sheet', 'xl/workbook.xml', all);
};
