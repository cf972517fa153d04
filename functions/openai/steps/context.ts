import type { EndpointResponse } from '../../../shared/http/endpoint.ts';
import type { Deps } from '../../../shared/kernel/capability.ts';
import { notFound } from '../../../shared/kernel/errors.ts';
import { idPattern } from '../../../shared/kernel/ids.ts';
import {
  type OpenaiFiles,
  openaiFiles,
  openaiUploads,
  type StoredFile,
  type Uploads,
} from '../../../shared/openai-files/index.ts';
import { type Session, sessionOf } from '../../../shared/operations/index.ts';
import { originalDownload } from '../../../shared/platform/aws/content.ts';
import { embeddingModelsKnown } from '../../../shared/platform/models/model-names.ts';
import { rerankModelsKnown } from '../../../shared/platform/rerank/rerank-models.ts';
import type { DownloadPresigner } from '../../../shared/platform/aws/objects.ts';
import { openaiErrorFormat } from './error-format.ts';
import { listUses, operationUses } from './operations.ts';
import type { PageQuery } from './schemas.ts';

const openaiUses = {
  ...operationUses,
  ...listUses,
  originals: openaiFiles,
  uploads: openaiUploads,
  downloads: originalDownload,
  models: embeddingModelsKnown,
  rerankModels: rerankModelsKnown,
};

/** Fields that the definitions of all routes share. */
export const openai = {
  tag: 'OpenAI',
  errorFormat: openaiErrorFormat,
  uses: openaiUses,
  status: 200,
  produces: 'application/json',
} as const;

/** Request of an authorized client. */
export interface OpenaiContext {
  readonly operations: Deps<typeof operationUses>;
  readonly files: OpenaiFiles;
  readonly uploads: Uploads;
  readonly lists: Deps<typeof listUses>;
  readonly downloads: DownloadPresigner;
  readonly session: Session;
  /** Ids of the rerankers. */
  readonly rerankers: readonly string[];
}

/** Returns the context of a call. */
export const contextOf = ({ deps, ...call }: Session & { readonly deps: Deps<typeof openaiUses> }): OpenaiContext => {
  const { originals: files, uploads, downloads, jobs, indexes, models: _models, rerankModels, ...operations } = deps;
  return {
    operations,
    files,
    uploads,
    downloads,
    lists: { jobs, indexes },
    session: sessionOf(call),
    rerankers: rerankModels.all.map(({ id }) => id),
  };
};

/** Returns a JSON response. */
export const json = async (result: Promise<object> | object): Promise<EndpointResponse<string>> => ({
  body: JSON.stringify(await result),
});

/** Page that a list request asks for. */
export type PageRequest = Pick<PageQuery, 'limit'> & {
  /** Id that the page follows; null for the first page. */
  readonly after: string | null;
  /** Id that the page precedes; null if the page follows one or is the first. */
  readonly before: string | null;
  readonly newestFirst: boolean;
};

/** Returns the page of a query. */
export const pageOf = ({ limit, after, before, order }: PageQuery): PageRequest => ({
  limit,
  after: after ?? null,
  before: before ?? null,
  newestFirst: order === 'desc',
});

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

/** Returns the subject whose files a caller sees; null for a caller without a restriction, who sees those of all. */
export const restrictionOf = ({ session: { caller } }: OpenaiContext): string | null =>
  caller.indexIds === null && caller.bounds === null ? null : caller.subjectId;

/**
 * Whether a caller may use a file. Credentials with a restriction to indexes, or bound to rows, see only files that they have
 * uploaded.
 */
export const isVisible = (context: OpenaiContext, file: Pick<StoredFile, 'restrictedTo'>): boolean => {
  const restriction = restrictionOf(context);
  return restriction === null || file.restrictedTo === restriction;
};

/** Returns a file. Throws 404. */
export const requireFile = async (context: OpenaiContext, fileId: string): Promise<StoredFile> => {
  const { organizationId } = context.session.caller;
  const file = idPattern('file').test(fileId) ? await context.files.get(organizationId, fileId) : null;
  if (file === null || !isVisible(context, file)) throw notFound('File');
  return file;
};
