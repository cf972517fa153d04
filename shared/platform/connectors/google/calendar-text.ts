import type { calendar_v3 } from '@googleapis/calendar';
import { Parser } from 'htmlparser2';
import { dayMs } from '../../../kernel/durations.ts';

type Event = calendar_v3.Schema$Event;

const breaks: ReadonlySet<string> = new Set(['br', 'p', 'div', 'li', 'ul', 'ol', 'tr', 'h1', 'h2', 'h3']);

/** A description without its marks: Google's own editor writes HTML, others plain text. */
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

/** The clock of a zone; null where nobody knows the zone. Swedes write dates as ISO 8601 does. */
const clockOf = (timeZone: string): Intl.DateTimeFormat | null => {
  try {
    return new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone });
  } catch {
    return null;
  }
};

/** A moment by that clock; Google tells it by that of the calendar, which an offset follows. */
const momentOf = (at: calendar_v3.Schema$EventDateTime | undefined, clock: Intl.DateTimeFormat | null): string => {
  const moment = at?.dateTime ?? '';
  if (moment === '') return at?.date ?? '';
  return clock?.format(new Date(moment)) ?? `${moment.slice(0, 16).replace('T', ' ')}${moment.slice(19)}`;
};

const dayBefore = (day: string): string => new Date(Date.parse(day) - dayMs).toISOString().slice(0, 10);

const whenOf = ({ start, end }: Event): string => {
  if (typeof start?.date === 'string') {
    // The last day of a whole-day event is the one after it.
    const last = typeof end?.date === 'string' ? dayBefore(end.date) : start.date;
    return last > start.date ? `${start.date} – ${last}` : start.date;
  }
  const zone = start?.timeZone ?? '';
  const clock = zone === '' ? null : clockOf(zone);
  const [from, to] = [momentOf(start, clock), momentOf(end, clock)];
  const short = to.slice(0, 10) === from.slice(0, 10) ? to.slice(11) : to;
  return `${from}${short === '' ? '' : ` – ${short}`}${clock === null ? '' : ` (${zone})`}`;
};

/** Names of a rule's parts as people read them; RFC 5545, 3.3.10. */
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
  const times = cancelled.map(({ originalStartTime }) => momentOf(originalStartTime, clock));
  return times
    .filter((time) => time !== '')
    .toSorted()
    .join(', ');
};

/** An event as people read it; of a series, with the times that are cancelled. */
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
