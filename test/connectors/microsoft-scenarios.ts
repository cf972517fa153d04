import { createConnector } from '../../functions/connectors/create.ts';
import { updateConnectorScope } from '../../functions/connectors/update-scope.ts';
import { FakeMicrosoft, type FakeItem, graphError } from './fake-microsoft.ts';
import { mark, pick, type Random, type Scenario } from './scenarios.ts';
import type { SyncFixture } from './sync-fixture.ts';

type ScopeBody = Readonly<Record<string, readonly string[] | Readonly<Record<string, string>>>>;

/** Now and then a token ends, requests are too many, or the place is forgotten. */
const disturb = (random: Random, microsoft: FakeMicrosoft): void => {
  const what = random(14);
  if (what === 0) microsoft.expire();
  else if (what === 1) microsoft.limits.push(graphError(429, 'activityLimitReached', { 'retry-after': '5' }));
  else if (what === 2) microsoft.forget();
};

const item = (id: string, kind: FakeItem['kind'], parent: string, text = ''): FakeItem => ({
  id,
  kind,
  parent,
  text,
  name: kind === 'file' ? `${id}.txt` : `Name of ${id}`,
});

/** One change in one of the drives. */
const changeOne = (random: Random, microsoft: FakeMicrosoft, driveId: string, fixed: ReadonlySet<string>): void => {
  const drive = microsoft.drive(driveId);
  const others = [...drive.items.values()].filter(({ id, parent }) => parent !== null && !fixed.has(id));
  const folders = [...drive.items.values()].filter(({ kind }) => kind === 'folder').map(({ id }) => id);
  const isAbove = (id: string, at: string | null): boolean =>
    at !== null && (at === id || isAbove(id, drive.items.get(at)?.parent ?? null));
  const what = random(10);
  if (others.length < 7 || what < 3) {
    const id = `01${mark().slice(4).toUpperCase()}`;
    const kind = pick(random, ['file', 'file', 'file', 'folder', 'notebook'] as const);
    return microsoft.put(driveId, item(id, kind, pick(random, folders), mark()));
  }
  const changed = pick(random, others);
  if (what < 6) Object.assign(changed, { text: mark() });
  else if (what === 6)
    Object.assign(changed, { name: changed.kind === 'file' ? `${mark()}.txt` : `N ${mark().slice(4)}` });
  else if (what === 7) return microsoft.remove(driveId, changed.id);
  else {
    const target = pick(random, folders);
    if (!isAbove(changed.id, target)) changed.parent = target;
  }
  microsoft.touch(driveId, changed.id);
};

/** Files of a drive in scope: those below its folders, or all of it. */
const filesOf = (microsoft: FakeMicrosoft, driveId: string, folders: readonly string[] | null) => {
  const { items } = microsoft.drive(driveId);
  const isWithin = ({ parent }: FakeItem): boolean => {
    if (folders === null) return true;
    if (parent === null) return false;
    const above = items.get(parent);
    return folders.includes(parent) || (above !== undefined && isWithin(above));
  };
  const files = [...items.values()].filter((each) => each.kind === 'file' && isWithin(each));
  return files.map(({ id, text }) => [`${driveId}/${id}`, [text]] as const);
};

const parts = (
  microsoft: FakeMicrosoft,
  provider: 'sharepoint' | 'one_drive',
  credentials: () => Readonly<Record<string, string>>,
  scopeOf: () => ScopeBody,
) => {
  const setScope = async (fixture: SyncFixture, connectionId: string): Promise<void> => {
    await fixture.call(updateConnectorScope, { index_id: fixture.indexId, connection_id: connectionId }, scopeOf());
  };
  return {
    microsoft,
    server: microsoft.server,
    get addresses() {
      return { microsoft_login: microsoft.server.url, microsoft_graph: microsoft.server.url };
    },
    secrets: () => microsoft.secrets(),
    connect: async (fixture: SyncFixture) => {
      const body = { provider, credentials: credentials() };
      const { id } = await fixture.call(createConnector, { index_id: fixture.indexId }, body);
      await setScope(fixture, id as string);
      return id as string;
    },
    setScope,
    expire: () => microsoft.expire(),
    revoke: () => microsoft.revoke(),
    busy: graphError(429, 'activityLimitReached', { 'retry-after': '7' }),
  };
};

/** A site with two libraries, another library, and a file of a closed one. */
export const sharePointScenario = (): Scenario & { readonly microsoft: FakeMicrosoft } => {
  const microsoft = new FakeMicrosoft();
  const site = 'acme.sharepoint.com,1a,2b';
  for (const [id, at] of [
    ['b!docs', site],
    ['b!plans', site],
    ['b!shared', 'acme.sharepoint.com,3c,4d'],
    ['b!closed', 'acme.sharepoint.com,5e,6f'],
  ] as const)
    microsoft.addDrive(id, `Library ${id.slice(2)}`, at);
  microsoft.put('b!shared', item('handbook', 'folder', 'b!shared-top'));
  microsoft.put('b!shared', item('deep', 'folder', 'handbook'));
  microsoft.put('b!closed', item('named', 'file', 'b!closed-top', mark()));
  microsoft.drive('b!closed').isForeign = true;
  const fixed = new Set(['handbook', 'named']);
  let scope = {
    sites: [site],
    libraries: ['b!docs'],
    folders: ['b!shared/handbook'],
    files: ['b!closed/named'],
    folder_labels: { 'b!shared/handbook': 'Handbook' },
  };
  const all = scope;
  const shared = parts(
    microsoft,
    'sharepoint',
    () => ({
      tenant_id: 'acme.example.com',
      client_id: 'app-5',
      client_secret: microsoft.applicationSecret,
    }),
    () => scope,
  );
  return {
    ...shared,
    get addresses() {
      return shared.addresses;
    },
    change: (random) => {
      disturb(random, microsoft);
      if (random(12) === 0) {
        const named = microsoft.drive('b!closed').items.get('named');
        if (named !== undefined) named.text = mark();
        return;
      }
      changeOne(random, microsoft, pick(random, ['b!docs', 'b!plans', 'b!shared']), fixed);
    },
    rescope: (fixture, connectionId, random) => {
      const some = (list: readonly string[]) => list.filter(() => random(3) > 0);
      scope = {
        ...all,
        sites: some(all.sites),
        libraries: some(all.libraries),
        folders: random(3) > 0 ? ['b!shared/handbook'] : ['b!shared/root'],
        files: some(all.files),
      };
      return shared.setScope(fixture, connectionId);
    },
    content: () => {
      const libraries = new Set([...scope.libraries, ...(scope.sites.length > 0 ? ['b!docs', 'b!plans'] : [])]);
      const folders = scope.folders.includes('b!shared/root') ? null : ['handbook'];
      return Object.fromEntries([
        ...[...libraries].flatMap((id) => filesOf(microsoft, id, null)),
        ...filesOf(microsoft, 'b!shared', folders),
        ...(scope.files.length > 0 ? filesOf(microsoft, 'b!closed', null) : []),
      ]);
    },
  };
};

/** The OneDrive of a person, by an application. */
export const oneDriveScenario = (): Scenario & { readonly microsoft: FakeMicrosoft } => {
  const microsoft = new FakeMicrosoft();
  microsoft.addDrive('own', 'OneDrive', null);
  microsoft.put('own', item('work', 'folder', 'own-top'));
  microsoft.put('own', item('notes', 'file', 'own-top', mark()));
  let scope = { folders: ['root'], files: ['notes'] };
  const shared = parts(
    microsoft,
    'one_drive',
    () => ({
      tenant_id: 'acme.example.com',
      client_id: 'app-5',
      client_secret: microsoft.applicationSecret,
      user: 'ann@example.com',
    }),
    () => scope,
  );
  return {
    ...shared,
    get addresses() {
      return shared.addresses;
    },
    change: (random) => {
      disturb(random, microsoft);
      changeOne(random, microsoft, 'own', new Set(['work', 'notes']));
    },
    rescope: (fixture, connectionId, random) => {
      scope = { folders: [pick(random, ['root', 'work'])], files: random(2) === 0 ? [] : ['notes'] };
      return shared.setScope(fixture, connectionId);
    },
    content: () => {
      const files = filesOf(microsoft, 'own', scope.folders.includes('root') ? null : ['work']);
      const named = filesOf(microsoft, 'own', null).filter(([id]) => scope.files.includes(id.slice(4)));
      return Object.fromEntries([...files, ...named]);
    },
  };
};
