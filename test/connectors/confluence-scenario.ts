import { createConnector } from '../../functions/connectors/create.ts';
import { updateConnectorScope } from '../../functions/connectors/update-scope.ts';
import { FakeConfluence } from './fake-confluence.ts';
import { mark, pick, type Scenario } from './scenarios.ts';
import type { SyncFixture } from './sync-fixture.ts';

const spaces = ['OPS', 'HR', '~ann'];

export const confluenceScenario = (): Scenario & { readonly wiki: FakeConfluence } => {
  const wiki = new FakeConfluence();
  for (const key of spaces) wiki.spaces.set(key, `Space ${key}`);
  let scope: readonly string[] = spaces;
  const setScope = async (fixture: SyncFixture, connectionId: string): Promise<void> => {
    const path = { index_id: fixture.indexId, connection_id: connectionId };
    await fixture.call(updateConnectorScope, path, { confluence_spaces: scope, attachments: true });
  };
  return {
    wiki,
    server: wiki.server,
    addresses: {},
    secrets: () => [wiki.token],
    connect: async (fixture) => {
      const credentials = { site_url: wiki.server.url, email: 'ann@acme.example.com', token: wiki.token };
      const { id } = await fixture.call(
        createConnector,
        { index_id: fixture.indexId },
        { provider: 'confluence', credentials },
      );
      await setScope(fixture, id as string);
      return id as string;
    },
    change: (random) => {
      if (random(14) === 0) wiki.limits.push({ status: 429, body: {}, headers: { 'retry-after': '5' } });
      if (random(14) === 0) wiki.forget();
      const all = [...wiki.pages.values()];
      const what = random(11);
      if (all.length < 7 || what < 2) {
        const id = mark().replaceAll(/\D/g, '');
        const kind = random(4) === 0 ? 'blogposts' : 'pages';
        wiki.pages.set(id, {
          id,
          kind,
          space: pick(random, spaces),
          title: `T${id}`,
          text: mark(),
          version: 1,
          status: 'current',
        });
        return;
      }
      const page = pick(random, all);
      const files = [...wiki.attachments.values()];
      if (what > 7) {
        const kind = files.length < 4 ? 8 : what;
        if (kind === 8) {
          const id = `att${mark().replaceAll(/\D/g, '')}`;
          const mediaType = random(5) === 0 ? 'image/png' : 'text/plain';
          wiki.attachments.set(id, { id, page: page.id, title: `F${id}.txt`, text: mark(), version: 1, mediaType });
        } else if (kind === 9) wiki.attachments.delete(pick(random, files).id);
        else {
          const file = pick(random, files);
          Object.assign(file, { text: mark(), version: file.version + 1 });
        }
      } else if (what === 2) wiki.pages.delete(page.id);
      else if (what === 3) Object.assign(page, { status: pick(random, ['trashed', 'archived', 'current']) });
      else if (what === 4) Object.assign(page, { isRestricted: page.isRestricted !== true });
      else if (what === 5) Object.assign(page, { space: pick(random, spaces) });
      else if (what === 6) Object.assign(page, { title: `T ${mark().slice(4)}`, version: page.version + 1 });
      else Object.assign(page, { text: mark(), version: page.version + 1 });
    },
    rescope: (fixture, connectionId, random) => {
      scope = spaces.filter(() => random(3) > 0);
      return setScope(fixture, connectionId);
    },
    expire: () => undefined,
    revoke: () => {
      wiki.token = 'another';
    },
    content: () =>
      Object.fromEntries(
        [...wiki.pages.values()]
          .filter((page) => page.status === 'current' && page.isRestricted !== true && scope.includes(page.space))
          .flatMap(({ id, text }) => [
            { id, text },
            ...[...wiki.attachments.values()].filter((file) => file.page === id && file.mediaType === 'text/plain'),
          ])
          .map(({ id, text }) => [id, [text]]),
      ),
    busy: { status: 429, body: {}, headers: { 'retry-after': '7' } },
  };
};
