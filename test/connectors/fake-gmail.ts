import { FakeGoogle, googleError, ok, pageOf } from './fake-google.ts';
import type { FakeResponse, FakeRequest } from './fake-server.ts';

export interface FakeMail {
  readonly id: string;
  readonly labels: Set<string>;
  readonly at: Date;
  readonly text: string;
}

const out = ['TRASH', 'SPAM'];

/** Gmail's API (v1) as far as a connector reads it, with pages of few messages. */
export class FakeGmail {
  readonly google = new FakeGoogle((asked) => this.answer(asked));
  readonly mails = new Map<string, FakeMail>();
  /** Messages at which the server fails. */
  readonly failing = new Set<string>();
  private readonly history: Record<string, unknown>[] = [];
  private floor = 0;

  /** Writes down what has happened to a message, as `messagesAdded` or `labelsRemoved`. */
  tell(what: string, id: string, labelIds?: readonly string[]): void {
    this.history.push({ [what]: [{ message: { id }, ...(labelIds === undefined ? {} : { labelIds }) }] });
  }

  forget(): void {
    this.history.push({});
    this.floor = this.history.length;
  }

  private answer({ url }: FakeRequest): FakeResponse {
    const [collection, id] = url.pathname.replace('/gmail/v1/users/me/', '').split('/');
    const query = url.searchParams;
    if (collection === 'profile') return ok({ historyId: String(this.history.length) });
    if (collection === 'labels')
      return ok({
        labels: [
          { id: 'INBOX', name: 'INBOX' },
          { id: 'Label_1', name: 'Invoices' },
        ],
      });
    if (collection === 'history') return this.listHistory(query);
    if (id === undefined) return this.list(query);
    if (this.failing.has(id)) return googleError(503, 'backendError');
    const mail = this.mails.get(id);
    return mail === undefined ? googleError(404, 'notFound') : ok(this.present(mail, query.get('format')));
  }

  private present({ id, labels, at, text }: FakeMail, format: string | null) {
    const [subject, from] = [`Subject of ${id}`, 'Ann <ann@example.com>'];
    const raw = `From: ${from}\r\nTo: bob@example.com\r\nSubject: ${subject}\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${text}\r\n`;
    const told = {
      id,
      threadId: id,
      labelIds: [...labels],
      internalDate: String(at.getTime()),
      sizeEstimate: raw.length,
    };
    if (format === 'raw') return { ...told, raw: Buffer.from(raw).toString('base64url') };
    const headers = [
      { name: 'Subject', value: subject },
      { name: 'From', value: from },
    ];
    return { ...told, payload: { headers } };
  }

  private list(query: URLSearchParams): FakeResponse {
    const q = query.get('q') ?? '';
    const after = Number(/after:(\d+)/.exec(q)?.[1] ?? 0) * 1000;
    const shown = [...this.mails.values()]
      .filter(({ labels, at }) => at.getTime() > after && !out.some((label) => labels.has(label)))
      .filter(({ labels }) => !(q.includes('-in:drafts') && labels.has('DRAFT')))
      .toSorted((a, b) => b.at.getTime() - a.at.getTime());
    const { rows, next } = pageOf(shown, query.get('pageToken'), 3);
    // Gmail omits an empty list.
    return ok(
      rows.length === 0
        ? { resultSizeEstimate: 0 }
        : { messages: rows.map(({ id }) => ({ id, threadId: id })), ...next },
    );
  }

  private listHistory(query: URLSearchParams): FakeResponse {
    const start = Number(query.get('startHistoryId'));
    if (start < this.floor) return googleError(404, 'notFound');
    const { rows, next } = pageOf(this.history.slice(start), query.get('pageToken'), 2);
    return ok({ ...(rows.length === 0 ? {} : { history: rows }), ...next, historyId: String(this.history.length) });
  }
}
