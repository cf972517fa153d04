import { type FakeRequest, type FakeResponse, FakeServer } from './fake-server.ts';

export interface FakeWikiPage {
  readonly id: string;
  readonly kind: 'pages' | 'blogposts';
  space: string;
  title: string;
  text: string;
  version: number;
  status: 'current' | 'trashed' | 'archived';
  /** Whether the account may not view it. */
  isRestricted?: boolean;
}

/** A file of a page. */
export interface FakeAttachment {
  readonly id: string;
  readonly page: string;
  title: string;
  text: string;
  version: number;
  readonly mediaType: string;
  /** Whether its download is refused. */
  readonly isForbidden?: boolean;
}

const error = (status: number, title: string, headers: Readonly<Record<string, string>> = {}): FakeResponse => ({
  status,
  headers,
  body: { errors: [{ status, code: title, title }] },
});

/** Confluence Cloud's REST API (v2) as far as a connector reads it, with lists of few rows. */
export class FakeConfluence {
  readonly server = new FakeServer((asked) => this.answer(asked));
  readonly pages = new Map<string, FakeWikiPage>();
  readonly attachments = new Map<string, FakeAttachment>();
  /** Names of spaces by key. */
  readonly spaces = new Map<string, string>();
  token = 'ATATT-secret-token-1';
  /** Answers in place of the API's own, the next first. */
  readonly limits: FakeResponse[] = [];
  readonly requests: string[] = [];
  /** Cursors of an earlier time are refused. */
  private age = 0;
  private readonly pageSize = 3;

  forget(): void {
    this.age += 1;
  }

  idOf(key: string): string {
    return String(9_000 + [...this.spaces.keys()].indexOf(key));
  }

  private visible(): readonly FakeWikiPage[] {
    return [...this.pages.values()].filter(({ isRestricted = false }) => !isRestricted);
  }

  /** The service of files, at another address, which takes a signature and no credentials. */
  private media({ url, headers }: FakeRequest): FakeResponse {
    const found = this.attachments.get(url.searchParams.get('id') ?? '');
    const isSigned = url.searchParams.get('token') === 'media-signature' && headers.authorization === undefined;
    if (found === undefined || !isSigned) return error(403, 'FORBIDDEN');
    return { status: 200, headers: { 'content-type': found.mediaType }, body: new TextEncoder().encode(found.text) };
  }

  /** Version 1: content that CQL finds, and the download of an attachment. */
  private content([first = '', ...path]: readonly string[], url: URL): FakeResponse {
    const visible = new Map(this.visible().map((page) => [page.id, page]));
    if (first !== 'search') {
      const [child, kind, id = '', what] = path;
      const found = this.attachments.get(id);
      if (`${child}/${kind}/${what}` !== 'child/attachment/download') return error(404, 'NOT_FOUND');
      if (found?.page !== first || !visible.has(first)) return error(404, 'NOT_FOUND');
      if (found.isForbidden === true) return error(403, 'FORBIDDEN');
      const elsewhere = this.server.url.replace('127.0.0.1', 'localhost');
      return { status: 302, headers: { location: `${elsewhere}/media?id=${id}&token=media-signature` }, body: '' };
    }
    const asked = /^space = "([^"]+)" and type = attachment order by created$/.exec(url.searchParams.get('cql') ?? '');
    if (asked === null || url.searchParams.get('expand') !== 'version,container')
      return error(400, 'INVALID_REQUEST_PARAMETER');
    const rows = [...this.attachments.values()].flatMap(({ id, title, text, version, mediaType, page }) => {
      const container = visible.get(page);
      if (container === undefined || container.space !== asked[1] || container.status === 'trashed') return [];
      const extensions = { mediaType, fileSize: text.length };
      const _links = { webui: `/pages/viewpageattachments.action?pageId=${page}`, download: `/download/${id}` };
      const of = { id: page, type: 'page', status: container.status, title: container.title };
      return [{ id, type: 'attachment', title, version: { number: version }, container: of, extensions, _links }];
    });
    return this.list(
      rows.toSorted((a, b) => Number(a.id.slice(3)) - Number(b.id.slice(3))),
      url,
      '/wiki',
    );
  }

  private answer(asked: FakeRequest): FakeResponse {
    const { method, url, headers } = asked;
    if (url.pathname === '/media') return this.media(asked);
    const basic = Buffer.from(`ann@acme.example.com:${this.token}`).toString('base64');
    if (headers.authorization !== `Basic ${basic}`) return error(401, 'UNAUTHORIZED');
    this.requests.push(`${method} ${url.pathname}`);
    const limit = this.limits.shift();
    if (limit !== undefined) return limit;
    const [wiki, api, version, collection = '', id = '', kind = ''] = url.pathname.split('/').slice(1);
    if (method === 'GET' && url.pathname.startsWith('/wiki/rest/api/content/'))
      return this.content(url.pathname.split('/').slice(5), url);
    if (method !== 'GET' || `${wiki}/${api}/${version}` !== 'wiki/api/v2') return error(404, 'NOT_FOUND');
    if (collection === 'spaces' && id === '') return this.listSpaces(url);
    if (collection === 'spaces') return this.listPages(id, kind, url);
    const page = this.visible().find((each) => each.kind === collection && each.id === id);
    if (page === undefined) return error(404, 'NOT_FOUND');
    const format = url.searchParams.get('body-format');
    if (format !== 'export_view') return error(400, 'INVALID_REQUEST_PARAMETER');
    const value = `<p>${page.text}</p><pre>code of ${page.id}</pre>`;
    return { status: 200, body: { ...this.present(page), body: { export_view: { representation: format, value } } } };
  }

  private present({ id, title, status, version, space }: FakeWikiPage) {
    const _links = { webui: `/spaces/${space}/pages/${id}`, tinyui: `/x/${id}` };
    return { id, status, title, spaceId: this.idOf(space), version: { number: version }, _links };
  }

  private listSpaces(url: URL): FakeResponse {
    const keys = url.searchParams.get('keys')?.split(',');
    const all = [...this.spaces].filter(([key]) => keys === undefined || keys.includes(key));
    return this.list(
      all.map(([key, name]) => ({ id: this.idOf(key), key, name, status: 'current' })),
      url,
    );
  }

  private listPages(id: string, kind: string, url: URL): FakeResponse {
    const key = [...this.spaces.keys()].find((each) => this.idOf(each) === id);
    if (key === undefined || (kind !== 'pages' && kind !== 'blogposts')) return error(404, 'NOT_FOUND');
    if (url.searchParams.get('sort') !== 'id') return error(400, 'INVALID_REQUEST_PARAMETER');
    const status = url.searchParams.get('status');
    const found = this.visible().filter((page) => page.space === key && page.kind === kind && page.status === status);
    return this.list(
      found.toSorted((a, b) => Number(a.id) - Number(b.id)).map((page) => this.present(page)),
      url,
    );
  }

  /** A page of rows with ids that ascend. The cursor belongs to one query. */
  private list(rows: readonly { readonly id: string }[], url: URL, context = ''): FakeResponse {
    const limit = Number(url.searchParams.get('limit'));
    if (!(limit >= 1 && limit <= 250)) return error(400, 'INVALID_REQUEST_PARAMETER');
    const query = new URLSearchParams(url.searchParams);
    query.delete('cursor');
    const about = `${this.age} ${url.pathname}?${query.toString()}`;
    const cursor = url.searchParams.get('cursor');
    const [after = '0', from = about] = cursor === null ? [] : (JSON.parse(atob(cursor)) as readonly string[]);
    if (from !== about) return error(400, 'INVALID_CURSOR');
    const number = (id: string): number => Number(id.replace('att', ''));
    const rest = rows.filter(({ id }) => number(id) > number(after));
    const page = rest.slice(0, Math.min(limit, this.pageSize));
    query.set('cursor', btoa(JSON.stringify([page.at(-1)?.id ?? '0', about])));
    const next = rest.length > page.length ? { next: `${url.pathname.slice(context.length)}?${query.toString()}` } : {};
    return { status: 200, body: { results: page, _links: { base: `${this.server.url}/wiki`, ...next } } };
  }
}
