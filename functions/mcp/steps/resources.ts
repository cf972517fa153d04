import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from '@modelcontextprotocol/server';
import { AppError } from '../../../shared/kernel/errors.ts';
import { readText } from './read-text.ts';
import { titleOf } from './source-of.ts';
import { bytesOfTokens } from './token-budget.ts';
import type { ToolContext } from './tool.ts';

const documentsOfPage = 50;
/** Limit of the text of a resource in tokens. `fetch` reads more of a document. */
const resourceTokens = 20_000;

/** Form of the URI of a document. */
export const resourceTemplate = 'strata://{index_id}/{document_id}';
const uriForm = /^strata:\/\/(idx_[0-9a-z]{26})\/(job_[0-9a-z]{26})$/;

/** Position in the documents of all indexes: an index, and the cursor of a page of its documents. */
const positionForm = /^(idx_[0-9a-z]{26})(?:\.([\w-]+))?$/;

const invalidCursor = () =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, 'This is not a cursor of resources/list');

/** Returns the next index after one in the order of `list_indexes`; the first one if there is none before. */
const indexAfter = async ({ operations, session }: ToolContext, before: string | null): Promise<string | null> => {
  const after = before === null ? {} : { cursor: Buffer.from(before).toString('base64url') };
  const { body } = await operations.listIndexes(session, { query: { limit: '1', ...after } });
  return body[0]?.id ?? null;
};

const positionOf = async (
  context: ToolContext,
  cursor: string | undefined,
): Promise<{ readonly indexId: string; readonly page: string | undefined } | null> => {
  const [, named, page] = positionForm.exec(cursor ?? '') ?? [];
  if (cursor !== undefined && (named === undefined || (context.indexId !== null && named !== context.indexId)))
    throw invalidCursor();
  const indexId = named ?? context.indexId ?? (await indexAfter(context, null));
  return indexId === null ? null : { indexId, page };
};

/** Lists completed documents, one index after the other. A page has those of one index. */
export const listResources = async (context: ToolContext, cursor: string | undefined) => {
  const position = await positionOf(context, cursor);
  if (position === null) return { resources: [] };
  const { indexId, page } = position;
  const { body, next } = await context.operations.listFiles(context.session, {
    path: { index_id: indexId },
    query: {
      limit: String(documentsOfPage),
      status: 'completed,completed_with_warnings',
      ...(page === undefined ? {} : { cursor: page }),
    },
  });
  const resources = body.map(({ id, filename, metadata }) => ({
    uri: `strata://${indexId}/${id}`,
    name: filename,
    title: titleOf({ indexId, itemId: id, metadata, file: { job_id: id, filename } }),
    mimeType: 'text/plain',
  }));
  if (next !== null) return { resources, nextCursor: `${indexId}.${next}` };
  const following = context.indexId === null ? await indexAfter(context, indexId) : null;
  return following === null ? { resources } : { resources, nextCursor: following };
};

/** Reads the text of a document, cut at a limit. */
export const readResource = async (context: ToolContext, uri: string) => {
  const [, indexId, itemId] = uriForm.exec(uri) ?? [];
  if (indexId === undefined || itemId === undefined) throw new ResourceNotFoundError(uri);
  if (context.indexId !== null && context.indexId !== indexId) throw new ResourceNotFoundError(uri);
  try {
    const { text, next_id: next } = await readText(context, { indexId, itemId }, bytesOfTokens(resourceTokens));
    const rest = next === null ? '' : `\n\n[The text goes on: call fetch with the id ${next}.]`;
    return { contents: [{ uri, mimeType: 'text/plain', text: `${text}${rest}` }] };
  } catch (error) {
    throw error instanceof AppError && error.code === 'not_found' ? new ResourceNotFoundError(uri) : error;
  }
};
