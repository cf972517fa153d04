import type { calendar_v3 } from '@googleapis/calendar';
import { Parser } from 'htmlparser2';
import { dayMs } from '../../../kernel/durations.ts';

type Event = calendar_v3.Schema$Event;

const breaks: ReadonlySet<string> = new Set(['br', 'p', 'div', 'li', 'ul', 'ol', 'tr', 'h1', 'h2', 'h3']);

/** Converts a description to plain text. Google's editor writes HTML, other programs plain text. */
const plainText = (html: string): string => {
  if (!/<[a-z!/]|&[a-z#]/i.test(html)) return html.trim();
  let text = '';
  const parser = new Parser({
    ontext: (part) => {
      text += part;
    },
    onopentagname: (name) => {
      if (breaks.has(name)) text += name === 'li' ? '\n- ' : '\n';
    },
  });
  parser.end(html);
  return text
    .replaceAll(/[ \t\u00A0]+/g, ' ')
    .replaceAll(/\n\s*\n\s*/g, '\n\n')
    .trim();
};

/** Returns a date format for a time zone; null if the zone is unknown. Swedish dates follow ISO 8601. */
const clockOf = (timeZone: string): Intl.DateTimeFormat | null => {
  try {
    return new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone });
  } catch {
    return null;
  }
};

/** Formats a time in a zone. Without a zone, Google's local time of the calendar is used, with its offset. */
const timeOf = (at: calendar_v3.Schema$EventDateTime | undefined, clock: Intl.DateTimeFormat | null): string => {
  const time = at?.dateTime ?? '';
  if (time === '') return at?.date ?? '';
  return clock?.format(new Date(time)) ?? `${time.slice(0, 16).replace('T', ' ')}${time.slice(19)}`;
};

const dayBefore = (day: string): string => new Date(Date.parse(day) - dayMs).toISOString().slice(0, 10);

const whenOf = ({ start, end }: Event): string => {
  if (typeof start?.date === 'string') {
    // The end of an all-day event is the day after it.
    const last = typeof end?.date === 'string' ? dayBefore(end.date) : start.date;
    return last > start.date ? `${start.date} – ${last}` : start.date;
  }
  const zone = start?.timeZone ?? '';
  const clock = zone === '' ? null : clockOf(zone);
  const [from, to] = [timeOf(start, clock), timeOf(end, clock)];
  const short = to.slice(0, 10) === from.slice(0, 10) ? to.slice(11) : to;
  return `${from}${short === '' ? '' : ` – ${short}`}${clock === null ? '' : ` (${zone})`}`;
};

/** Words for the parts of a recurrence rule; RFC 5545, 3.3.10. */
const ruleWords: Readonly<Record<string, string>> = {
  INTERVAL: 'every',
  BYDAY: 'on',
  BYMONTHDAY: 'on day',
  BYMONTH: 'in month',
  UNTIL: 'until',
  COUNT: 'times',
};

const repeatsOf = ({ recurrence }: Event): string =>
  (recurrence ?? [])
    .filter((line) => line.startsWith('RRULE:'))
    .map((line) => {
      const parts = line.slice('RRULE:'.length).split(';');
      const frequency =
        parts
          .find((part) => part.startsWith('FREQ='))
          ?.slice('FREQ='.length)
          .toLowerCase() ?? '';
      const others = parts.flatMap((part) => {
        const [name = '', value = ''] = part.split('=');
        const word = ruleWords[name];
        const day = name === 'UNTIL' ? value.replace(/^(\d{4})(\d\d)(\d\d).*$/, '$1-$2-$3') : value;
        return word === undefined ? [] : [`${word} ${day.replaceAll(',', ', ')}`];
      });
      return [frequency, ...others].join(', ');
    })
    .join('; ');

type Person = Pick<calendar_v3.Schema$EventAttendee, 'displayName' | 'email' | 'responseStatus'>;

const personOf = ({ displayName, email, responseStatus }: Person): string => {
  const name = [displayName ?? '', typeof email === 'string' ? `<${email}>` : '']
    .filter((part) => part !== '')
    .join(' ');
  const answer = { accepted: 'accepted', declined: 'declined', tentative: 'tentative' }[responseStatus ?? ''];
  return answer === undefined ? name : `${name} (${answer})`;
};

const linksOf = ({ hangoutLink, conferenceData }: Event): string => {
  const entries = (conferenceData?.entryPoints ?? []).flatMap(({ uri }) => uri ?? []);
  return [...new Set([...(typeof hangoutLink === 'string' ? [hangoutLink] : []), ...entries])].join(', ');
};

export const titleOf = ({ summary }: Event): string => (summary ?? '').trim() || 'Untitled event';

const exceptOf = ({ start }: Event, cancelled: readonly Event[]): string => {
  const clock = typeof start?.timeZone === 'string' ? clockOf(start.timeZone) : null;
  const times = cancelled.map(({ originalStartTime }) => timeOf(originalStartTime, clock));
  return times
    .filter((time) => time !== '')
    .toSorted()
    .join(', ');
};

/** Returns an event as text; for a series, with its cancelled times. */
export const eventText = (event: Event, cancelled: readonly Event[] = []): string => {
  const lines = [
    ['When', whenOf(event)],
    ['Repeats', repeatsOf(event)],
    ['Except', exceptOf(event, cancelled)],
    ['Where', event.location ?? ''],
    ['Organizer', event.organizer == null ? '' : personOf(event.organizer)],
    ['Attendees', (event.attendees ?? []).map(personOf).join(', ')],
    ['Join', linksOf(event)],
    ['Link', event.htmlLink ?? ''],
  ]
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}: ${value}`);
  const description = plainText(event.description ?? '');
  return [titleOf(event), lines.join('\n'), description].filter((part) => part !== '').join('\n\n');
};
