import { oneLine } from '../../../../../shared/kernel/text.ts';
import { openBlocks, type Block } from '../cut-units.ts';
import type { FormatReader } from '../format.ts';
import { contentRecords, unescaped, valueParts, type ContentLine, type ContentRecord } from './content-lines.ts';
import { repeatWords } from './repeat-words.ts';

const day = /^(\d{4})(\d\d)(\d\d)$/;
const moment = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)?(Z?)$/;

/** Writes a date or time of a calendar: `2025-03-10`, `2025-03-10 14:00 UTC`, `2025-03-10 14:00 (Europe/Oslo)`. */
const timeOf = (value: string, zone: string): string => {
  const text = value.trim();
  const found = moment.exec(text);
  if (found === null) return text.replace(day, '$1-$2-$3');
  const [, year, month, date, hours, minutes, seconds = '00', utc] = found;
  const inZone = utc === 'Z' ? ' UTC' : zone === '' ? '' : ` (${zone})`;
  return `${year}-${month}-${date} ${hours}:${minutes}${seconds === '00' ? '' : `:${seconds}`}${inZone}`;
};

const timesOf = ({ value, parameters }: ContentLine): string =>
  value
    .split(',')
    .map((one) => timeOf(one.split('/')[0] ?? '', parameters.get('tzid')?.[0] ?? ''))
    .join(', ');

/** Last day of an event of whole days, whose end is the day after it. */
const lastDay = (line: ContentLine): string => {
  const [, year, month, date] = day.exec(line.value.trim()) ?? [];
  if (year === undefined) return timesOf(line);
  const end = new Date(Date.UTC(Number(year), Number(month) - 1, Number(date) - 1));
  return Number.isNaN(end.getTime()) ? line.value : end.toISOString().slice(0, 10);
};

const personOf = ({ value, parameters }: ContentLine): string => {
  const address = unescaped(value).replace(/^mailto:/i, '');
  const name = parameters.get('cn')?.[0] ?? '';
  const answer = (parameters.get('partstat')?.[0] ?? '').toLowerCase();
  const person = name === '' || name === address ? address : `${name} <${address}>`;
  return ['', 'needs-action'].includes(answer) ? person : `${person} (${answer})`;
};

const amounts: readonly (readonly [string, string])[] = [
  ['W', 'week'],
  ['D', 'day'],
  ['H', 'hour'],
  ['M', 'minute'],
  ['S', 'second'],
];

/** Writes a duration such as `PT1H30M` in words; unchanged if it is another value. */
const durationOf = (value: string): string => {
  const found = /^\+?P(?:\d+[WDHMS]|T)+$/i.test(value.trim()) ? value.toUpperCase() : null;
  if (found === null) return value;
  const words = amounts.flatMap(([sign, unit]) => {
    const count = Number(new RegExp(String.raw`(\d+)${sign}`).exec(found)?.[1] ?? 0);
    return count === 0 ? [] : [`${count} ${unit}${count === 1 ? '' : 's'}`];
  });
  return words.join(' ');
};

const texts = (lines: readonly ContentLine[]): string => lines.map(({ value }) => unescaped(value)).join(', ');
const lists = (lines: readonly ContentLine[]): string =>
  lines.flatMap(({ value }) => valueParts(value, ',')).join(', ');
const words = (lines: readonly ContentLine[]): string => texts(lines).toLowerCase().replaceAll('-', ' ');
const times = (lines: readonly ContentLine[]): string => lines.map(timesOf).join(', ');
const people = (lines: readonly ContentLine[]): string => lines.map(personOf).join(', ');

const isFree = ({ parameters }: ContentLine): boolean => parameters.get('fbtype')?.[0]?.toLowerCase() === 'free';

/** Writes spans of time: `2025-03-10 14:00 UTC to 2025-03-10 15:00 UTC`, or with their duration. */
const spans = ({ value }: ContentLine): string =>
  value
    .split(',')
    .map((span) =>
      span
        .split('/')
        .map((end) => (end.startsWith('P') ? durationOf(end) : timeOf(end, '')))
        .join(' to '),
    )
    .join(', ');

type Write = (lines: readonly ContentLine[]) => string;

/** Labels of the properties that are read, in order, and how their lines are written. */
const labels: readonly (readonly [string, string, Write])[] = [
  ['SUMMARY', 'Summary', texts],
  ['DTSTART', 'Starts', times],
  ['DTEND', 'Ends', (lines) => lines.map(lastDay).join(', ')],
  ['DURATION', 'Lasts', (lines) => durationOf(texts(lines))],
  ['DUE', 'Due', times],
  ['COMPLETED', 'Completed', times],
  ['RRULE', 'Repeats', (lines) => lines.map(({ value }) => repeatWords(value, timeOf)).join('; ')],
  ['RDATE', 'Also on', times],
  ['EXDATE', 'Except on', times],
  ['RECURRENCE-ID', 'Instead of', times],
  [
    'FREEBUSY',
    'Busy',
    (lines) =>
      lines
        .filter((line) => !isFree(line))
        .map(spans)
        .join(', '),
  ],
  ['FREEBUSY', 'Free', (lines) => lines.filter(isFree).map(spans).join(', ')],
  ['BUSYTYPE', 'Otherwise', words],
  ['LOCATION', 'Location', texts],
  ['ORGANIZER', 'Organizer', people],
  ['ATTENDEE', 'Attendees', people],
  ['CONTACT', 'Contact', texts],
  ['STATUS', 'Status', words],
  ['PERCENT-COMPLETE', 'Percent complete', texts],
  ['CATEGORIES', 'Categories', lists],
  ['RESOURCES', 'Resources', lists],
  ['CONFERENCE', 'Conference', texts],
  ['X-GOOGLE-CONFERENCE', 'Conference', texts],
  ['URL', 'Link', texts],
  ['DESCRIPTION', 'Description', texts],
  ['COMMENT', 'Comment', texts],
];

const kinds: ReadonlyMap<string, string> = new Map([
  ['VEVENT', 'Event'],
  ['VTODO', 'Task'],
  ['VJOURNAL', 'Journal'],
  ['VFREEBUSY', 'Busy times'],
  ['VAVAILABILITY', 'Availability'],
  ['AVAILABLE', 'Available'],
]);

const textOf = ({ kind, lines }: ContentRecord): string => {
  const byName = Map.groupBy(lines, ({ name }) => name);
  const isOneDay = (name: string): boolean =>
    name === 'DTEND' &&
    timesOf(byName.get('DTSTART')?.[0] ?? emptyLine) === lastDay(byName.get('DTEND')?.[0] ?? emptyLine);
  const read = labels.flatMap(([name, label, write]) => {
    const found = byName.get(name);
    const text = found === undefined || isOneDay(name) ? '' : write(found);
    return text === '' ? [] : [`${label}: ${text}`];
  });
  if (read.length === 0 || kind === 'VEVENT') return read.join('\n');
  return [`Kind: ${kinds.get(kind) ?? kind}`, ...read].join('\n');
};

const emptyLine: ContentLine = { name: '', group: '', parameters: new Map(), value: '' };

/** Reads calendars (iCalendar): each event, task and note as lines with labels. Its number is its row. */
export const readCalendar: FormatReader = async (_, { text }) => {
  const blocks: Block[] = [];
  let titles = '';
  let method = '';
  for (const record of contentRecords(text)) {
    const valueOf = (name: string): string => oneLine(record.lines.find((line) => line.name === name)?.value ?? '');
    if (record.kind === 'VCALENDAR') {
      titles ||= unescaped(valueOf('X-WR-CALNAME') || valueOf('NAME'));
      method ||= valueOf('METHOD').toLowerCase();
    }
    const words = kinds.has(record.kind) ? textOf(record) : '';
    const row = blocks.length + 1;
    if (words !== '')
      blocks.push({ text: words, level: null, bounds: { first: { row_start: row }, last: { row_end: row } } });
  }
  const about = method === 'cancel' || method === 'reply' ? [{ text: `Method: ${method}`, level: null }] : [];
  return openBlocks([...(titles === '' ? [] : [{ text: titles, level: 0 }]), ...about, ...blocks]);
};
