/** Property of a calendar or contact: `TEL;TYPE=home:+45 20` (RFC 5545, RFC 6350). */
export interface ContentLine {
  /** In upper case, without the group. */
  readonly name: string;
  /** Prefix that connects several lines; empty if there is none. */
  readonly group: string;
  /** Values of a parameter in lower case. One without a name, as vCard 2.1 writes it, is a type. */
  readonly parameters: ReadonlyMap<string, readonly string[]>;
  /** Value with its escapes. */
  readonly value: string;
}

const nameAndRest = /^(?:([\w-]+)\.)?([A-Za-z][\w-]*)(?=[:;])/;

const isQuotedPrintable = (line: string): boolean => /^[^:]*;(?:ENCODING=)?"?QUOTED-PRINTABLE"?[;:]/i.test(line);

/**
 * Joins wrapped lines: one that begins with a space, one after the soft line end of quoted-printable, and one that is no
 * property at all.
 */
const unfold = function* (text: string): Generator<string> {
  let parts: string[] = [];
  let isSoft = false;
  for (const line of text.split('\n')) {
    const isBlankStart = /^[ \t]/.test(line);
    const isContinued = isSoft || isBlankStart || !nameAndRest.test(line);
    if (isContinued && parts.length > 0) {
      if (isSoft) parts.push(isBlankStart ? line.slice(1) : line);
      else parts.push(isBlankStart ? line.slice(1) : line === '' ? '' : `\\n${line}`);
    } else {
      if (parts.length > 0) yield parts.join('');
      parts = isContinued ? [] : [line];
    }
    isSoft = line.endsWith('=') && isQuotedPrintable(parts[0] ?? '');
    if (isSoft) parts.push((parts.pop() ?? '').slice(0, -1));
  }
  if (parts.length > 0) yield parts.join('');
};

const decodeQuoted = (value: string, charset: string): string => {
  const bytes = value.replace(/=([\dA-F]{2})/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));
  // Characters beyond one byte were not encoded, so that the value is already text.
  if (/[^\p{ASCII}\u0080-\u00FF]/u.test(bytes))
    return value.replace(/(?:=[\dA-F]{2})+/gi, (run) => decodeQuoted(run, charset));
  try {
    return new TextDecoder(charset, { fatal: true }).decode(Buffer.from(bytes, 'latin1'));
  } catch {
    return bytes;
  }
};

const parameter = /;([^=:;]*)(?:=((?:"[^"]*"|[^":;])*))?/y;

const toLine = (line: string): ContentLine | null => {
  const [start = '', group = '', name = ''] = nameAndRest.exec(line) ?? [];
  if (start === '') return null;
  const parameters = new Map<string, string[]>();
  parameter.lastIndex = start.length;
  let at = start.length;
  for (let found = parameter.exec(line); found !== null; found = parameter.exec(line)) {
    const [, key = '', text] = found;
    const kind = text !== undefined ? key.toLowerCase() : /quoted-printable|base64/i.test(key) ? 'encoding' : 'type';
    // A comma within quotes separates types, but is part of a name.
    const list = kind === 'type' ? (text ?? key).replaceAll('"', '') : (text ?? key);
    const values = (list.match(/"[^"]*"|[^",]+/g) ?? []).map((one) => one.replaceAll('"', '').trim());
    parameters.set(kind, [...(parameters.get(kind) ?? []), ...values]);
    at = parameter.lastIndex;
  }
  const raw = line.slice(line.indexOf(':', at) + 1 || line.length);
  const isQuoted = (parameters.get('encoding') ?? []).some((one) => /quoted-printable/i.test(one));
  const value = isQuoted ? decodeQuoted(raw, parameters.get('charset')?.[0] ?? 'utf-8').replace(/\r?\n/g, '\\n') : raw;
  return { name: name.toUpperCase(), group, parameters, value };
};

/** Yields the properties of a file of calendars or contacts. */
const contentLines = function* (text: string): Generator<ContentLine> {
  for (const line of unfold(text)) {
    const property = toLine(line);
    if (property !== null) yield property;
  }
};

/** Replaces the escapes of a value. Several line ends become one. */
export const unescaped = (value: string): string =>
  value
    .replace(/\\([\s\S])/g, (_, sign: string) => (/n/i.test(sign) ? '\n' : sign))
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n\s*/g, '\n')
    .trim();

/** Parts of a value that a sign separates, without escapes. */
export const valueParts = (value: string, separator: ';' | ','): readonly string[] =>
  (value.match(separator === ';' ? /(?:\\[\s\S]|[^\\;])+|(?<=;|^)(?=;|$)/g : /(?:\\[\s\S]|[^\\,])+/g) ?? []).map(
    unescaped,
  );

/** Record of a file: the properties between its `BEGIN` and its `END`, without those of records within it. */
export interface ContentRecord {
  readonly kind: string;
  readonly lines: readonly ContentLine[];
}

const maxDepth = 50;

/** Yields the records of a file when they end. One that is cut off ends with the file. */
export const contentRecords = function* (text: string): Generator<ContentRecord> {
  const open: { kind: string; lines: ContentLine[] }[] = [];
  for (const line of contentLines(text)) {
    if (line.name === 'BEGIN' && open.length < maxDepth)
      open.push({ kind: line.value.trim().toUpperCase(), lines: [] });
    else if (line.name === 'END') {
      const record = open.pop();
      if (record !== undefined) yield record;
    } else open.at(-1)?.lines.push(line);
  }
  while (open.length > 0) yield open.pop() ?? { kind: '', lines: [] };
};
