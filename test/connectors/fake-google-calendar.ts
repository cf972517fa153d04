import { FakeGoogle, googleError, ok } from './fake-google.ts';
import type { FakeResponse, FakeRequest } from './fake-server.ts';

export interface FakeEvent {
  readonly id: string;
  text: string;
  cancelled: boolean;
  startMs: number;
  /** Weekly, so often; null for an event that happens once. */
  readonly weeks: number | null;
  readonly series: string | null;
  sequence: number;
}

const hourMs = 3_600_000;
const weekMs = 7 * 24 * hourMs;

/** Google Calendar's API (v3) as far as a connector reads it, with pages of few events. */
export class FakeCalendar {
  readonly google = new FakeGoogle((asked) => this.answer(asked));
  readonly events = new Map<string, FakeEvent>();
  sequence = 0;
  private floor = 0;

  touch(event: FakeEvent): void {
    event.sequence = this.sequence += 1;
  }

  forget(): void {
    this.floor = this.sequence += 1;
  }

  endsOf({ startMs, weeks }: FakeEvent): readonly number[] {
    return Array.from({ length: weeks ?? 1 }, (_, week) => startMs + week * weekMs + hourMs);
  }

  private present(event: FakeEvent) {
    const { id, text, cancelled, startMs, weeks, series } = event;
    const at = (ms: number) => ({ dateTime: new Date(ms).toISOString(), timeZone: 'Europe/Berlin' });
    const recurring = series === null ? {} : { recurringEventId: series, originalStartTime: at(startMs) };
    if (cancelled) return { id, status: 'cancelled', ...recurring };
    return {
      id,
      iCalUID: `${series ?? id}@google.com`,
      status: 'confirmed',
      summary: `Event ${id}`,
      location: 'Room 5',
      description: `<b>${text}</b><br>&amp; more`,
      start: at(startMs),
      end: at(startMs + hourMs),
      htmlLink: `https://www.google.com/calendar/event?eid=${id}`,
      attendees: [{ email: 'ann@example.com', displayName: 'Ann', responseStatus: 'accepted' }],
      ...(weeks === null ? {} : { recurrence: [`RRULE:FREQ=WEEKLY;COUNT=${weeks}`] }),
      ...recurring,
    };
  }

  private answer({ url }: FakeRequest): FakeResponse {
    const [id, part] = url.pathname.replace('/calendar/v3/calendars/primary/events', '').split('/').slice(1);
    const query = url.searchParams;
    if (part === 'instances') {
      const event = this.events.get(id ?? '');
      const ends = event === undefined ? [] : this.endsOf(event);
      const from = Date.parse(query.get('timeMin') ?? '');
      return ok({ items: ends.filter((end) => end > from).map((end) => ({ id: `${id}_${end}` })) });
    }
    if (id !== undefined) {
      const event = this.events.get(id);
      return event === undefined ? googleError(404, 'notFound') : ok(this.present(event));
    }
    const uid = query.get('iCalUID')?.replace('@google.com', '');
    if (uid !== undefined) {
      const ofSeries = [...this.events.values()].filter((event) => event.id === uid || event.series === uid);
      return ok({ items: ofSeries.map((event) => this.present(event)) });
    }
    const sync = query.get('syncToken');
    if (sync !== null && query.has('timeMin')) return googleError(400, 'invalid');
    const since = sync === null ? null : Number(sync.replace('sync-', ''));
    if (since !== null && since < this.floor) return googleError(410, 'fullSyncRequired');
    return this.list(since, query);
  }

  /** Lists cancelled instances of an existing series, so that its text can exclude them. */
  private isShown({ cancelled, series }: FakeEvent): boolean {
    return !cancelled || (series !== null && this.events.get(series)?.cancelled === false);
  }

  private list(since: number | null, query: URLSearchParams): FakeResponse {
    const [from, sequence] = (query.get('pageToken') ?? `0:${this.sequence}`).split(':').map(Number);
    const min = Date.parse(query.get('timeMin') ?? '1970-01-01');
    const shown = [...this.events.values()].filter((event) =>
      since === null ? this.isShown(event) && this.endsOf(event).some((end) => end > min) : event.sequence > since,
    );
    const offset = from ?? 0;
    const next =
      offset + 2 < shown.length
        ? { nextPageToken: `${offset + 2}:${sequence}` }
        : { nextSyncToken: `sync-${sequence}` };
    return ok({ items: shown.slice(offset, offset + 2).map((event) => this.present(event)), ...next });
  }
}
