import { type FakeResponse, type FakeRequest, FakeServer } from './fake-server.ts';

/** A file that a message has. */
export interface FakeAttachment {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly mimetype?: string;
  readonly mode?: string;
}

interface Message {
  readonly ts: string;
  text: string;
  readonly user: string;
  /** Of the message that begins the thread. */
  readonly parent: string | null;
  files?: readonly FakeAttachment[];
}

/** Slack's Web API as far as a connector reads it, with pages of few messages. */
export class FakeSlack {
  readonly server = new FakeServer((asked) => this.answer(asked));
  readonly channels = new Map<string, { name: string; messages: Map<string, Message> }>();
  token = 'xoxb-secret-token-1';
  refreshToken = 'xoxe-secret-refresh-1';
  expired = false;
  /** Whether the app may read files. */
  givesFiles = true;
  /** Channels without the app as a member. */
  readonly uninvited = new Set<string>();
  /** Whether it takes one list of messages a minute, as from apps that are not in its Marketplace. */
  isSlow = false;
  private waits = false;
  /** Errors that replace user names, each once. */
  readonly unnamed = new Map<string, string>();
  private readonly pageSize: number;

  constructor(pageSize = 3) {
    this.pageSize = pageSize;
  }

  private error(code: string): FakeResponse {
    return { status: 200, body: { ok: false, error: code } };
  }

  /** `first`: what each page begins with. */
  private page(messages: readonly Message[], cursor: string | undefined, first: readonly Message[] = []): FakeResponse {
    const from = Number(cursor ?? 0);
    const rows = messages.slice(from, from + this.pageSize);
    const more = from + this.pageSize < messages.length;
    const said = [...first, ...rows].map((message) => this.present(message));
    const next = more ? { response_metadata: { next_cursor: String(from + this.pageSize) } } : {};
    return { status: 200, body: { ok: true, messages: said, has_more: more, ...next } };
  }

  /** Lists channels; the app is a member of those that are not in `uninvited`. */
  private list(form: URLSearchParams): FakeResponse {
    if (form.get('types') !== 'public_channel,private_channel') return this.error('invalid_types');
    const cursor = form.get('cursor');
    if (cursor !== null && !/^c\d+$/.test(cursor)) return this.error('invalid_cursor');
    const from = Number(cursor?.slice(1) ?? 0);
    const all = [...this.channels].map(([id, { name }]) => ({ id, name, is_member: !this.uninvited.has(id) }));
    const until = from + this.pageSize;
    const next = until < all.length ? `c${until}` : '';
    return {
      status: 200,
      body: { ok: true, channels: all.slice(from, until), response_metadata: { next_cursor: next } },
    };
  }

  private presentFile({ id, name, text, mimetype = 'text/plain', mode = 'hosted' }: FakeAttachment) {
    const about = { id, name, mimetype, mode, size: text.length, permalink: `https://acme.slack.com/files/${id}` };
    return mode === 'tombstone'
      ? { id, mode }
      : { ...about, url_private: `${this.server.url}/files-pri/T1-${id}/${name}` };
  }

  /** Sends a file, or redirects to a page to sign in if the app lacks the permission. */
  private fileOf(path: string): FakeResponse {
    const id = /^\/files-pri\/T1-(\w+)\//.exec(path)?.[1];
    const all = [...this.channels.values()].flatMap(({ messages }) => [...messages.values()]);
    const file = all.flatMap(({ files = [] }) => files).find((each) => each.id === id);
    if (!this.givesFiles) return { status: 302, body: {}, headers: { location: 'https://acme.slack.com/?redir=x' } };
    return file === undefined ? { status: 404, body: {} } : { status: 200, body: Buffer.from(file.text) };
  }

  private present({ ts, text, user, parent, files = [] }: Message) {
    const replies = this.repliesTo(ts);
    return {
      type: 'message',
      ...(files.length === 0 ? {} : { files: files.map((file) => this.presentFile(file)) }),
      ts,
      text,
      user,
      ...(parent === null ? {} : { thread_ts: parent }),
      ...(replies.length === 0
        ? {}
        : { thread_ts: ts, reply_count: replies.length, latest_reply: replies.at(-1)?.ts ?? ts }),
    };
  }

  private repliesTo(ts: string): readonly Message[] {
    return [...this.channels.values()]
      .flatMap(({ messages }) => [...messages.values()])
      .filter(({ parent }) => parent === ts)
      .toSorted((a, b) => (a.ts < b.ts ? -1 : 1));
  }

  private answer({ url, headers, body }: FakeRequest): FakeResponse {
    const form = new URLSearchParams(body);
    if (url.pathname === '/api/oauth.v2.access') return this.grant(form);
    if (headers.authorization !== `Bearer ${this.token}`) return this.error('invalid_auth');
    if (this.expired) return this.error('token_expired');
    if (url.pathname === '/api/users.info') {
      const user = form.get('user') ?? '';
      const problem = this.unnamed.get(user);
      if (this.unnamed.delete(user)) return this.error(problem ?? '');
      return { status: 200, body: { ok: true, user: { id: user, profile: { display_name: `name of ${user}` } } } };
    }
    if (url.pathname.startsWith('/files-pri/')) return this.fileOf(url.pathname);
    if (url.pathname === '/api/conversations.list') return this.list(form);
    const channel = this.channels.get(form.get('channel') ?? '');
    if (channel === undefined) return this.error('channel_not_found');
    if (url.pathname === '/api/conversations.info')
      return { status: 200, body: { ok: true, channel: { id: form.get('channel'), name: channel.name } } };
    this.waits = this.isSlow && !this.waits;
    if (this.isSlow && !this.waits)
      return { ...this.error('ratelimited'), status: 429, headers: { 'retry-after': '60' } };
    const all = [...channel.messages.values()].toSorted((a, b) => (a.ts < b.ts ? 1 : -1));
    const cursor = form.get('cursor') ?? undefined;
    if (url.pathname === '/api/conversations.history') {
      const [oldest, latest] = [Number(form.get('oldest') ?? 0), Number(form.get('latest') ?? Number.MAX_VALUE)];
      const within = all.filter(({ ts, parent }) => parent === null && Number(ts) > oldest && Number(ts) < latest);
      return this.page(within, cursor);
    }
    if (url.pathname !== '/api/conversations.replies') return this.error('unknown_method');
    const [top, oldest] = [form.get('ts') ?? '', Number(form.get('oldest') ?? 0)];
    const parent = all.filter(({ ts }) => ts === top);
    const replies = this.repliesTo(top).filter(({ ts }) => Number(ts) > oldest);
    if (parent.length + replies.length === 0) return this.error('thread_not_found');
    return this.page(replies, cursor, parent);
  }

  private grant(form: URLSearchParams): FakeResponse {
    if (form.get('client_secret') !== 'client-secret-9') return this.error('bad_client_secret');
    if (form.get('grant_type') === 'refresh_token' && form.get('refresh_token') !== this.refreshToken)
      return this.error('invalid_refresh_token');
    if (form.get('grant_type') === 'authorization_code' && form.get('code') !== 'consent-code-7')
      return this.error('invalid_code');
    this.expired = false;
    this.token = `${this.token}x`;
    this.refreshToken = `${this.refreshToken}x`;
    const team = { id: 'T1', name: 'A team' };
    const body = { ok: true, team, access_token: this.token, refresh_token: this.refreshToken, expires_in: 43_200 };
    return { status: 200, body };
  }
}
