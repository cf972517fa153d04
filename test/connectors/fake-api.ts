import { type Answered, type Asked, FakeServer } from './fake-server.ts';

export interface FakeItem {
  title: string;
  text: string;
  version: number;
  /** Whether its content is a file of its own. */
  readonly isFile: boolean;
}

/** An API of somebody's own with a list in pages and files beside it. */
export class FakeApi {
  readonly server = new FakeServer((asked) => this.answer(asked));
  readonly items = new Map<string, FakeItem>();
  token = 'api-secret-token-1';
  private readonly pageSize: number;

  constructor(pageSize = 3) {
    this.pageSize = pageSize;
  }

  /** How the API is described to the connector. `isDated`: whether with the field that tells of changes. */
  description(isFile: boolean, isDated = true) {
    return {
      name: 'articles',
      base_url: `${this.server.url}/v2`,
      auth: { type: 'bearer', token: this.token },
      list: {
        path: '/articles',
        query: { state: 'published' },
        items: '/data',
        next: '/meta/next',
        next_parameter: 'page',
      },
      item: {
        id: '/id',
        title: '/title',
        ...(isFile ? { file_url: '/file' } : { text: '/body' }),
        url: '/self',
        ...(isDated ? { updated_at: '/updated' } : {}),
      },
      sync_interval_minutes: 60,
    };
  }

  private answer({ url, headers }: Asked): Answered {
    if (headers.authorization !== `Bearer ${this.token}`) return { status: 401, body: {} };
    const file = /^\/files\/(.+)\.txt$/.exec(url.pathname)?.[1];
    if (file !== undefined) {
      const item = this.items.get(file);
      return item === undefined
        ? { status: 404, body: {} }
        : { status: 200, body: new TextEncoder().encode(item.text), headers: { 'content-type': 'text/plain' } };
    }
    if (url.pathname !== '/v2/articles' || url.searchParams.get('state') !== 'published')
      return { status: 404, body: {} };
    const from = Number(url.searchParams.get('page') ?? 0);
    const all = [...this.items].toSorted(([a], [b]) => (a < b ? -1 : 1));
    const data = all.slice(from, from + this.pageSize).map(([id, item]) => ({
      id,
      title: item.title,
      body: item.text,
      file: `${this.server.url}/files/${id}.txt`,
      self: `https://articles.example.com/${id}`,
      updated: `v${item.version}`,
    }));
    const next = from + this.pageSize < all.length ? from + this.pageSize : null;
    return { status: 200, body: { data, meta: { next } } };
  }
}
