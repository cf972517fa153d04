import { openBlocks, type Block } from '../cut-units.ts';
import type { FormatReader } from '../format.ts';
import { contentRecords, unescaped, valueParts, type ContentLine } from './content-lines.ts';

/** Labels of the properties that are read, in order. */
const labels: ReadonlyMap<string, string> = new Map([
  ['FN', 'Name'],
  ['N', 'Full name'],
  ['NICKNAME', 'Nickname'],
  ['ORG', 'Organization'],
  ['TITLE', 'Title'],
  ['ROLE', 'Role'],
  ['TEL', 'Phone'],
  ['EMAIL', 'Email'],
  ['ADR', 'Address'],
  ['LABEL', 'Address'],
  ['IMPP', 'Messenger'],
  ['X-SKYPE', 'Skype'],
  ['X-SOCIALPROFILE', 'Profile'],
  ['URL', 'Website'],
  ['BDAY', 'Birthday'],
  ['ANNIVERSARY', 'Anniversary'],
  ['RELATED', 'Related'],
  ['X-ABRELATEDNAMES', 'Related'],
  ['X-ABDATE', 'Date'],
  ['LANG', 'Language'],
  ['CATEGORIES', 'Categories'],
  ['NOTE', 'Note'],
]);

const silentTypes: ReadonlySet<string> = new Set([
  'pref',
  'internet',
  'voice',
  'x400',
  'postal',
  'parcel',
  'dom',
  'intl',
]);

const typesOf = ({ parameters }: ContentLine, label: string): string => {
  const types = (parameters.get('type') ?? []).map((type) => type.toLowerCase());
  const shown = types.filter((type) => type !== '' && !silentTypes.has(type));
  const own = label.replace(/^_\$!<(.*)>!\$_$/, '$1');
  const all = [...new Set([...(own === '' ? [] : [own]), ...shown])];
  return all.length === 0 ? '' : ` (${all.join(', ')})`;
};

const filled = (parts: readonly string[]): readonly string[] => parts.filter((part) => part !== '');

/** Street, post code with town, region and country, in the order of most letters. */
const addressOf = (value: string): string => {
  const [box = '', extra = '', street = '', town = '', region = '', code = '', country = ''] = valueParts(value, ';');
  return filled([box, extra, street, filled([code, town]).join(' '), region, country])
    .join(', ')
    .replaceAll('\n', ', ');
};

/** Prefix, given names, family name, suffix. */
const nameOf = (value: string): string => {
  const [family = '', given = '', more = '', prefix = '', suffix = ''] = valueParts(value, ';');
  return filled([prefix, given, more, family, suffix]).join(' ');
};

const dateOf = (value: string): string =>
  unescaped(value)
    .replace(/^(\d{4})(\d\d)(\d\d)(?=$|T)/, '$1-$2-$3')
    .replace(/(?<=^\d{4}-\d\d-\d\d)T.*$/, '');

const valueOf = ({ name, value }: ContentLine): string => {
  if (name === 'ADR') return addressOf(value);
  if (name === 'N') return nameOf(value);
  if (name === 'ORG') return filled(valueParts(value, ';')).join(', ');
  if (name === 'BDAY' || name === 'ANNIVERSARY' || name === 'X-ABDATE') return dateOf(value);
  if (name === 'CATEGORIES' || name === 'NICKNAME') return valueParts(value, ',').join(', ');
  return unescaped(value).replace(/^(?:tel|mailto|xmpp|sip):/i, '');
};

const textOf = (lines: readonly ContentLine[]): string => {
  const groupLabel = new Map(
    lines.filter(({ name }) => name === 'X-ABLABEL').map(({ group, value }) => [group, unescaped(value)]),
  );
  const name = lines.find((line) => line.name === 'FN');
  const shownName = name === undefined ? '' : valueOf(name);
  const read = [...labels].flatMap(([property, label]) =>
    lines
      .filter((line) => line.name === property)
      .flatMap((line) => {
        const text = valueOf(line);
        if (text === '') return [];
        if (property === 'N' && shownName === '') return [`Name: ${text}`];
        if (property === 'N' && text.split(' ').every((word) => shownName.includes(word))) return [];
        const types = typesOf(line, line.group === '' ? '' : (groupLabel.get(line.group) ?? ''));
        return [`${label}${types}: ${text}`];
      }),
  );
  return read.join('\n');
};

/** Reads contacts (vCard): each as lines with labels. Its number is its row. */
export const readContacts: FormatReader = async (_, { text }) => {
  const blocks: Block[] = [];
  for (const { kind, lines } of contentRecords(text)) {
    const words = kind === 'VCARD' ? textOf(lines) : '';
    const row = blocks.length + 1;
    if (words !== '')
      blocks.push({ text: words, level: null, bounds: { first: { row_start: row }, last: { row_end: row } } });
  }
  return openBlocks(blocks);
};
