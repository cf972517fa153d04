import { type FakeResponse, type FakeRequest, FakeServer } from './fake-server.ts';

export interface FakePage {
  readonly id: string;
  title: string;
  text: string;
  /** A page, or a data source. */
  parent: string | null;
  editedAt: string;
  /** Default: when it was edited. */
  readonly madeAt?: string;
  /** Blocks that the API names, but whose inside it does not give. */
  readonly closed?: readonly string[];
  /** Page with a block that the API does not support; its children are not listed. */
  shut?: 'page' | 'toggle';
  /** Toggles in it with nothing inside. */
  readonly toggles?: number;
  /** Notes of a meeting in it, which the API may not give. */
  readonly meeting?: { readonly notes: 'given' | 'closed'; readonly has_children: boolean };
  /** Files in it. */
  files?: readonly { readonly id: string; readonly name: string; readonly text: string }[];
  /** People that a property of it names. */
  readonly people?: readonly string[];
}

/** Values of a property that come with its page at most. */
const mostWithPage = 25;

const person = (name: string) => ({ object: 'user', id: `u-${name}`, name });

/** Notion's API (2025-09-03) as far as a connector reads it, with pages of few rows. */
export class FakeNotion {
  readonly server = new FakeServer((asked) => this.answer(asked));
  readonly pages = new Map<string, FakePage>();
  readonly dataSources = new Set<string>();
  /** Data sources of databases, by the id of the database. */
  readonly databases = new Map<string, readonly string[]>();
  /** Data sources in those that are of a wiki, which are rows there. */
  readonly inWikis = new Map<string, readonly string[]>();
  token = 'ntn_secret_token_1';
  refreshToken = 'nrt_secret_refresh_1';

  /** Rows that one query lists at most. */
  queryLimit = Number.POSITIVE_INFINITY;
  /** Whether the cursor of the next query is rejected. */
  forgets = false;
  /** Pages at which the server fails, and what is in them. */
  readonly failing = new Set<string>();
  /** Requests that it accepts before each rate limit. */
  requestsAtOnce = Number.POSITIVE_INFINITY;
  private taken = 0;
  private signatures = 0;
  private readonly pageSize: number;

  constructor(pageSize = 2) {
    this.pageSize = pageSize;
  }

  private error(status: number, code: string): FakeResponse {
    return { status, body: { object: 'error', status, code, message: `said of ${code}` } };
  }

  /** Returns the requested rows of a data source. */
  private query(id: string, asked: Record<string, unknown>): FakeResponse {
    const cursor = (asked['start_cursor'] as string | undefined) ?? null;
    if (cursor !== null && this.forgets) {
      this.forgets = false;
      return this.error(400, 'validation_error');
    }
    const filter = asked['filter'] as { readonly created_time: { readonly on_or_after: string } } | undefined;
    const inner = (this.inWikis.get(id) ?? []).map((source) => ({
      object: 'data_source',
      id: source,
      created_time: '2026-01-01T00:00:00.000Z',
      parent: { type: 'database_id', database_id: this.databaseOf(source) },
    }));
    const rows = [...this.childrenOf(id).map((page) => this.present(page)), ...inner]
      .filter(({ created_time: at }) => at >= (filter?.created_time.on_or_after ?? ''))
      .toSorted((a, b) => (a.created_time < b.created_time ? -1 : 1));
    const answer = this.list(rows.slice(0, this.queryLimit), cursor);
    const body = answer.body as { readonly next_cursor: string | null };
    const cut = body.next_cursor === null && rows.length > this.queryLimit;
    return cut ? { ...answer, body: { ...body, request_status: { type: 'incomplete' } } } : answer;
  }

  private list(results: readonly unknown[], cursor: string | null): FakeResponse {
    const from = Number(cursor ?? 0);
    const more = from + this.pageSize < results.length;
    const body = {
      object: 'list',
      results: results.slice(from, from + this.pageSize),
      has_more: more,
      next_cursor: more ? String(from + this.pageSize) : null,
    };
    return { status: 200, body };
  }

  private present({ id, title, editedAt, madeAt = editedAt, people = [] }: FakePage) {
    const shown = people.slice(0, mostWithPage).map(person);
    return {
      object: 'page',
      id,
      in_trash: false,
      archived: false,
      created_time: madeAt,
      last_edited_time: editedAt,
      url: `https://www.notion.so/${id}`,
      properties: {
        Name: { id: 'title', type: 'title', title: [{ type: 'text', plain_text: title, href: null }] },
        ...(shown.length === 0 ? {} : { Team: { id: 'p%3B1', type: 'people', people: shown } }),
      },
    };
  }

  private databaseOf(source: string): string {
    return [...this.databases].find(([, sources]) => sources.includes(source))?.[0] ?? `database-of-${source}`;
  }

  private childrenOf(id: string): readonly FakePage[] {
    return [...this.pages.values()].filter(({ parent }) => parent === id);
  }

  /** Notes of a meeting that Notion AI made, as the version 2025-09-03 calls them. */
  private meetingOf({ id, meeting }: FakePage): readonly unknown[] {
    if (meeting === undefined) return [];
    const children = {
      summary_block_id: `meeting-summary-${id}`,
      notes_block_id: meeting.notes === 'given' ? `meeting-notes-${id}` : `gone-${id}`,
      transcript_block_id: `meeting-transcript-${id}`,
    };
    const title = [{ type: 'text', plain_text: 'Weekly meeting', href: null }];
    const { has_children } = meeting;
    const transcription = { title, status: 'notes_ready', children };
    return [{ object: 'block', id: `meeting-all-${id}`, type: 'transcription', has_children, transcription }];
  }

  private addressOf(file: string, text: string): string {
    this.signatures += 1;
    return `${this.server.url}/s3/${file}-${text}/file?X-Amz-Signature=${this.signatures}`;
  }

  private blocksOf(id: string): readonly unknown[] {
    const page = this.pages.get(id);
    if (id.startsWith('meeting-')) {
      const paragraph = { rich_text: [{ type: 'text', plain_text: `words of ${id}`, href: null }] };
      return [{ object: 'block', id: `in-${id}`, type: 'paragraph', has_children: false, paragraph }];
    }
    if (page === undefined) {
      // The inside of a toggle.
      const outer = id.replace(/^toggle-/, '');
      return this.childrenOf(outer).map((child) => ({
        object: 'block',
        id: child.id,
        type: 'child_page',
        has_children: true,
        child_page: { title: child.title },
      }));
    }
    const rich = [{ type: 'text', plain_text: page.text, href: null }];
    return [
      { object: 'block', id: `p-${id}`, type: 'paragraph', has_children: false, paragraph: { rich_text: rich } },
      { object: 'block', id: `d-${id}`, type: 'divider', has_children: false, divider: {} },
      { object: 'block', id: `toggle-${id}`, type: 'toggle', has_children: true, toggle: { rich_text: rich } },
      ...Array.from({ length: page.toggles ?? 0 }, (_, at) => ({
        object: 'block',
        id: `toggle-${id}-${at}`,
        type: 'toggle',
        has_children: true,
        toggle: { rich_text: [{ type: 'text', plain_text: `part ${at}`, href: null }] },
      })),
      ...(page.closed ?? []).map((type) => ({
        object: 'block',
        id: `closed-${type}-${id}`,
        type,
        has_children: true,
        [type]: {},
      })),
      ...this.meetingOf(page),
      ...(page.files ?? []).map(({ id: file, name, text }) => ({
        object: 'block',
        id: file,
        type: 'file',
        has_children: false,
        // The path is that of one upload, and the query changes with each response.
        file: { type: 'file', name, caption: [], file: { url: this.addressOf(file, text) } },
      })),
    ];
  }

  private answer({ method, url, headers, body }: FakeRequest): FakeResponse {
    const [, version, kind = '', id = '', part = ''] = url.pathname.split('/');
    const asked = body === '' ? {} : (JSON.parse(body) as Record<string, unknown>);
    if (version === 's3') return this.stored(kind, headers.authorization);
    if (version !== 'v1') return this.error(400, 'invalid_request_url');
    if (kind === 'oauth') return this.grant(headers.authorization ?? '', asked);
    if (headers.authorization !== `Bearer ${this.token}`) return this.error(401, 'unauthorized');
    if (this.taken >= this.requestsAtOnce) {
      this.taken = 0;
      return { ...this.error(429, 'rate_limited'), headers: { 'retry-after': '60' } };
    }
    this.taken += 1;
    if (this.failing.has(id)) return this.error(500, 'internal_server_error');
    const cursor = (asked['start_cursor'] as string | undefined) ?? url.searchParams.get('start_cursor');
    if (method === 'POST' && kind === 'search') {
      const all = [...this.pages.values()].toSorted((a, b) => (a.editedAt < b.editedAt ? 1 : -1));
      return this.list(
        all.map((page) => this.present(page)),
        cursor,
      );
    }
    if (kind === 'data_sources' && part === 'query')
      return this.dataSources.has(id) ? this.query(id, asked) : this.error(404, 'object_not_found');
    const sources = this.databases.get(id);
    if (kind === 'pages' && sources !== undefined) return this.error(400, 'validation_error');
    if (kind === 'databases' && sources !== undefined) {
      const named = sources.map((source) => ({ id: source, name: source }));
      return { status: 200, body: { object: 'database', id, in_trash: false, data_sources: named } };
    }
    if (
      kind === 'blocks' &&
      this.pages.get(id.replace(/^toggle-/, ''))?.shut === (id.startsWith('toggle-') ? 'toggle' : 'page')
    )
      return this.error(400, 'validation_error');
    if (kind === 'blocks' && part === 'children')
      return this.pages.has(id) || /^(?:toggle|meeting)-/.test(id)
        ? this.list(this.blocksOf(id), cursor)
        : this.error(404, 'object_not_found');
    const page = this.pages.get(id);
    if (kind !== 'pages' || page === undefined) return this.error(404, 'object_not_found');
    if (part === '') return { status: 200, body: this.present(page) };
    const items = (page.people ?? []).map((name) => ({
      object: 'property_item',
      type: 'people',
      people: person(name),
    }));
    return part === 'properties' ? this.list(items, cursor) : this.error(400, 'invalid_request_url');
  }

  /** A file in the storage of Notion, which must not get the token. */
  private stored(name: string, authorization: string | undefined): FakeResponse {
    if (authorization !== undefined) return { status: 400, body: {} };
    const text = name.slice(name.indexOf('-') + 1);
    const files = [...this.pages.values()].flatMap(({ files: all = [] }) => all);
    const known = files.some((file) => `${file.id}-${file.text}` === name);
    return known ? { status: 200, body: Buffer.from(text) } : { status: 403, body: {} };
  }

  private grant(authorization: string, asked: Record<string, unknown>): FakeResponse {
    if (authorization !== `Basic ${Buffer.from('client-9:client-secret-9').toString('base64')}`)
      return { status: 401, body: { error: 'invalid_client' } };
    // The API refuses what it does not know.
    if ('code_verifier' in asked) return { status: 400, body: { error: 'invalid_request' } };
    const known =
      asked['grant_type'] === 'refresh_token'
        ? asked['refresh_token'] === this.refreshToken
        : asked['code'] === 'consent-code-7';
    if (!known) return { status: 400, body: { error: 'invalid_grant' } };
    this.token = `${this.token}x`;
    this.refreshToken = `${this.refreshToken}x`;
    const tokens = { access_token: this.token, refresh_token: this.refreshToken, token_type: 'bearer' };
    return { status: 200, body: { ...tokens, workspace_name: 'A workspace' } };
  }
}
