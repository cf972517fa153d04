import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { strFromU8, unzipSync } from 'fflate';
import { updateConnectorScope } from '../../functions/connectors/update-scope.ts';
import { noScope } from '../../shared/connectors/no-scope.ts';
import type { JsonObject } from '../../shared/kernel/json.ts';
import { providerAddresses } from '../../shared/platform/connectors/provider-addresses.ts';
import { googleCalendarSource } from '../../shared/platform/connectors/google/calendar.ts';
import { eventText } from '../../shared/platform/connectors/google/calendar-text.ts';
import { googleDriveSource } from '../../shared/platform/connectors/google/drive.ts';
import { gmailSource } from '../../shared/platform/connectors/google/gmail.ts';
import { refreshGoogleToken } from '../../shared/platform/connectors/google/token-refresh.ts';
import {
  type ConnectorSource,
  type SourceChange,
  SourceFault,
  type SourceScope,
} from '../../shared/platform/connectors/port.ts';
import { FakeGmail } from './fake-gmail.ts';
import { googleError, ok } from './fake-google.ts';
import { FakeCalendar, type FakeEvent } from './fake-google-calendar.ts';
import { FakeDrive, type FakeFile } from './fake-google-drive.ts';
import { calendarScenario, driveScenario, gmailScenario } from './google-scenarios.ts';
import { randomOf, type Scenario } from './scenarios.ts';
import type { SyncFixture } from './sync-fixture.ts';

const seed = Number(process.env['SYNC_SEED'] ?? 1);
const rounds = Number(process.env['SYNC_ROUNDS'] ?? 6);
const now = new Date('2026-06-15T12:00:00Z');

const sources = { google_drive: googleDriveSource, gmail: gmailSource, google_calendar: googleCalendarSource };
type Provider = keyof typeof sources;

const textOf = (bytes: Uint8Array): string => {
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b;
  return isZip ? strFromU8(unzipSync(bytes)['word/document.xml'] ?? new Uint8Array()) : Buffer.from(bytes).toString();
};

const byId = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

/** In-memory model of a sync: the same rules, without tables and files. */
class Reader {
  readonly held = new Map<string, { about: string; text: string; generation: number }>();
  readonly problems: string[] = [];
  state: JsonObject | null = null;
  /** Contents that were fetched. */
  fetched = 0;
  walks = 0;
  credentials: JsonObject = {};
  private readonly source: ConnectorSource;
  private readonly renew: (credentials: JsonObject) => Promise<JsonObject>;

  constructor(source: ConnectorSource, renew: (credentials: JsonObject) => Promise<JsonObject>) {
    this.source = source;
    this.renew = renew;
  }

  async sync(scope: SourceScope): Promise<void> {
    for (let steps = 0; steps < 500; steps += 1) {
      try {
        if (await this.step(scope)) return;
      } catch (error) {
        if (!(error instanceof SourceFault)) throw error;
        if (error.kind === 'token_expired') this.credentials = await this.renew(this.credentials);
        else if (error.kind === 'state_lost' && this.state !== null) this.state = null;
        else if (error.kind !== 'busy' || error.retryAfterSeconds === null) throw error;
      }
    }
    throw new Error('the sync never ends');
  }

  private async step(scope: SourceScope): Promise<boolean> {
    const known = (prefix: string) => Promise.resolve([...this.held.keys()].filter((id) => id.startsWith(prefix)));
    const { state, credentials } = this;
    const step = await this.source.step({ scope, credentials, state, now, known });
    if (state === null) this.walks += 1;
    for (const change of step.changes) await this.apply(change);
    // As it is kept.
    this.state = JSON.parse(JSON.stringify(step.state)) as JsonObject | null;
    assert.ok(JSON.stringify(step.state).length < 100 * 1024);
    if (step.removesUnseen)
      for (const [id, { generation }] of this.held) if (generation < this.walks) this.held.delete(id);
    return step.done;
  }

  private async apply(change: SourceChange): Promise<void> {
    if (change.kind === 'failed') this.problems.push(change.message);
    else if (change.kind === 'remove') this.held.delete(change.externalId);
    else if (change.kind === 'upsert') {
      const { externalId, content, ...others } = change.item;
      const about = JSON.stringify(others);
      const before = this.held.get(externalId);
      if (before?.about === about) before.generation = this.walks;
      else {
        const bytes = await content();
        this.fetched += 1;
        if (bytes === null) this.held.delete(externalId);
        else this.held.set(externalId, { about, text: textOf(bytes), generation: this.walks });
      }
    }
  }

  marks() {
    const rows = [...this.held].map(([id, { text }]) => [id, text.match(/mark\d+x/g)?.toSorted() ?? []] as const);
    return Object.fromEntries(rows.toSorted(byId));
  }

  about() {
    return Object.fromEntries([...this.held].map(([id, { about }]) => [id, about] as const).toSorted(byId));
  }
}

/** A reader of a scenario with the scope that was last given. */
const open = async (context: TestContext, scenario: Scenario, provider: Provider) => {
  await scenario.server.start();
  context.after(() => scenario.server.stop());
  let scope: SourceScope = noScope;
  let credentials: JsonObject = {};
  // Replaces the API client and records its requests.
  const fixture = {
    indexId: 'idx_1',
    call: (endpoint: unknown, _: unknown, body: { readonly credentials: JsonObject } & SourceScope) => {
      if (endpoint === updateConnectorScope) scope = { ...noScope, ...body };
      else ({ credentials } = body);
      return Promise.resolve({ id: 'conn_1' });
    },
  } as unknown as SyncFixture;
  await scenario.connect(fixture);
  const addresses = { ...providerAddresses({} as never), ...scenario.addresses };
  const renew = (kept: JsonObject) => refreshGoogleToken(addresses, provider, kept, now);
  const reader = (): Reader => {
    const made = new Reader(sources[provider](addresses[provider]), renew);
    made.credentials = credentials;
    return made;
  };
  return { fixture, reader, scope: () => scope };
};

const sorted = (content: object) => Object.fromEntries(Object.entries(content).toSorted(byId));

for (const [name, make, provider] of [
  ['Google Drive', driveScenario, 'google_drive'],
  ['Gmail', gmailScenario, 'gmail'],
  ['Google Calendar', calendarScenario, 'google_calendar'],
] as const) {
  test(`${name}: incremental changes give the same result as a full read`, async (context) => {
    const random = randomOf(seed);
    const scenario = make();
    for (let change = 0; change < 8; change += 1) scenario.change(random, now);
    const { fixture, reader, scope } = await open(context, scenario, provider);
    const kept = reader();
    for (let round = 1; round <= rounds; round += 1) {
      await kept.sync(scope());
      const told = `${name}, seed ${seed}, round ${round}`;
      assert.deepEqual(kept.marks(), sorted(scenario.content()), told);
      const fresh = reader();
      await fresh.sync(scope());
      assert.deepEqual(fresh.about(), kept.about(), told);
      assert.deepEqual(kept.problems, []);
      const once = fresh.fetched;
      fresh.state = null;
      await fresh.sync(scope());
      assert.equal(fresh.fetched, once, `read again, nothing is made anew: ${told}`);
      const { fetched } = kept;
      await kept.sync(scope());
      assert.equal(kept.fetched, fetched, `nothing has changed: ${told}`);
      for (let change = 0; change < 4; change += 1) scenario.change(random, new Date(now.getTime() + round * 1000));
      if (random(12) === 0) {
        await scenario.rescope(fixture, 'conn_1', random);
        // Effect of a new scope on a connection.
        kept.state = null;
      }
    }
    assert.ok(kept.walks < rounds, 'some syncs read the changes alone');
  });
}

/** A drive with the files given, read once. */
const readDrive = async (context: TestContext, files: readonly Partial<FakeFile>[], scope: Partial<SourceScope>) => {
  const drive = new FakeDrive();
  for (const file of files) {
    const { id = '' } = file;
    const usual = {
      id,
      name: id,
      kind: 'file',
      parent: null,
      trashed: false,
      text: 'words',
      modifiedTime: '1',
    } as const;
    drive.files.set(id, { ...usual, ...file });
  }
  await drive.google.server.start();
  context.after(() => drive.google.server.stop());
  const source = googleDriveSource(drive.google.server.url);
  const changes: SourceChange[] = [];
  /** Whether what was not named is removed then. */
  const read = async (failures = 1, held: readonly string[] = []): Promise<boolean> => {
    let state: JsonObject | null = null;
    for (let [done, removesUnseen] = [false, false]; ;) {
      if (done) return removesUnseen;
      const input = { scope: { ...noScope, ...scope }, credentials: { token: drive.google.token }, state, now };
      const step = await source.step({ ...input, failures, known: () => Promise.resolve(held) });
      changes.push(...step.changes);
      ({ state, done, removesUnseen } = step);
    }
  };
  return { drive, read, changes };
};

test('Google Drive: documents have folders and labels, and a rejected file stops no other and is reported', async (context) => {
  const { drive, read, changes } = await readDrive(
    context,
    [
      { id: 'top', kind: 'folder', name: 'Team' },
      { id: 'sub', kind: 'folder', name: 'Plans', parent: 'top' },
      { id: 'doc', kind: 'document', name: 'Plan 1.2', parent: 'sub' },
      { id: 'huge', name: 'film.mov', parent: 'sub', size: 900 * 1024 * 1024 },
      { id: 'note', name: 'note.txt', parent: 'top' },
    ],
    { folders: ['top', 'gone', "x' or '1'='1"], files: ['sub'], folder_labels: { top: 'Handbook' } },
  );
  await read();
  const items = changes.flatMap((change) => (change.kind === 'upsert' ? [change.item] : []));
  assert.deepEqual(
    items.map(({ externalId, filename, metadata }) => [externalId, filename, metadata]),
    [['note', 'note.txt', { label: 'Handbook', folder: 'Team' }]],
  );
  const words = changes.flatMap((change) => (change.kind === 'failed' ? [change.message] : []));
  assert.equal(words.length, 3);
  assert.match(words.join('\n'), /sub is a folder.*\n.*gone is not accessible: share it|1'='1 in the scope is no id/s);

  const whole = await readDrive(context, [...drive.files.values()], { folders: ['top'] });
  await whole.read();
  const found = new Map(
    whole.changes.flatMap((change) => (change.kind === 'upsert' ? [[change.item.externalId, change.item]] : [])),
  );
  const doc = found.get('doc');
  assert.deepEqual(
    [doc?.filename, doc?.title, doc?.metadata],
    ['Plan 1.2.docx', 'Plan 1.2', { folder: 'Team / Plans' }],
  );
  assert.match(textOf((await doc?.content()) ?? new Uint8Array()), /words/);
  await assert.rejects(async () => found.get('huge')?.content(), { kind: 'unreadable', message: /more than 128 MiB/ });
  whole.drive.google.limits.push(googleError(403, 'cannotDownloadFile'));
  await assert.rejects(async () => found.get('note')?.content(), { kind: 'unreadable' });
  whole.drive.google.limits.push(googleError(403, 'rateLimitExceeded'));
  await assert.rejects(async () => found.get('note')?.content(), { kind: 'busy', retryAfterSeconds: 30 });
  whole.drive.google.limits.push(googleError(500, 'backendError'));
  await assert.rejects(async () => found.get('note')?.content(), { kind: 'busy', retryAfterSeconds: null });
  whole.drive.google.limits.push(googleError(403, 'accessNotConfigured'));
  await assert.rejects(whole.read(), { kind: 'refused', message: /disabled.*enable it/ });
});

test('Google Drive: an inaccessible file of the scope is reported, and the others are read', async (context) => {
  const { drive, read, changes } = await readDrive(
    context,
    [
      { id: 'a', name: 'a.txt' },
      { id: 'b', name: 'b.txt' },
    ],
    { files: ['a', 'b'] },
  );
  drive.google.limits.push(ok({ startPageToken: '0' }), googleError(403, 'insufficientFilePermissions'));
  await read();
  const told = changes.map((change) => (change.kind === 'failed' ? change.message : change.kind));
  assert.deepEqual([told.length, told[1]], [2, 'upsert']);
  assert.match(told[0] ?? '', /^The file a is not accessible/);
  drive.google.limits.push(ok({ startPageToken: '0' }), googleError(403, 'insufficientPermissions'));
  await assert.rejects(read(), { kind: 'refused' });
});

test('Google Drive: files at which Google fails repeatedly stop no other', async (context) => {
  const { drive, read, changes } = await readDrive(
    context,
    [
      { id: 'top', kind: 'folder' },
      { id: 'sub', kind: 'folder', parent: 'top' },
      { id: 'in.txt', parent: 'sub' },
      { id: 'link', kind: 'shortcut', parent: 'top', target: 'far' },
      { id: 'far' },
      { id: 'named' },
      { id: 'other', kind: 'shortcut', target: 'away' },
      { id: 'away' },
    ],
    { folders: ['top'], files: ['named', 'other'] },
  );
  for (const id of ['sub', 'far', 'named', 'away']) drive.failing.add(id);
  await assert.rejects(read(3), { kind: 'busy' });
  // A file that is not held may be a shortcut, and what that leads to is to stay.
  assert.equal(await read(4), false);
  assert.equal(await read(4, ['named']), true);
  changes.splice(changes.length / 2);
  const told = changes.map((change) => (change.kind === 'upsert' ? change.item.externalId : change.externalId));
  assert.deepEqual(told, ['named', 'away', 'far', 'in.txt']);
  assert.deepEqual(
    changes.map((change) => change.kind === 'failed' && change.isTransient),
    [true, true, true, false],
  );
});

test('Google Drive: a member sees all files of a shared drive, and an incomplete list removes nothing', async (context) => {
  const { drive, read, changes } = await readDrive(
    context,
    [
      { id: 'team', kind: 'folder', drive: '0Shared' },
      { id: 'sub', kind: 'folder', parent: 'team', drive: '0Shared' },
      { id: 'opened', parent: 'sub', drive: '0Shared' },
      { id: 'unopened', parent: 'sub', drive: '0Shared', isUnopened: true },
      { id: 'given', kind: 'folder', drive: '0Foreign' },
      { id: 'theirs', parent: 'given', drive: '0Foreign' },
    ],
    { folders: ['team', 'given'] },
  );
  drive.foreign.add('0Foreign');
  assert.equal(await read(), true);
  const named = changes.map((change) => change.kind === 'upsert' && change.item.externalId);
  assert.deepEqual(new Set(named), new Set(['opened', 'theirs', 'unopened']));
  drive.isIncomplete = true;
  assert.equal(await read(), false);
});

test("Google Drive: changes of shared drives are read from their own logs, and root means the account's own drive", async (context) => {
  const drive = new FakeDrive();
  const usual = { kind: 'file', parent: null, trashed: false, text: 'words', modifiedTime: '1' } as const;
  const put = (id: string, more: Partial<FakeFile>): void =>
    void drive.files.set(id, { ...usual, id, name: id, ...more });
  put('0Own', { kind: 'folder' });
  put('mine.txt', { parent: '0Own' });
  put('team', { kind: 'folder', drive: '0Shared' });
  put('ours.txt', { parent: 'team', drive: '0Shared' });
  put('given', { drive: '0Foreign' });
  drive.root = '0Own';
  drive.foreign.add('0Foreign');
  await drive.google.server.start();
  context.after(() => drive.google.server.stop());
  const reader = new Reader(googleDriveSource(drive.google.server.url), (credentials) => Promise.resolve(credentials));
  reader.credentials = { token: drive.google.token };
  const scope = { ...noScope, folders: ['root', 'team'], files: ['given'], folder_labels: { root: 'Own' } };
  await reader.sync(scope);
  assert.deepEqual([...reader.held.keys()].toSorted(), ['given', 'mine.txt', 'ours.txt']);
  put('mine.txt', { parent: '0Own', text: 'mark1x', modifiedTime: '2' });
  put('ours.txt', { parent: 'team', drive: '0Shared', text: 'mark2x', modifiedTime: '2' });
  put('new.txt', { parent: 'team', drive: '0Shared', text: 'mark3x' });
  for (const id of ['mine.txt', 'ours.txt', 'new.txt']) drive.touch(id);
  await reader.sync(scope);
  assert.equal(reader.walks, 1);
  reader.held.delete('given');
  assert.deepEqual(reader.marks(), { 'mine.txt': ['mark1x'], 'new.txt': ['mark3x'], 'ours.txt': ['mark2x'] });
  assert.match(reader.held.get('mine.txt')?.about ?? '', /"label":"Own"/);
  // No member any more, though the folder is still shared.
  drive.foreign.add('0Shared');
  put('mine.txt', { parent: '0Own', text: 'mark4x', modifiedTime: '3' });
  drive.touch('mine.txt');
  await reader.sync(scope);
  assert.deepEqual([reader.walks, reader.marks()['mine.txt'], reader.marks()['ours.txt']], [2, ['mark4x'], ['mark2x']]);
});

test('Gmail: a message has its subject, sender and labels, and its original bytes', async (context) => {
  const gmail = new FakeGmail();
  await gmail.google.server.start();
  context.after(() => gmail.google.server.stop());
  gmail.mails.set('m1', { id: 'm1', labels: new Set(['INBOX', 'Label_1']), at: now, text: 'Grüße' });
  const source = gmailSource(gmail.google.server.url);
  const input = { scope: noScope, credentials: { token: gmail.google.token }, state: null, now };
  const { changes } = await source.step({ ...input, known: () => Promise.resolve([]) });
  const [change] = changes;
  assert.ok(change?.kind === 'upsert');
  const { content, ...item } = change.item;
  assert.deepEqual(item, {
    externalId: 'm1',
    version: 'm1',
    filename: 'Subject of m1.eml',
    contentType: 'message/rfc822',
    title: 'Subject of m1',
    url: 'https://mail.google.com/mail/#all/m1',
    metadata: { from: 'Ann <ann@example.com>', labels: ['Invoices'] },
  });
  assert.match(textOf((await content()) ?? new Uint8Array()), /^From: Ann.*\r\n\r\nGrüße\r\n$/s);
  gmail.mails.set('m2', { id: 'm2', labels: new Set(['INBOX']), at: now, text: 'Hello' });
  gmail.failing.add('m1');
  const known = () => Promise.resolve([]);
  await assert.rejects(source.step({ ...input, known, failures: 3 }), { kind: 'busy', retryAfterSeconds: null });
  const told = (await source.step({ ...input, known, failures: 4 })).changes.toSorted((a, b) =>
    a.kind < b.kind ? -1 : 1,
  );
  const message = 'Google fails at the message m1: it stays as it was until it can be read';
  assert.deepEqual(told[0], { kind: 'failed', externalId: 'm1', message, isTransient: true });
  assert.ok(told[1]?.kind === 'upsert' && told[1].item.externalId === 'm2');
});

test('Google Calendar: the text of a series contains its cancelled times', async (context) => {
  const calendar = new FakeCalendar();
  await calendar.google.server.start();
  context.after(() => calendar.google.server.stop());
  const startMs = Date.parse('2026-07-06T08:00:00Z');
  const put = (event: Partial<FakeEvent> & Pick<FakeEvent, 'id'>): void => {
    const usual = { text: 'words', cancelled: false, startMs, weeks: null, series: null, sequence: 0 };
    calendar.events.set(event.id, { ...usual, ...event });
    calendar.touch(calendar.events.get(event.id) ?? { ...usual, ...event });
  };
  const url = calendar.google.server.url;
  const reader = new Reader(googleCalendarSource(url), (credentials) => Promise.resolve(credentials));
  reader.credentials = { token: calendar.google.token };
  const told = async () => {
    await reader.sync(noScope);
    return /^Except: .*$/m.exec(reader.held.get('s')?.text ?? '')?.[0];
  };
  put({ id: 's', weeks: 4 });
  assert.equal(await told(), undefined);
  const time = { id: 's_20260713T080000Z', series: 's', startMs: startMs + 7 * 86_400_000 };
  put({ ...time, cancelled: true });
  assert.equal(await told(), 'Except: 2026-07-13 10:00');
  reader.state = null;
  assert.equal(await told(), 'Except: 2026-07-13 10:00');
  put(time);
  assert.equal(await told(), undefined);
  assert.deepEqual([...reader.held.keys()].toSorted(), ['s', time.id]);
});

test('Google Calendar: the text of an event contains its details', () => {
  const event = {
    summary: 'Harbour meeting',
    description: '<p>Agenda:</p><ul><li>cranes &amp; ropes</li></ul>',
    start: { dateTime: '2026-03-02T10:00:00+01:00', timeZone: 'Europe/Berlin' },
    end: { dateTime: '2026-03-02T11:30:00+01:00' },
    recurrence: ['EXDATE;VALUE=DATE:20260309', 'RRULE:FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20260601T000000Z'],
    location: 'Pier 4',
    organizer: { displayName: 'Ann', email: 'ann@example.com' },
    attendees: [{ email: 'bob@example.com', responseStatus: 'declined' }],
    hangoutLink: 'https://meet.google.com/abc',
  };
  const cancelled = { originalStartTime: { dateTime: '2026-03-09T09:00:00Z' } };
  const text = eventText(event, [cancelled]);
  assert.equal(
    text,
    [
      'Harbour meeting\n',
      'When: 2026-03-02 10:00 – 11:30 (Europe/Berlin)',
      'Repeats: weekly, on MO, WE, until 2026-06-01',
      'Except: 2026-03-09 10:00',
      'Where: Pier 4',
      'Organizer: Ann <ann@example.com>',
      'Attendees: <bob@example.com> (declined)',
      'Join: https://meet.google.com/abc\n',
      'Agenda:\n\n- cranes & ropes',
    ].join('\n'),
  );
  const days = eventText({ start: { date: '2026-03-02' }, end: { date: '2026-03-05' } });
  assert.equal(days, 'Untitled event\n\nWhen: 2026-03-02 – 2026-03-04');
  // Times are shown in the zone of the calendar, regardless of the zone of the event.
  const [start, end] = ['2026-01-12T23:00:00+01:00', '2026-01-13T00:30:00+01:00'];
  const when = (timeZone: string | null) => eventText({ start: { dateTime: start, timeZone }, end: { dateTime: end } });
  assert.match(when('America/New_York'), /When: 2026-01-12 17:00 – 18:30 \(America\/New_York\)$/);
  for (const zone of [null, 'Nowhere/Else'])
    assert.match(when(zone), /When: 2026-01-12 23:00\+01:00 – 2026-01-13 00:30\+01:00$/);
});

test('refresh tokens and service account keys are exchanged for tokens, and rejections are reported with advice', async (context) => {
  const gmail = new FakeGmail();
  await gmail.google.server.start();
  context.after(() => gmail.google.server.stop());
  const addresses = { ...providerAddresses({} as never), google_oauth: gmail.google.server.url };
  const person = { type: 'authorized_user', client_id: 'key-client-5', client_secret: 'key-secret-5' };
  const renewed = await refreshGoogleToken(
    addresses,
    'gmail',
    { ...person, refresh_token: gmail.google.refreshToken },
    now,
  );
  assert.equal(renewed['token'], gmail.google.token);
  assert.equal(renewed['expires_at'], '2026-06-15T12:59:59.000Z');
  const refused = {
    kind: 'refused',
    message: /^Google does not accept the credentials \(the consent was revoked or has expired\): connect/,
  };
  await assert.rejects(refreshGoogleToken(addresses, 'gmail', { ...person, refresh_token: 'other' }, now), refused);
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  gmail.google.publicKey = publicKey.export({ format: 'jwk' });
  const robot = { type: 'service_account', client_email: 'robot@example.com', subject: 'ann@example.com' };
  const key = privateKey.export({ format: 'pem', type: 'pkcs1' }) as string;
  const kept = await refreshGoogleToken(addresses, 'gmail', { ...robot, private_key: key }, now);
  assert.deepEqual([kept['token'], kept['private_key']], [gmail.google.token, key]);
  const { iss, sub, scope } = await gmail.google.lastAssertion();
  assert.deepEqual(
    [iss, sub, scope],
    ['robot@example.com', 'ann@example.com', 'https://www.googleapis.com/auth/gmail.readonly'],
  );
  const broken = { ...robot, private_key: 'none' };
  await assert.rejects(refreshGoogleToken(addresses, 'gmail', broken, now), { kind: 'refused', message: /key file$/ });
});
