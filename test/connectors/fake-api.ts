import { type FakeResponse, type FakeRequest, FakeServer } from './fake-server.ts';

export interface FakeItem {
  title: string;
  text: string;
  version: number;
  /** Whether its content is a file of its own. */
  readonly isFile: boolean;
}

/** How the list is paged. */
export type Paging = 'cursor' | 'link_header' | 'page' | 'offset';

/** A custom API with a paged list and files. */
export class FakeApi {
  readonly server = new FakeServer((asked) => this.answer(asked));
  readonly items = new Map<string, FakeItem>();
  token = 'api-secret-token-1';
  /** Whether the list starts over after its last page, under cursors that go on. */
  isEndless = false;
  /** Whether a page number after the last one returns the last page again. */
  repeatsLastPage = false;
  /** Whether the time of the last update never changes. */
  isUndated = false;
  /** Ids that the list contains a second time, at its end, with another text. */
  readonly repeated = new Map<string, string>();
  /** Ids of files that the server fails to send. */
  readonly brokenFiles = new Set<string>();
  private readonly pageSize: number;
  private readonly paging: Paging;

  constructor(pageSize = 3, paging: Paging = 'cursor') {
    this.pageSize = pageSize;
    this.paging = paging;
  }

  /** Description of the API for the connector. `isDated`: with the field for the update time. */
  description(isFile: boolean, isDated = true) {
    return {
      name: 'articles',
      base_url: `${this.server.url}/v2`,
      auth: { type: 'bearer', token: this.token },
      list: {
        path: '/articles',
        query: { state: 'published' },
        items: '/data',
        ...(this.paging === 'cursor'
          ? { next: '/meta/next', next_parameter: 'page' }
          : { pagination: { type: this.paging } }),
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

  private answer({ url, headers }: FakeRequest): FakeResponse {
    if (headers.authorization !== `Bearer ${this.token}`) return { status: 401, body: {} };
    const file = /^\/files\/(.+)\.txt$/.exec(url.pathname)?.[1];
    if (file !== undefined) {
      const item = this.items.get(file);
      if (this.brokenFiles.has(file)) return { status: 400, body: {} };
      return item === undefined
        ? { status: 404, body: {} }
        : { status: 200, body: new TextEncoder().encode(item.text), headers: { 'content-type': 'text/plain' } };
    }
    if (url.pathname !== '/v2/articles' || url.searchParams.get('state') !== 'published')
      return { status: 404, body: {} };
    const rows = [...this.items].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([id, item]) => this.row(id, item));
    for (const [id, text] of this.repeated) {
      const item = this.items.get(id);
      if (item !== undefined) rows.push(this.row(id, { ...item, text }));
    }
    const asked = this.startOf(url, rows.length);
    const from = this.isEndless && rows.length > 0 ? asked % rows.length : asked;
    const data = rows.slice(from, from + this.pageSize);
    const next = this.isEndless || asked + this.pageSize < rows.length ? asked + this.pageSize : null;
    if (this.paging !== 'link_header') return { status: 200, body: { data, meta: { next } } };
    const link = `<${url.origin}/v2>; rel="first"${next === null ? '' : `, <${url.pathname}?state=published&page=${next}>; title="a, b"; rel="last next"`}`;
    return { status: 200, body: { data }, headers: { link } };
  }

  /** Offset of the first row of the requested page. */
  private startOf({ searchParams }: URL, rows: number): number {
    if (this.paging !== 'page') return Number(searchParams.get(this.paging === 'offset' ? 'offset' : 'page') ?? 0);
    const page = Number(searchParams.get('page') ?? 1);
    const last = Math.max(1, Math.ceil(rows / this.pageSize));
    return ((this.repeatsLastPage ? Math.min(page, last) : page) - 1) * this.pageSize;
  }

  private row(id: string, item: FakeItem) {
    return {
      id,
      title: item.title,
      body: item.text,
      file: `${this.server.url}/files/${id}.txt`,
      self: `https://articles.example.com/${id}`,
      updated: this.isUndated ? 'v0' : `v${item.version}`,
    };
  }
}
