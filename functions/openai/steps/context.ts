import type * as z from 'zod';
import type { aliasUses } from '../../../shared/aliases/index.ts';
import type { PrefixRequest } from '../../../shared/http/endpoint.ts';
import { problemsOf } from '../../../shared/http/validation-problems.ts';
import type { Deps } from '../../../shared/kernel/capability.ts';
import { AppError, notFound, ValidationFailure } from '../../../shared/kernel/errors.ts';
import { idPattern } from '../../../shared/kernel/ids.ts';
import type { OpenaiFiles, StoredFile, Uploads } from '../../../shared/openai-files/index.ts';
import type { Session } from '../../../shared/operations/index.ts';
import type { DownloadPresigner } from '../../../shared/platform/aws/objects.ts';
import { invalidParam } from './error-format.ts';
import type { listUses, operationUses } from './operations.ts';

/** Request of an authenticated client. */
export interface OpenaiContext {
  readonly operations: Deps<typeof operationUses>;
  readonly files: OpenaiFiles;
  readonly uploads: Uploads;
  readonly lists: Deps<typeof listUses>;
  readonly downloads: DownloadPresigner;
  readonly aliases: Deps<typeof aliasUses>['aliases'];
  readonly session: Session;
  readonly request: PrefixRequest;
  readonly contentType: string;
}

/** Response: JSON, the bytes of a file, or a URL that has them. */
export type OpenaiResult =
  | object
  | { readonly content: Uint8Array; readonly contentType: string }
  | { readonly location: string };

/** Throws 403 unless the caller may write. */
export const requireWrite = ({ session: { caller } }: OpenaiContext): void => {
  if (!caller.permissions.some((permission) => permission === 'write'))
    throw new AppError('write_permission_required', 'The credential needs the permission write');
};

/** Parses a JSON body. Throws 400. */
export const bodyOf = <Schema extends z.ZodType>({ request }: OpenaiContext, schema: Schema): z.output<Schema> => {
  let sent: unknown;
  try {
    sent = request.body.length === 0 ? {} : JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(request.body));
  } catch {
    throw new AppError('bad_request', 'The body is not valid JSON');
  }
  const parsed = schema.safeParse(sent);
  if (!parsed.success) throw new ValidationFailure(problemsOf('body', parsed.error.issues, sent));
  return parsed.data;
};

/** Page that a list request asks for. */
interface PageRequest {
  readonly limit: number;
  /** Id that the page follows; null for the first page. */
  readonly after: string | null;
  /** Id that the page precedes; null if the page follows one or is the first. */
  readonly before: string | null;
  readonly newestFirst: boolean;
}

const maxPage = 100;

/** Returns the page of a request. Throws 400. */
export const pageOf = ({ request: { query } }: OpenaiContext, most = maxPage): PageRequest => {
  const limit = Number(query['limit'] ?? 20);
  if (!Number.isInteger(limit) || limit < 1 || limit > most) throw invalidParam('limit', `A limit is 1 to ${most}`);
  const { order = 'desc', after = null, before = null } = query;
  if (order !== 'asc' && order !== 'desc') throw invalidParam('order', 'An order is asc or desc');
  if (after !== null && before !== null) throw invalidParam('before', 'A page has either after or before');
  return { limit, after, before, newestFirst: order === 'desc' };
};

/** Position of a page in a list that is read in either direction. */
interface Position {
  readonly limit: number;
  readonly after: string | null;
  readonly newestFirst: boolean;
}

/**
 * Returns a page. Items before an id are read against the order of the list.
 * @param read Returns at most `limit` items after a position, and whether more follow.
 */
export const readPage = async <Item>(
  { limit, after, before, newestFirst }: PageRequest,
  read: (position: Position) => Promise<{ readonly items: readonly Item[]; readonly hasMore: boolean }>,
): Promise<{ readonly items: readonly Item[]; readonly hasMore: boolean }> => {
  if (before === null) return read({ limit, after, newestFirst });
  const { items, hasMore } = await read({ limit, after: before, newestFirst: !newestFirst });
  return { items: items.toReversed(), hasMore };
};

/** Returns a list in the form of the OpenAI API. */
export const listOf = (data: readonly { readonly id: string }[], hasMore: boolean) => ({
  object: 'list',
  data,
  first_id: data.at(0)?.id ?? null,
  last_id: data.at(-1)?.id ?? null,
  has_more: hasMore,
});

/** Converts a time to seconds. */
export const secondsOf = (time: string | Date): number => Math.floor(new Date(time).getTime() / 1000);

/** Whether a caller may use a file. Credentials with a restriction to indexes see only files that they have uploaded. */
export const isVisible = ({ session: { caller } }: OpenaiContext, file: Pick<StoredFile, 'restrictedTo'>): boolean =>
  caller.indexIds === null || file.restrictedTo === caller.subjectId;

/** Returns a file. Throws 404. */
export const requireFile = async (context: OpenaiContext, fileId: string): Promise<StoredFile> => {
  const { organizationId } = context.session.caller;
  const file = idPattern('file').test(fileId) ? await context.files.get(organizationId, fileId) : null;
  if (file === null || !isVisible(context, file)) throw notFound('File');
  return file;
};
