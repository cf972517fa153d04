import { type FakeRequest, type FakeResponse, FakeServer } from './fake-server.ts';

/** An item of a drive, as the service keeps it. */
export interface FakeItem {
  readonly id: string;
  name: string;
  readonly kind: 'folder' | 'file' | 'notebook';
  /** Null: the top of its drive. */
  parent: string | null;
  text: string;
  size?: number;
}

interface FakeDrive {
  readonly id: string;
  name: string;
  readonly items: Map<string, FakeItem>;
  /** Ids in the order in which they changed; each row of a list of changes has the state of now. */
  changed: string[];
  /** Changes before this are forgotten. */
  floor: number;
  /** Whether the account sees single items of it only. */
  isForeign: boolean;
  /** Site that contains it; null for a OneDrive. */
  readonly site: string | null;
}

const ok = (body: unknown): FakeResponse => ({ status: 200, body });

export const graphError = (
  status: number,
  code: string,
  headers: Readonly<Record<string, string>> = {},
): FakeResponse => ({ status, headers, body: { error: { code, message: `said of ${code}` } } });

/** Microsoft Graph and its tokens as far as a connector uses them, with pages of few items. */
export class FakeMicrosoft {
  readonly server = new FakeServer((asked) => this.answer(asked));
  readonly drives = new Map<string, FakeDrive>();
  token = 'eyJ.secret-token-1';
  refreshToken = 'M.secret-refresh-1';
  applicationSecret = 'app-secret-5';
  /** Answers in place of the API's own, the next first; tokens are given all the same. */
  readonly limits: FakeResponse[] = [];
  /** Paths of requests. */
  readonly requests: string[] = [];
  /** Files that the service does not give, and those at which it fails. */
  readonly infected = new Set<string>();
  readonly broken = new Set<string>();
  /** Items that the account sees no longer. */
  readonly unshared = new Set<string>();
  private readonly pageSize = 3;
  /** Whether it knows no position of a delta, however new. */
  forgetsAlways = false;

  addDrive(id: string, name: string, site: string | null): FakeDrive {
    const items = new Map<string, FakeItem>();
    const drive = { id, name, items, changed: [], floor: 0, isForeign: false, site };
    this.drives.set(id, drive);
    this.put(id, { id: `${id}-top`, name: 'root', kind: 'folder', parent: null, text: '' });
    return drive;
  }

  drive(id: string): FakeDrive {
    const drive = this.drives.get(id);
    if (drive === undefined) throw new Error('no such drive');
    return drive;
  }

  put(drive: string, item: FakeItem): void {
    this.drive(drive).items.set(item.id, item);
    this.touch(drive, item.id);
  }

  /** Notes a change. The list of changes contains the folders above, too. */
  touch(drive: string, id: string): void {
    const { items, changed } = this.drive(drive);
    const above: string[] = [];
    for (let item = items.get(id); item !== undefined; item = items.get(item.parent ?? '')) above.unshift(item.id);
    changed.push(...(above.length === 0 ? [id] : above));
  }

  /** Deletes an item with what is in it, of which the list of changes contains the item alone. */
  remove(drive: string, id: string): void {
    const { items } = this.drive(drive);
    const clear = (gone: string): void => {
      for (const child of items.values()) if (child.parent === gone) clear(child.id);
      items.delete(gone);
    };
    clear(id);
    this.touch(drive, id);
  }

  forget(): void {
    for (const drive of this.drives.values()) drive.floor = drive.changed.length + 1;
    for (const drive of this.drives.values()) drive.changed.push(`${drive.id}-top`);
  }

  expire(): void {
    this.token = `${this.token}-newer`;
  }

  revoke(): void {
    this.token = 'another';
    this.refreshToken = 'another';
    this.applicationSecret = 'another';
  }

  secrets(): readonly string[] {
    return [this.token, this.refreshToken, this.applicationSecret];
  }

  private present(drive: FakeDrive, item: FakeItem, isOfList: boolean) {
    const { id, name, kind, parent, text, size } = item;
    const bytes = Buffer.from(text);
    const hashes = { quickXorHash: `xor of ${bytes.toString('base64')}` };
    return {
      id,
      name,
      size: size ?? bytes.length,
      eTag: `"{${id}},${name}"`,
      // The list of changes has neither this nor a path.
      ...(isOfList ? {} : { cTag: `"c:{${id}},${text}"` }),
      webUrl: `https://acme.sharepoint.com/${encodeURIComponent(name)}`,
      parentReference: {
        driveId: drive.id,
        driveType: 'documentLibrary',
        ...(parent === null ? {} : { id: parent, ...(isOfList ? {} : { path: `/drives/${drive.id}/root:` }) }),
      },
      ...(kind === 'folder' ? { folder: { childCount: 1 } } : {}),
      ...(kind === 'file' ? { file: { mimeType: 'text/plain', hashes } } : {}),
      ...(kind === 'notebook' ? { package: { type: 'oneNote' } } : {}),
      ...(parent === null ? { root: {} } : {}),
    };
  }

  private answer(asked: FakeRequest): FakeResponse {
    const { url, headers, body } = asked;
    const parts = url.pathname.split('/').slice(1).map(decodeURIComponent);
    if (url.pathname.includes('/oauth2/')) return this.grant(parts[0] ?? '', new URLSearchParams(body));
    if (parts[0] === 'download') return this.download(asked, parts.slice(1));
    if (headers.authorization !== `Bearer ${this.token}`) return graphError(401, 'InvalidAuthenticationToken');
    this.requests.push(`${asked.method} ${url.pathname}`);
    const limit = this.limits.shift();
    if (limit !== undefined) return limit;
    if (parts[0] !== 'v1.0' || asked.method !== 'GET') return graphError(400, 'BadRequest');
    return this.read(parts.slice(1), url);
  }

  private read([collection = '', id = '', ...rest]: readonly string[], url: URL): FakeResponse {
    if (collection === 'me' && id === 'drive') return this.ownDrive('own');
    if (collection === 'users' && rest[0] === 'drive') return this.ownDrive(id === 'ann@example.com' ? 'own' : '');
    if (collection === 'sites') return this.sites(id, rest, url);
    const drive = this.drives.get(id);
    if (collection !== 'drives' || drive === undefined) return graphError(404, 'itemNotFound');
    const [kind = '', item = '', what = ''] = rest;
    if (kind === '') return drive.isForeign ? graphError(403, 'accessDenied') : ok({ id, name: drive.name });
    if (kind === 'root' && item === 'delta') return this.delta(drive, url);
    if (kind === 'root' && item === 'children') return this.children(drive, `${drive.id}-top`, url);
    const found = drive.items.get(item);
    if (kind !== 'items' || found === undefined || this.unshared.has(item)) return graphError(404, 'itemNotFound');
    if (what === '') return ok(this.present(drive, found, false));
    if (what === 'children') return this.children(drive, item, url);
    if (what !== 'content' || found.kind !== 'file') return graphError(400, 'invalidRequest');
    if (this.infected.has(item)) return graphError(403, 'malwareDetected');
    if (this.broken.has(item)) return graphError(500, 'generalException');
    const location = `${this.server.url.replace('127.0.0.1', 'localhost')}/download/${id}/${encodeURIComponent(item)}`;
    return { status: 302, body: {}, headers: { location } };
  }

  /** The address that a download leads to is of another host, and must not get the token. */
  private download({ headers }: FakeRequest, [drive = '', item = '']: readonly string[]): FakeResponse {
    if (headers.authorization !== undefined) return graphError(401, 'unauthenticated');
    const found = this.drives.get(drive)?.items.get(item);
    if (found === undefined) return graphError(404, 'itemNotFound');
    return { status: 200, headers: { 'content-type': 'application/octet-stream' }, body: Buffer.from(found.text) };
  }

  private ownDrive(id: string): FakeResponse {
    const drive = this.drives.get(id);
    return drive === undefined ? graphError(404, 'ResourceNotFound') : ok({ id: drive.id, name: drive.name });
  }

  private sites(id: string, rest: readonly string[], url: URL): FakeResponse {
    const names = [...new Set([...this.drives.values()].flatMap(({ site }) => site ?? []))];
    if (id === '' && url.searchParams.get('search') !== null) {
      const sites = names.map((name) => ({ id: name, displayName: `Site ${name}`, webUrl: `https://acme/${name}` }));
      return this.list(sites, url);
    }
    // By id, or as HOST:PATH:.
    const [, path] = /^acme\.sharepoint\.com:$/.test(id) ? [id, rest[1]?.replace(/:$/, '')] : [id, id];
    const what = rest.at(-1);
    const drives = [...this.drives.values()].filter(({ site }) => site !== null && site === path);
    if (drives.length === 0 || what !== 'drives') return graphError(404, 'itemNotFound');
    return this.list(
      drives.map((drive) => ({ id: drive.id, name: drive.name })),
      url,
    );
  }

  private list(rows: readonly unknown[], url: URL): FakeResponse {
    const from = Number(url.searchParams.get('$skiptoken') ?? 0);
    const until = from + this.pageSize;
    const next = new URL(url);
    next.searchParams.set('$skiptoken', String(until));
    return ok({
      value: rows.slice(from, until),
      ...(until < rows.length ? { '@odata.nextLink': next.href } : {}),
    });
  }

  private children(drive: FakeDrive, id: string, url: URL): FakeResponse {
    const inside = [...drive.items.values()].filter(({ parent }) => parent === id);
    return this.list(
      inside.map((item) => this.present(drive, item, false)),
      url,
    );
  }

  /** Without a token, everything in the drive; with one, what has changed since. */
  private delta(drive: FakeDrive, url: URL): FakeResponse {
    if (drive.isForeign) return graphError(403, 'accessDenied');
    const length = drive.changed.length;
    // Where the list continues, and what was known when it began.
    const token = url.searchParams.get('token') ?? `0-${length}`;
    const [from, begin] = token.split('-').map(Number);
    if (from === undefined || begin === undefined || url.searchParams.get('$top') === null)
      return graphError(400, 'invalidRequest');
    const restart = { location: `${this.server.url}/v1.0/drives/${drive.id}/root/delta` };
    if (url.searchParams.has('token') && (this.forgetsAlways || Math.max(from, begin) < drive.floor))
      return graphError(410, 'resyncChangesApplyDifferences', restart);
    const until = Math.min(from + this.pageSize, length);
    const value: unknown[] = [];
    for (const [at, id] of drive.changed.slice(from, until).entries()) {
      const item = drive.items.get(id);
      if (item !== undefined && !this.unshared.has(id)) value.push(this.present(drive, item, true));
      // A list of everything does not contain what was gone before.
      else if (from + at >= begin)
        value.push({ id, deleted: { state: 'deleted' }, parentReference: { driveId: drive.id } });
    }
    const link = new URL(`${this.server.url}/v1.0/drives/${encodeURIComponent(drive.id)}/root/delta?$top=100`);
    link.searchParams.set('token', `${until}-${until === length ? 0 : begin}`);
    return ok({ value, [until === length ? '@odata.deltaLink' : '@odata.nextLink']: link.href });
  }

  private grant(tenant: string, form: URLSearchParams): FakeResponse {
    const refused = (error: string): FakeResponse => ({ status: 400, body: { error, error_codes: [700_016] } });
    const client = `${form.get('client_id')}:${form.get('client_secret')}`;
    const isApplication = form.get('grant_type') === 'client_credentials';
    if (isApplication) {
      if (tenant !== 'acme.example.com' || form.get('scope') !== 'https://graph.microsoft.com/.default')
        return refused('invalid_scope');
      if (client !== `app-5:${this.applicationSecret}`) return { status: 401, body: { error: 'invalid_client' } };
    } else {
      if (tenant !== 'common' || client !== 'client-9:client-secret-9') return refused('unauthorized_client');
      const known =
        form.get('grant_type') === 'refresh_token'
          ? form.get('refresh_token') === this.refreshToken
          : form.get('code') === 'consent-code-7' && form.has('code_verifier');
      if (!known) return refused('invalid_grant');
    }
    this.token = `${this.token}x`;
    if (isApplication) return ok({ token_type: 'Bearer', access_token: this.token, expires_in: 3599 });
    // A refresh token is replaced with each use.
    this.refreshToken = `${this.refreshToken}x`;
    const payload = Buffer.from(JSON.stringify({ preferred_username: 'person@acme.example.com' })).toString(
      'base64url',
    );
    return ok({
      token_type: 'Bearer',
      access_token: this.token,
      refresh_token: this.refreshToken,
      expires_in: 3599,
      id_token: `e30.${payload}.c2ln`,
    });
  }
}
