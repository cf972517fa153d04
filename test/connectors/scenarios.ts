import { createConnector } from '../../functions/connectors/create.ts';
import { createCustomApiConnector } from '../../functions/connectors/create-custom-api.ts';
import { updateConnectorScope } from '../../functions/connectors/update-scope.ts';
import { FakeApi, type Paging } from './fake-api.ts';
import { FakeNotion, type FakePage } from './fake-notion.ts';
import type { FakeResponse, FakeServer } from './fake-server.ts';
import { FakeSlack } from './fake-slack.ts';
import { randomFrom } from '../support/random.ts';
import type { SyncFixture } from './sync-fixture.ts';

/** A number from 0 up to, but without, `below`. */
export type Random = (below: number) => number;

/** Random numbers of a seed. */
export const randomOf = (seed: number): Random => {
  const random = randomFrom(seed);
  return (below) => Math.floor(random() * below);
};

/** Documents with the marks that their text holds, sorted. */
export type Content = Readonly<Record<string, readonly string[]>>;

export interface Scenario {
  readonly server: FakeServer;
  readonly addresses: Readonly<Record<string, string>>;
  /** Secrets that must never be visible. */
  secrets(): readonly string[];
  /** Connects it, with everything in scope; the id of the connection. */
  connect(fixture: SyncFixture): Promise<string>;
  /** One change at the source. */
  change(random: Random, now: Date): void;
  /** Puts another part of the source in scope. */
  rescope(fixture: SyncFixture, connectionId: string, random: Random): Promise<void>;
  /** Ends the access token; the refresh token stays good. */
  expire(): void;
  /** Takes all access back. */
  revoke(): void;
  /** Expected content of the index. */
  content(): Content;
  /** Response of a rate limit. */
  readonly busy: FakeResponse;
}

let marks = 0;
/** A word that is nowhere else. */
export const mark = (): string => `mark${(marks += 1)}x`;

export const pick = <Value>(random: Random, values: readonly Value[]): Value => {
  const value = values[random(values.length)];
  if (value === undefined) throw new Error('nothing to pick');
  return value;
};

const busy: FakeResponse = { status: 429, body: { ok: false, error: 'ratelimited' }, headers: { 'retry-after': '7' } };

/** A custom API that repeats ids, never changes its dates, and at times answers with an empty list once. */
export const carelessApiScenario = (paging: Paging): Scenario => {
  const api = new FakeApi(3, paging);
  api.isUndated = true;
  api.repeatsLastPage = true;
  const scenario = scenarioOf(api, false, true);
  let isConnected = false;
  return {
    ...scenario,
    connect: (fixture) => {
      isConnected = true;
      return scenario.connect(fixture);
    },
    change: (random, now) => {
      scenario.change(random, now);
      const ids = [...api.items.keys()];
      api.repeated.clear();
      if (random(2) === 0) api.repeated.set(pick(random, ids), mark());
      if (isConnected && api.server.trouble.length === 0 && random(4) === 0)
        api.server.trouble.push({ status: 200, body: { data: [], meta: { next: null } } });
    },
  };
};

export const apiScenario = (isFile: boolean, isDated = true): Scenario => scenarioOf(new FakeApi(), isFile, isDated);

const scenarioOf = (api: FakeApi, isFile: boolean, isDated: boolean): Scenario => {
  return {
    server: api.server,
    addresses: {},
    secrets: () => [api.token],
    connect: async (fixture) => {
      const { id } = await fixture.call(
        createCustomApiConnector,
        { index_id: fixture.indexId },
        api.description(isFile, isDated),
      );
      return id as string;
    },
    change: (random) => {
      const ids = [...api.items.keys()];
      const what = random(4);
      if (ids.length < 4 || what === 0)
        api.items.set(`item-${mark().slice(4)}`, {
          title: `Title ${api.items.size}`,
          text: mark(),
          version: 1,
          isFile,
        });
      else if (what === 1) api.items.delete(pick(random, ids));
      else {
        const item = api.items.get(pick(random, ids));
        if (item !== undefined) Object.assign(item, { text: mark(), version: item.version + 1 });
      }
    },
    rescope: async (fixture, connectionId) => {
      await fixture.call(updateConnectorScope, { index_id: fixture.indexId, connection_id: connectionId }, {});
    },
    expire: () => undefined,
    revoke: () => {
      api.token = 'another';
    },
    content: () => Object.fromEntries([...api.items].map(([id, { text }]) => [id, [text]])),
    busy,
  };
};

const channels = ['C0AAA', 'C0BBB', 'C0CCC'];

/** @param withFiles Files of messages are documents, too. */
export const slackScenario = (withFiles = false): Scenario & { readonly slack: FakeSlack } => {
  const slack = new FakeSlack();
  for (const id of channels) slack.channels.set(id, { name: `name-${id}`, messages: new Map() });
  let scope: readonly string[] = channels;
  let sequence = 0;
  const tsOf = (at: Date): string => `${Math.floor(at.getTime() / 1000)}.${String((sequence += 1)).padStart(6, '0')}`;
  const setScope = async (fixture: SyncFixture, connectionId: string): Promise<void> => {
    const path = { index_id: fixture.indexId, connection_id: connectionId };
    await fixture.call(updateConnectorScope, path, { slack_channels: scope, attachments: withFiles });
  };
  return {
    slack,
    server: slack.server,
    get addresses() {
      return { slack: slack.server.url };
    },
    secrets: () => [slack.token, slack.refreshToken],
    connect: async (fixture) => {
      const body = { provider: 'slack', credentials: { token: slack.token } };
      const { id } = await fixture.call(createConnector, { index_id: fixture.indexId }, body);
      await setScope(fixture, id as string);
      return id as string;
    },
    change: (random, now) => {
      const { messages } = slack.channels.get(pick(random, channels)) ?? { messages: new Map() };
      const tops = [...messages.values()].filter(({ parent }) => parent === null);
      const what = random(6);
      if (withFiles && messages.size > 3 && random(3) === 0) {
        const file = { id: `F${mark().slice(4)}`, name: 'notes.txt', text: mark() };
        const picture = { ...file, id: `${file.id}P`, mimetype: 'image/png' };
        const deleted = { ...file, id: `${file.id}D`, mode: 'tombstone' };
        const files = random(3) === 0 ? [] : [file, picture, deleted];
        Object.assign(pick(random, [...messages.values()]), { files });
      } else if (messages.size < 4 || what < 2) {
        const ts = tsOf(new Date(now.getTime() - random(12) * 86_400_000));
        messages.set(ts, { ts, text: mark(), user: `U0${random(3)}`, parent: null });
      } else if (what === 2) {
        const parent = pick(random, tops).ts;
        const ts = tsOf(now);
        messages.set(ts, { ts, text: `${mark()} <@U01> &amp; <https://example.com|more>`, user: 'U02', parent });
      } else if (what < 5) {
        Object.assign(pick(random, [...messages.values()]), { text: mark() });
      } else {
        const { ts } = pick(random, [...messages.values()]);
        for (const message of messages.values()) if (message.parent === ts) messages.delete(message.ts);
        messages.delete(ts);
      }
    },
    rescope: (fixture, connectionId, random) => {
      scope = channels.filter(() => random(3) > 0);
      return setScope(fixture, connectionId);
    },
    expire: () => {
      slack.expired = true;
    },
    revoke: () => {
      slack.expired = true;
      slack.refreshToken = 'another';
    },
    content: () => {
      const content: Record<string, string[]> = {};
      for (const channel of scope) {
        const all = [...(slack.channels.get(channel)?.messages.values() ?? [])];
        for (const { ts, text, parent, files = [] } of all) {
          const top = parent ?? ts;
          const isThread = all.some((other) => other.parent === top);
          const day = new Date(Number(ts) * 1000).toISOString().slice(0, 10);
          const id = isThread ? `${channel}:thread:${top}` : `${channel}:day:${day}`;
          (content[id] ??= []).push(/mark\d+x/.exec(text)?.[0] ?? '');
          const place = isThread ? `thread-file:${top}` : `file:${ts}`;
          for (const { id: file, text: inside, mode, mimetype } of files)
            if (mode === undefined && mimetype === undefined) content[`${channel}:${place}:${file}`] = [inside];
        }
      }
      return Object.fromEntries(Object.entries(content).map(([id, found]) => [id, found.toSorted()]));
    },
    busy,
  };
};

/** @param withFiles Files of pages are documents, too. */
export const notionScenario = (withFiles = false): Scenario => {
  const notion = new FakeNotion();
  const roots = ['a0000001', 'a0000002'];
  const source = 'd0000001';
  notion.dataSources.add(source);
  const add = (id: string, parent: string | null, editedAt: string): FakePage => {
    const page = { id, title: `Page ${id.replaceAll('mark', '')}`, text: mark(), parent, editedAt };
    notion.pages.set(id, page);
    return page;
  };
  for (const id of roots) add(id, null, '2026-01-01T00:00:00.000Z');
  let scope = {
    notion_pages: roots,
    notion_data_sources: [source],
    notion_labels: { a0000001: 'Handbook' },
    attachments: withFiles,
  };
  const setScope = async (fixture: SyncFixture, connectionId: string): Promise<void> => {
    await fixture.call(updateConnectorScope, { index_id: fixture.indexId, connection_id: connectionId }, scope);
  };
  const isWithin = ({ id, parent }: FakePage): boolean => {
    if (scope.notion_pages.includes(id)) return true;
    if (parent === null) return false;
    if (parent === source) return scope.notion_data_sources.includes(source);
    const above = notion.pages.get(parent);
    return above !== undefined && isWithin(above);
  };
  const removeTree = (id: string): void => {
    notion.pages.delete(id);
    for (const page of notion.pages.values()) if (page.parent === id) removeTree(page.id);
  };
  const isAbove = (id: string, page: FakePage): boolean => {
    const above = page.parent === null ? undefined : notion.pages.get(page.parent);
    return page.id === id || (above !== undefined && isAbove(id, above));
  };
  return {
    server: notion.server,
    get addresses() {
      return { notion: notion.server.url };
    },
    secrets: () => [notion.token, notion.refreshToken],
    connect: async (fixture) => {
      const body = { provider: 'notion', credentials: { token: notion.token } };
      const { id } = await fixture.call(createConnector, { index_id: fixture.indexId }, body);
      await setScope(fixture, id as string);
      return id as string;
    },
    change: (random, now) => {
      const editedAt = now.toISOString();
      const others = [...notion.pages.values()].filter(({ id }) => !roots.includes(id));
      const places = [source, ...notion.pages.keys()];
      const what = random(6);
      if (others.length < 3 || what < 2) add(`b${mark().slice(4)}`, pick(random, places), editedAt);
      else if (withFiles && random(3) === 0) {
        const file = { id: `f${mark().slice(4)}`, name: 'Notes.txt', text: mark() };
        Object.assign(pick(random, [...notion.pages.values()]), { files: random(3) === 0 ? [] : [file], editedAt });
      } else if (what < 4) Object.assign(pick(random, others), { text: mark(), editedAt });
      else if (what === 4) removeTree(pick(random, others).id);
      else {
        const moved = pick(random, others);
        const target = pick(random, places);
        const below = notion.pages.get(target);
        if (below === undefined || !isAbove(moved.id, below)) Object.assign(moved, { parent: target, editedAt });
      }
    },
    rescope: (fixture, connectionId, random) => {
      scope = {
        ...scope,
        notion_pages: roots.filter(() => random(3) > 0),
        notion_data_sources: random(2) === 0 ? [] : [source],
      };
      return setScope(fixture, connectionId);
    },
    expire: () => {
      notion.token = `${notion.token}-newer`;
    },
    revoke: () => {
      notion.token = 'another';
      notion.refreshToken = 'another';
    },
    content: () =>
      Object.fromEntries(
        [...notion.pages.values()]
          .filter(isWithin)
          .flatMap(({ id, text, files = [] }) => [
            [id, [text, text]] as const,
            ...files.map((file) => [`${id}:${file.id}`, [file.text]] as const),
          ]),
      ),
    busy: {
      status: 429,
      body: { object: 'error', status: 429, code: 'rate_limited', message: 'slow' },
      headers: { 'retry-after': '7' },
    },
  };
};
