import { contentVersion } from '../content-version.ts';
import type { calendar_v3 } from '@googleapis/calendar';
import type { JsonObject } from '../../../kernel/json.ts';
import { eventText, titleOf } from './calendar-text.ts';
import { type GoogleCall, googleCall, googleFault, googleStatus } from './client.ts';
import { type ConnectorSource, type SourceChange, SourceFault, type Step, type StepInput } from '../port.ts';
import { fileNameOf, textAt } from '../read-text.ts';

const calendarId = 'primary';
const eventsPerStep = 100;
/** Maximum of Google's API for one request. */
const maxInstances = 2_500;
/** Excludes working locations and birthdays. */
const eventTypes = ['default', 'focusTime', 'fromGmail', 'outOfOffice'];

interface Reading {
  readonly events: calendar_v3.Resource$Events;
  readonly call: GoogleCall;
  readonly input: StepInput;
}

type Event = calendar_v3.Schema$Event;

const timeMin = ({ scope }: StepInput): string | null =>
  scope.calendar_after === null ? null : new Date(scope.calendar_after).toISOString();

const timeOf = (at: calendar_v3.Schema$EventDateTime | undefined): string => at?.dateTime ?? at?.date ?? '';

const isSeries = ({ recurrence }: Event): boolean => (recurrence ?? []).length > 0;

/** Whether an event, or one instance of a series, ends after the start of the scope. */
const isWithin = async ({ events, call, input }: Reading, event: Event): Promise<boolean> => {
  const from = timeMin(input);
  if (from === null) return true;
  if (!isSeries(event)) return Date.parse(timeOf(event.end)) > Date.parse(from);
  const asked = { calendarId, eventId: event.id ?? '', timeMin: from, maxResults: 1, fields: 'items(id)' };
  const { data } = await events.instances(asked, call);
  return (data.items ?? []).length > 0;
};

/** Returns the cancelled instances of a series. The series does not list them, but they share its iCalendar id. */
const cancelledTimes = async ({ events, call }: Reading, { id, iCalUID }: Event): Promise<readonly Event[]> => {
  if (typeof iCalUID !== 'string') return [];
  const fields = 'items(id,status,recurringEventId,originalStartTime)';
  const { data } = await events.list(
    { calendarId, iCalUID, singleEvents: false, maxResults: maxInstances, fields },
    call,
  );
  return (data.items ?? []).filter((time) => time.status === 'cancelled' && time.recurringEventId === id);
};

const upsertOf = async (reading: Reading, event: Event, id: string): Promise<SourceChange> => {
  const text = eventText(event, isSeries(event) ? await cancelledTimes(reading, event) : []);
  const title = titleOf(event);
  const [starts, ends] = [timeOf(event.start), timeOf(event.end)];
  return {
    kind: 'upsert',
    item: {
      externalId: id,
      version: contentVersion(text),
      filename: fileNameOf(title, '.txt'),
      contentType: 'text/plain',
      content: () => Promise.resolve(new TextEncoder().encode(text)),
      title,
      url: event.htmlLink ?? null,
      metadata: {
        ...(starts === '' ? {} : { starts_at: starts }),
        ...(ends === '' ? {} : { ends_at: ends }),
      },
    },
  };
};

/** Whether an id is that of an instance of a series, and not of the series that continues after a split (`<id>_R…`). */
const isTimeOf = (id: string, other: string): boolean => /^_\d{8}(T\d{6}Z)?$/.test(other.slice(id.length));

const changesOf = async (reading: Reading, event: Event, isFirst: boolean): Promise<readonly SourceChange[]> => {
  const { id } = event;
  if (typeof id !== 'string') return [];
  if (event.status === 'cancelled') {
    // Changed instances of a series end with it.
    const times = isFirst ? [] : await reading.input.known(`${id}_`, null);
    return [id, ...times.filter((time) => isTimeOf(id, time))].map((externalId): SourceChange => ({
      kind: 'remove',
      externalId,
    }));
  }
  // A full read of Google leaves out earlier events itself.
  const stays = isFirst || (await isWithin(reading, event));
  return [stays ? await upsertOf(reading, event, id) : { kind: 'remove', externalId: id }];
};

/** Returns the series of changed instances, whose text contains the cancelled ones. */
const seriesOf = async ({ events, call }: Reading, changed: readonly Event[]): Promise<readonly Event[]> => {
  const listed = new Set(changed.map(({ id }) => id));
  const ids = new Set(changed.flatMap(({ recurringEventId }) => recurringEventId ?? []));
  const found: Event[] = [];
  for (const eventId of ids) {
    if (listed.has(eventId)) continue;
    try {
      const { data } = await events.get({ calendarId, eventId }, call);
      // A cancelled series is in the list itself.
      if (data.status !== 'cancelled') found.push(data);
    } catch (error) {
      if (![404, 410].includes(googleStatus(error) ?? 0)) throw error;
    }
  }
  return found;
};

const readPage = async (reading: Reading, state: JsonObject | null): Promise<Step> => {
  const { events, call, input } = reading;
  const [sync, cursor] = [textAt(state ?? {}, 'sync'), textAt(state ?? {}, 'cursor')];
  const from = timeMin(input);
  const { data } = await events
    .list(
      {
        calendarId,
        eventTypes,
        maxResults: eventsPerStep,
        // A series is one event, of any length. Changed instances are separate events.
        singleEvents: false,
        ...(sync === '' ? {} : { syncToken: sync }),
        ...(sync === '' && from !== null ? { timeMin: from } : {}),
        ...(cursor === '' ? {} : { pageToken: cursor }),
      },
      call,
    )
    .catch((error: unknown) => {
      const isStale = state !== null && [400, 404, 410].includes(googleStatus(error) ?? 0);
      throw isStale ? new SourceFault('state_lost', 'Google Calendar no longer knows the sync position') : error;
    });
  const isFirst = sync === '';
  const items = data.items ?? [];
  const all = isFirst ? items : [...items, ...(await seriesOf(reading, items))];
  const changes: SourceChange[] = [];
  for (const event of all) changes.push(...(await changesOf(reading, event, isFirst)));
  const next = data.nextPageToken ?? '';
  const after = next === '' ? { sync: data.nextSyncToken ?? '' } : { sync, cursor: next };
  const done = next === '';
  // Without a sync token, the next sync reads everything again.
  return { changes, state: done && after.sync === '' ? null : after, done, removesUnseen: done && isFirst };
};

/**
 * Source of Google Calendar: each event and each series of the account's own calendar is a document.
 * The first sync reads the whole scope, later ones read changes. Source: "Synchronize resources efficiently".
 */
export const googleCalendarSource = (rootUrl: string): ConnectorSource => ({
  step: async (input: StepInput) => {
    try {
      const call = googleCall(input.credentials, rootUrl);
      const { calendar } = await import('@googleapis/calendar');
      return await readPage({ events: calendar('v3').events, call, input }, input.state);
    } catch (error) {
      throw googleFault(error, 'Google Calendar', input.now);
    }
  },
});
