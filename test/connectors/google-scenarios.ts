import { generateKeyPairSync } from 'node:crypto';
import { createConnector } from '../../functions/connectors/create.ts';
import { updateConnectorScope } from '../../functions/connectors/update-scope.ts';
import { FakeGmail } from './fake-gmail.ts';
import { type FakeGoogle, googleError } from './fake-google.ts';
import { FakeCalendar, type FakeEvent } from './fake-google-calendar.ts';
import { FakeDrive, type FakeFile } from './fake-google-drive.ts';
import { mark, pick, type Random, type Scenario } from './scenarios.ts';
import type { SyncFixture } from './sync-fixture.ts';

type ScopeBody = Readonly<Record<string, unknown>>;

const addressesOf = ({ server: { url } }: FakeGoogle) => ({
  google_accounts: url,
  google_oauth: url,
  google_drive: url,
  gmail: url,
  google_calendar: url,
});

/** Common parts of all Google scenarios. */
const googleParts = (
  google: FakeGoogle,
  provider: string,
  scopeOf: () => ScopeBody,
  credentials: () => ScopeBody = () => ({
    type: 'authorized_user',
    client_id: 'key-client-5',
    client_secret: 'key-secret-5',
    refresh_token: google.refreshToken,
  }),
) => {
  const setScope = async (fixture: SyncFixture, connectionId: string): Promise<void> => {
    await fixture.call(updateConnectorScope, { index_id: fixture.indexId, connection_id: connectionId }, scopeOf());
  };
  return {
    server: google.server,
    secrets: () => google.secrets(),
    connect: async (fixture: SyncFixture) => {
      const body = { provider, credentials: credentials() };
      const { id } = await fixture.call(createConnector, { index_id: fixture.indexId }, body);
      await setScope(fixture, id as string);
      return id as string;
    },
    setScope,
    expire: () => google.expire(),
    revoke: () => google.revoke(),
    busy: googleError(429, 'rateLimitExceeded', { 'retry-after': '7' }),
  };
};

/** Now and then a token ends, requests are too many, or the place is forgotten. */
const disturb = (random: Random, google: FakeGoogle, forget: () => void): void => {
  const what = random(14);
  if (what === 0) google.expire();
  else if (what === 1) google.limits.push(googleError(403, 'userRateLimitExceeded', { 'retry-after': '5' }));
  else if (what === 2) forget();
};

export const driveScenario = (): Scenario & { readonly drive: FakeDrive } => {
  const drive = new FakeDrive();
  const add = (file: Partial<FakeFile> & Pick<FakeFile, 'id' | 'kind'>): void => {
    const made = { name: `Name of ${file.id}`, parent: null, trashed: false, text: mark(), modifiedTime: '', ...file };
    drive.files.set(made.id, made);
    drive.touch(made.id);
  };
  const roots = ['folder-a', 'folder-b'];
  for (const id of [...roots, 'elsewhere']) add({ id, kind: 'folder' });
  add({ id: 'named', kind: 'file', name: 'Named.txt', parent: 'elsewhere' });
  add({ id: 'far', kind: 'folder', parent: 'elsewhere' });
  add({ id: 'form', kind: 'form', parent: 'folder-a' });
  let scope = { folders: roots, files: ['named'], folder_labels: { 'folder-a': 'Handbook' } };
  const parts = googleParts(drive.google, 'google_drive', () => scope);
  const fixed = new Set([...roots, 'elsewhere', 'named', 'form']);
  const others = () => [...drive.files.values()].filter(({ id }) => !fixed.has(id));
  const folders = () => [...drive.files.values()].filter(({ kind }) => kind === 'folder').map(({ id }) => id);
  const isAbove = (id: string, at: string | null): boolean =>
    at !== null && (at === id || isAbove(id, drive.files.get(at)?.parent ?? null));
  const removeTree = (id: string): void => {
    for (const child of drive.childrenOf(id)) removeTree(child.id);
    drive.files.delete(id);
    drive.touch(id);
  };
  const create = (random: Random, modifiedTime: string): void => {
    const what = random(7);
    const id = `id-${mark().slice(4)}`;
    const place = { id, modifiedTime, parent: pick(random, folders()) };
    if (what === 0) add({ ...place, kind: 'folder' });
    else if (what < 3) add({ ...place, kind: 'shortcut', target: pick(random, [...drive.files.keys()]) });
    else if (what === 3) add({ ...place, kind: 'document' });
    else add({ ...place, kind: 'file', name: `${id}.txt` });
  };
  return {
    drive,
    ...parts,
    // Known once the server has started.
    get addresses() {
      return addressesOf(drive.google);
    },
    change: (random, now) => {
      disturb(random, drive.google, () => drive.forget());
      const what = random(9);
      if (others().length < 8 || what < 3) return create(random, now.toISOString());
      const file = pick(random, others());
      if (what < 5)
        Object.assign(
          file,
          file.kind === 'folder' ? { name: `N ${mark().slice(4)}` } : { text: mark(), modifiedTime: now.toISOString() },
        );
      else if (what === 5) file.trashed = !file.trashed;
      else if (what === 6) return removeTree(file.id);
      else {
        const target = pick(random, folders());
        if (!isAbove(file.id, target)) file.parent = target;
      }
      drive.touch(file.id);
    },
    rescope: (fixture, connectionId, random) => {
      scope = { ...scope, folders: roots.filter(() => random(3) > 0), files: random(2) === 0 ? [] : ['named'] };
      return parts.setScope(fixture, connectionId);
    },
    content: () => {
      const found = new Set<string>();
      const visit = (id: string): void => {
        const file = drive.files.get(id);
        if (file === undefined || found.has(id) || drive.isTrashed(file)) return;
        found.add(id);
        if (file.kind === 'folder') for (const child of drive.childrenOf(id)) visit(child.id);
        const target = file.target === undefined ? undefined : drive.files.get(file.target);
        if (target !== undefined && target.kind !== 'shortcut') visit(target.id);
      };
      for (const id of [...scope.folders, ...scope.files]) visit(id);
      const files = [...found].flatMap((id) => drive.files.get(id) ?? []);
      const read = files.filter(({ kind }) => kind === 'file' || kind === 'document');
      return Object.fromEntries(read.map(({ id, text }) => [id, [text]]));
    },
  };
};

export const gmailScenario = (): Scenario => {
  const gmail = new FakeGmail();
  let after: string | null = '2026-01-01';
  const parts = googleParts(gmail.google, 'gmail', () => ({ gmail_after: after }));
  let base = 0;
  return {
    ...parts,
    // Known once the server has started.
    get addresses() {
      return addressesOf(gmail.google);
    },
    change: (random, now) => {
      disturb(random, gmail.google, () => gmail.forget());
      base ||= now.getTime();
      after = after === '2026-01-01' ? new Date(base - 20 * 86_400_000).toISOString() : after;
      const what = random(7);
      if (gmail.mails.size < 6 || what < 3) {
        const id = `m${mark().slice(4)}`;
        const labels = new Set(random(6) === 0 ? ['DRAFT'] : ['INBOX', 'UNREAD']);
        gmail.mails.set(id, { id, labels, at: new Date(base - random(30) * 86_400_000), text: mark() });
        return gmail.tell('messagesAdded', id);
      }
      const { id, labels } = pick(random, [...gmail.mails.values()]);
      if (what === 3) {
        gmail.mails.delete(id);
        return gmail.tell('messagesDeleted', id);
      }
      const label = pick(random, ['TRASH', 'SPAM', 'UNREAD', 'Label_1']);
      const removed = labels.delete(label);
      if (!removed) labels.add(label);
      return gmail.tell(removed ? 'labelsRemoved' : 'labelsAdded', id, [label]);
    },
    rescope: (fixture, connectionId, random) => {
      after = random(3) === 0 ? null : new Date(base - random(25) * 86_400_000).toISOString();
      return parts.setScope(fixture, connectionId);
    },
    content: () => {
      const from = after === null ? 0 : Date.parse(after);
      const shown = [...gmail.mails.values()].filter(
        ({ labels, at }) => at.getTime() >= from && !['TRASH', 'SPAM', 'DRAFT'].some((label) => labels.has(label)),
      );
      return Object.fromEntries(shown.map(({ id, text }) => [id, [text]]));
    },
  };
};

/** How Google ends the id of one time of a series: when it was to begin. Each is another. */
const timeOf = (startMs: number): string =>
  new Date(startMs + Number.parseInt(mark().slice(4), 10) * 1000).toISOString().replaceAll(/[-:]|\.\d{3}/g, '');

export const calendarScenario = (): Scenario => {
  const calendar = new FakeCalendar();
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  calendar.google.publicKey = publicKey.export({ format: 'jwk' });
  let after: string | null = null;
  const parts = googleParts(
    calendar.google,
    'google_calendar',
    () => ({ calendar_after: after }),
    () => ({
      type: 'service_account',
      client_email: 'robot@example.iam.gserviceaccount.com',
      subject: 'ann@example.com',
      private_key: privateKey.export({ format: 'pem', type: 'pkcs8' }),
    }),
  );
  let base = 0;
  const add = (id: string, startMs: number, weeks: number | null, series: string | null): void => {
    const event: FakeEvent = { id, text: mark(), cancelled: false, startMs, weeks, series, sequence: 0 };
    calendar.events.set(id, event);
    calendar.touch(event);
  };
  const dayMs = 86_400_000;
  return {
    ...parts,
    // Known once the server has started.
    get addresses() {
      return addressesOf(calendar.google);
    },
    change: (random, now) => {
      disturb(random, calendar.google, () => calendar.forget());
      base ||= now.getTime();
      const standing = [...calendar.events.values()].filter(({ cancelled }) => !cancelled);
      const startMs = base + (random(60) - 30) * dayMs;
      const what = random(8);
      if (standing.length < 5 || what < 2)
        return add(`e${mark().slice(4)}`, startMs, random(3) === 0 ? 1 + random(6) : null, null);
      const event = pick(random, standing);
      if (what === 2 && event.weeks !== null) return add(`${event.id}_${timeOf(startMs)}`, startMs, null, event.id);
      if (what < 5) Object.assign(event, { text: mark() });
      else if (what === 5) Object.assign(event, { startMs });
      else {
        // Changed instances of a deleted series are deleted with it, without a change entry.
        for (const { id, series } of standing) if (series === event.id) calendar.events.delete(id);
        event.cancelled = true;
      }
      return calendar.touch(event);
    },
    rescope: (fixture, connectionId, random) => {
      after = random(3) === 0 ? null : new Date(base - random(30) * dayMs).toISOString().slice(0, 10);
      return parts.setScope(fixture, connectionId);
    },
    content: () => {
      const from = after === null ? 0 : Date.parse(after);
      const shown = [...calendar.events.values()].filter(
        (event) => !event.cancelled && calendar.endsOf(event).some((end) => end > from),
      );
      return Object.fromEntries(shown.map(({ id, text }) => [id, [text]]));
    },
  };
};
