import { strToU8, zipSync } from 'fflate';
import { FakeGoogle, googleError, ok, pageOf } from './fake-google.ts';
import type { FakeResponse, FakeRequest } from './fake-server.ts';

const native = 'application/vnd.google-apps';
const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

export interface FakeFile {
  readonly id: string;
  name: string;
  readonly kind: 'folder' | 'shortcut' | 'document' | 'form' | 'file';
  parent: string | null;
  trashed: boolean;
  text: string;
  modifiedTime: string;
  readonly target?: string;
  /** The shared drive in which it lies. */
  readonly drive?: string;
  /** Whether it lies in a shared drive and the account has never seen it there. */
  readonly isUnopened?: boolean;
  size?: number;
  /** Whether it was shared with the account. */
  readonly isOfOthers?: boolean;
}

const docxOf = (text: string): Uint8Array =>
  zipSync({
    '[Content_Types].xml': strToU8(
      `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="${word}.main+xml"/></Types>`,
    ),
    '_rels/.rels': strToU8(
      '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
    ),
    'word/document.xml': strToU8(
      `<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:body></w:document>`,
    ),
  });

/** Google Drive's API (v3) as far as a connector reads it, with pages of few files. */
export class FakeDrive {
  readonly google = new FakeGoogle((asked) => this.answer(asked));
  readonly files = new Map<string, FakeFile>();
  /** Shared drives of which the account is no member. */
  readonly foreign = new Set<string>();
  /** Files whose content the server fails to give. */
  readonly broken = new Set<string>();
  /** Files whose metadata requests fail. */
  readonly failing = new Set<string>();
  /** Files whose content is too large to be given. */
  readonly tooLarge = new Set<string>();
  /** Whether Google has not searched all there is for a list. */
  isIncomplete = false;
  /** Id of the top of the account's own drive. */
  root: string | null = null;
  /** Ids in the order in which they changed. */
  private changed: string[] = [];
  /** Changes before this are forgotten. */
  private floor = 0;

  touch(id: string): void {
    this.changed.push(id);
  }

  forget(): void {
    this.floor = this.changed.length + 1;
    this.changed.push('none');
  }

  isTrashed({ trashed, parent }: FakeFile): boolean {
    const above = parent === null ? undefined : this.files.get(parent);
    return trashed || (above !== undefined && this.isTrashed(above));
  }

  childrenOf(id: string): readonly FakeFile[] {
    return [...this.files.values()].filter(({ parent }) => parent === id);
  }

  private typeOf(id: string): string {
    const { kind } = this.files.get(id) ?? { kind: 'file' };
    return kind === 'file' ? 'text/plain' : `${native}.${kind}`;
  }

  private present(file: FakeFile) {
    const { id, name, kind, parent, text, modifiedTime, target, size, drive } = file;
    return {
      id,
      name,
      mimeType: this.typeOf(id),
      ...(parent === null ? {} : { parents: [parent] }),
      trashed: this.isTrashed(file),
      modifiedTime,
      webViewLink: `https://drive.google.com/file/d/${id}/view`,
      ...(kind === 'file' ? { md5Checksum: `md5 of ${text}`, size: String(size ?? text.length) } : {}),
      ...(drive === undefined ? {} : { driveId: drive }),
      ...(target === undefined ? {} : { shortcutDetails: { targetId: target, targetMimeType: this.typeOf(target) } }),
    };
  }

  private answer({ url }: FakeRequest): FakeResponse {
    const query = url.searchParams;
    const [, , , collection, id, part] = url.pathname.split('/');
    const isForeign = this.foreign.has(query.get('driveId') ?? '');
    if (collection === 'changes' && isForeign) return googleError(403, 'teamDriveMembershipRequired');
    if (collection === 'drives') return this.drives(query);
    if (collection === 'changes') return id === 'startPageToken' ? this.start() : this.changes(query);
    if (id === undefined) return this.list(query);
    const file = this.files.get(id === 'root' ? (this.root ?? '') : id);
    if (this.failing.has(id)) return googleError(500, 'backendError');
    if (file === undefined) return googleError(404, 'notFound');
    const headers = { 'content-type': 'application/octet-stream' };
    const isContent = part === 'export' || query.get('alt') === 'media';
    if (isContent && this.broken.has(file.id)) return googleError(500, 'backendError');
    if (isContent && this.tooLarge.has(file.id)) return googleError(403, 'exportSizeLimitExceeded');
    if (part === 'export') {
      if (file.kind !== 'document' || query.get('mimeType') !== word) return googleError(403, 'fileNotExportable');
      return { status: 200, headers, body: docxOf(file.text) };
    }
    if (query.get('alt') !== 'media') return ok(this.present(file));
    if (file.kind !== 'file') return googleError(403, 'fileNotDownloadable');
    return { status: 200, headers, body: Buffer.from(file.text) };
  }

  private drives(query: URLSearchParams): FakeResponse {
    const names = [...new Set([...this.files.values()].flatMap(({ drive }) => drive ?? []))];
    const { rows, next } = pageOf(names, query.get('pageToken'), 2);
    return ok({ drives: rows.map((id) => ({ id, name: `Drive ${id}` })), ...next });
  }

  /** Finds files by a part of their name, anywhere, or lists those of others. */
  private search(query: URLSearchParams): FakeResponse | null {
    const q = query.get('q') ?? '';
    const text = /^name contains '((?:[^'\\]|\\.)*)' and trashed = false$/.exec(q)?.[1]?.replaceAll(/\\(.)/g, '$1');
    if (text === undefined && q !== 'sharedWithMe = true and trashed = false') return null;
    const found = [...this.files.values()].filter(
      (file) => !this.isTrashed(file) && (text === undefined ? file.isOfOthers === true : file.name.includes(text)),
    );
    const { rows, next } = pageOf(found, query.get('pageToken'), 2);
    return ok({ files: rows.map((file) => this.present(file)), ...next });
  }

  private list(query: URLSearchParams): FakeResponse {
    const found = this.search(query);
    if (found !== null) return found;
    const parent = /^'([\w-]+)' in parents and trashed = false$/.exec(query.get('q') ?? '')?.[1];
    if (parent === undefined) return googleError(400, 'invalid');
    if (!this.files.has(parent)) return googleError(404, 'notFound');
    const [corpora, drive] = [query.get('corpora') ?? 'user', query.get('driveId')];
    if ((corpora === 'drive') !== (drive !== null)) return googleError(400, 'invalid');
    if (this.foreign.has(drive ?? '')) return googleError(404, 'notFound');
    // By default an account lists its own files, those it has opened, and those shared with it.
    const within = this.childrenOf(parent).filter(
      (file) => !this.isTrashed(file) && (drive === null ? file.isUnopened !== true : file.drive === drive),
    );
    const { rows, next } = pageOf(within, query.get('pageToken'), 2);
    return ok({ files: rows.map((file) => this.present(file)), incompleteSearch: this.isIncomplete, ...next });
  }

  private start(): FakeResponse {
    return ok({ startPageToken: String(this.changed.length) });
  }

  private changes(query: URLSearchParams): FakeResponse {
    const from = Number(query.get('pageToken'));
    if (Number.isNaN(from) || from < this.floor) return googleError(410, 'pageTokenExpired');
    const until = Math.min(from + 3, this.changed.length);
    const log = query.get('driveId') ?? undefined;
    // Each log contains changes of its own drive only.
    const told = this.changed.slice(from, until).filter((fileId) => this.files.get(fileId)?.drive === log);
    const changes = told.map((fileId) => {
      const file = this.files.get(fileId);
      return file === undefined ? { removed: true, fileId } : { removed: false, fileId, file: this.present(file) };
    });
    const token = until < this.changed.length ? { nextPageToken: String(until) } : { newStartPageToken: String(until) };
    return ok({ changes, ...token });
  }
}
