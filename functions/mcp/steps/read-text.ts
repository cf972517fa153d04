import { AppError, notFound } from '../../../shared/kernel/errors.ts';
import { isObject, type JsonObject } from '../../../shared/kernel/json.ts';
import { headingPathOf } from '../../../shared/kernel/row-metadata.ts';
import { documentOfChunk, isDocument, type ItemAddress, toItemId } from './item-id.ts';
import { atPassage, givenMetadata, titleOf, urlOf } from './source-of.ts';
import { cutText } from './token-budget.ts';
import type { ToolContext } from './tool.ts';

/** Text of a document or row. */
interface ReadText {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly url: string;
  readonly metadata: JsonObject;
  /** Whether the text was cut. */
  readonly truncated: boolean;
  /** Id from which the text of the document goes on; null at its end. */
  readonly next_id: string | null;
}

type Row = Awaited<ReturnType<ToolContext['operations']['listFileChunks']>>['body'][number];

/** Chunks of one read, which have more text than the largest response. */
const chunksOfPage = 100;

const cursorAt = (key: string): string => Buffer.from(key).toString('base64url');

/** Returns a key that sorts directly before the id of a chunk and after the chunk before it. */
const keyBefore = (chunkId: string): string =>
  `${chunkId.slice(0, -1)}${String.fromCharCode((chunkId.codePointAt(chunkId.length - 1) ?? 1) - 1)}~`;

const numberAt = (metadata: unknown, name: string): number => {
  const value = isObject(metadata) ? metadata[name] : undefined;
  return typeof value === 'number' ? value : 0;
};

/** Returns the text of a chunk without the beginning that it shares with the end of the chunk before it. */
const withoutOverlap = (row: Row, before: Row | undefined): string => {
  const text = row.text ?? '';
  const shared = numberAt(before?.metadata, 'end') - numberAt(row.metadata, 'start');
  const isShared = shared > 0 && (before?.text ?? '').endsWith(text.slice(0, shared));
  return isShared ? text.slice(shared) : text;
};

/** Joins chunks up to a limit. At least the first is part of the text, cut if it is too long. */
const joinChunks = (rows: readonly Row[], maxBytes: number): { readonly text: string; readonly rest: Row | null } => {
  let text = '';
  for (const [at, row] of rows.entries()) {
    const more = `${text}${at === 0 ? '' : '\n\n'}${withoutOverlap(row, rows[at - 1])}`;
    if (at > 0 && Buffer.byteLength(more) > maxBytes) return { text, rest: row };
    text = more;
  }
  return { text, rest: null };
};

const readFrom = async (
  { operations, session, origin }: ToolContext,
  { indexId, itemId }: ItemAddress,
  place: { readonly jobId: string; readonly after: string },
  maxBytes: number,
): Promise<ReadText | null> => {
  const { body: rows, next } = await operations.listFileChunks(session, {
    path: { index_id: indexId, job_id: place.jobId },
    query: { limit: String(chunksOfPage), cursor: cursorAt(place.after) },
  });
  const [first] = rows;
  if (first === undefined) return null;
  const { text: joined, rest } = joinChunks(rows, maxBytes);
  const text = cutText(joined, maxBytes);
  const isEnd = rest === null && next === null;
  const last = rows.at(-1) ?? first;
  const cited = { indexId, itemId: first.id, metadata: first.metadata, file: first.file };
  const headings = headingPathOf(first.metadata);
  const { start_seconds: seconds } = first.metadata;
  return {
    id: toItemId(indexId, itemId),
    title: titleOf(cited),
    text,
    url: atPassage(
      urlOf(cited, origin),
      first.file?.page_start ?? null,
      typeof seconds === 'number' ? seconds : undefined,
    ),
    metadata: {
      ...givenMetadata(first.metadata),
      ...(headings.length === 0 ? {} : { headings: [...headings] }),
      ...(typeof seconds === 'number' ? { time_start: seconds } : {}),
      ...(first.file?.page_start == null ? {} : { page_start: first.file.page_start }),
      ...(last.file?.page_end == null ? {} : { page_end: (rest === null ? last : first).file?.page_end ?? null }),
    },
    truncated: !isEnd || text !== joined,
    next_id: isEnd ? null : toItemId(indexId, (rest ?? last).id),
  };
};

const readDocument = async (context: ToolContext, address: ItemAddress, maxBytes: number): Promise<ReadText> => {
  const { operations, session, origin } = context;
  const { indexId, itemId: jobId } = address;
  const { body: job } = await operations.getFile(session, { path: { index_id: indexId, job_id: jobId } });
  const read = await readFrom(context, address, { jobId, after: `${jobId}:` }, maxBytes);
  if (read !== null) return read;
  if (!job.status.startsWith('completed'))
    throw new AppError('conflict', `The document has no text yet: its status is ${job.status}`);
  const cited = { indexId, itemId: jobId, metadata: job.metadata, file: { job_id: jobId, filename: job.filename } };
  const metadata = givenMetadata(job.metadata);
  const known = { id: toItemId(indexId, jobId), title: titleOf(cited), url: urlOf(cited, origin), metadata };
  return { ...known, text: '', truncated: false, next_id: null };
};

const readRow = async (context: ToolContext, address: ItemAddress, maxBytes: number): Promise<ReadText> => {
  const { operations, session, origin } = context;
  const { indexId, itemId } = address;
  const { body } = await operations.fetchVectors(session, {
    path: { index_id: indexId },
    body: { ids: [itemId], include_vectors: false },
  });
  const [row] = body.vectors;
  if (row === undefined) throw notFound('Passage');
  const cited = { indexId, itemId, metadata: row.metadata, file: row.file, text: row.text };
  const text = row.text ?? '';
  const cut = cutText(text, maxBytes);
  return {
    id: toItemId(indexId, itemId),
    title: titleOf(cited),
    text: cut,
    url: urlOf(cited, origin),
    metadata: givenMetadata(row.metadata),
    truncated: cut !== text,
    next_id: null,
  };
};

/**
 * Reads a document from its beginning, a document from one of its passages on, or a row of another source. One read of the
 * index is made, whose rows may be more than fit. Throws 404, and 409 for a document that is not processed yet.
 */
export const readText = async (context: ToolContext, address: ItemAddress, maxBytes: number): Promise<ReadText> => {
  const { itemId } = address;
  if (isDocument(itemId)) return readDocument(context, address, maxBytes);
  const jobId = documentOfChunk(itemId);
  if (jobId === null) return readRow(context, address, maxBytes);
  const read = await readFrom(context, address, { jobId, after: keyBefore(itemId) }, maxBytes);
  if (read === null) throw notFound('Passage');
  return read;
};
