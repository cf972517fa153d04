import * as z from 'zod';
import { toItemId, isDocument, parseItemId } from './item-id.ts';
import { endpoints, maxTextCharacters } from './operations.ts';
import { readText } from './read-text.ts';
import { titleOf, urlOf } from './source-of.ts';
import { bytesOfTokens, maxTokensOf } from './token-budget.ts';
import { search } from './search-tool.ts';
import { indexOf, limitOf, tool, type Tool } from './tool.ts';
import { AppError } from '../../../shared/kernel/errors.ts';

const Metadata = z.record(z.string(), z.unknown());
const Cursor = z.string().max(3000).optional().describe('next_cursor of the page before.');
const NextCursor = z.string().nullable().describe('Cursor of the next page; null on the last one.');
const ItemId = z.string().min(1).max(600);

const pageQuery = ({ cursor, limit }: { readonly cursor?: string | undefined; readonly limit: number }) => ({
  limit: String(limit),
  ...(cursor === undefined ? {} : { cursor }),
});

const fetchText = tool({
  title: 'Fetch a document',
  description:
    'Read the text of a document from its beginning, or from a passage on. If the text is longer than max_tokens, next_id continues it.',
  endpoint: endpoints.getFile,
  effect: 'read',
  isOfIndex: false,
  input: z.object({
    id: ItemId.describe('Id of a passage or document, from search or list_documents, or next_id of an earlier fetch.'),
    max_tokens: maxTokensOf(8_000),
  }),
  output: z.object({
    id: z.string().describe('The id of the call.'),
    title: z.string().describe('Title of the document.'),
    text: z.string().describe('The text.'),
    url: z.string().describe('Address of the document, for citations.'),
    metadata: Metadata.describe('Metadata of the document.'),
    truncated: z.boolean().describe('Whether the document has more text.'),
    next_id: z.string().nullable().describe('Id with which fetch continues; null at the end.'),
  }),
  run: (context, { id, max_tokens: tokens }) =>
    readText(context, parseItemId(id, context.indexId), bytesOfTokens(tokens)),
});

const listIndexes = tool({
  title: 'List indexes',
  description: 'List the indexes that these credentials can use, newest first.',
  endpoint: endpoints.getIndex,
  effect: 'read',
  isOfIndex: false,
  input: z.object({ limit: limitOf(100, 50), cursor: Cursor }),
  output: z.object({
    indexes: z.array(
      z.object({
        id: z.string().describe('Id of the index.'),
        name: z.string().describe('Name of the index.'),
        created_at: z.string().describe('When it was created.'),
        parent_index_id: z.string().nullable().describe('Index that it branched from; null: none.'),
      }),
    ),
    next_cursor: NextCursor,
  }),
  run: async ({ operations, session, indexId }, input) => {
    const { body, next } =
      indexId === null
        ? await operations.listIndexes(session, { query: pageQuery(input) })
        : { body: [(await operations.getIndex(session, { path: { index_id: indexId } })).body], next: null };
    const indexes = body.map(({ id, name, created_at, parent_index_id }) => ({
      id,
      name,
      created_at,
      parent_index_id,
    }));
    return { indexes, next_cursor: next };
  },
});

const describeIndex = tool({
  title: 'Describe an index',
  description: 'Get the name, language and size of an index, and when it was last written.',
  endpoint: endpoints.getIndexStats,
  effect: 'read',
  isOfIndex: true,
  input: z.object({}),
  output: z.object({
    id: z.string().describe('Id of the index.'),
    name: z.string().describe('Name of the index.'),
    status: z.string().describe('`ready` if it can be used.'),
    documents: z.int().describe('Completed documents.'),
    passages: z.int().describe('Passages and other rows.'),
    dimensions: z.int().describe('Numbers of each vector.'),
    text_language: z.string().describe('Language of word search.'),
    region: z.string().describe('Region that keeps the index.'),
    created_at: z.string().describe('When it was created.'),
    last_written_at: z.string().nullable().describe('When it was last written; null: never.'),
    parent_index_id: z.string().nullable().describe('Index that it branched from; null: none.'),
  }),
  run: async (context, input) => {
    const path = { index_id: await indexOf(context, input) };
    const [{ body: index }, { body: stats }] = await Promise.all([
      context.operations.getIndex(context.session, { path }),
      context.operations.getIndexStats(context.session, { path }),
    ]);
    return {
      id: index.id,
      name: index.name,
      status: stats.status,
      documents: stats.documents,
      passages: stats.vectors,
      dimensions: index.dimensions,
      text_language: index.text_language,
      region: index.cloud_region,
      created_at: index.created_at,
      last_written_at: stats.last_written_at,
      parent_index_id: index.parent_index_id,
    };
  },
});

const listDocuments = tool({
  title: 'List documents',
  description:
    'List the documents of an index, newest first, with their processing status. With a filter, a page may be empty although there is a next_cursor.',
  endpoint: endpoints.getFile,
  effect: 'read',
  isOfIndex: true,
  input: z.object({
    name: z.string().min(1).max(255).optional().describe('Only documents whose file name contains this text.'),
    limit: limitOf(100, 20),
    cursor: Cursor,
  }),
  output: z.object({
    documents: z.array(
      z.object({
        id: z.string().describe('Id of the document, for fetch and delete_document.'),
        title: z.string().describe('Title or file name.'),
        url: z.string().describe('Address of the document.'),
        status: z.string().describe('`completed` if it can be searched.'),
        source: z.string().describe('Where it came from.'),
        passages: z.int().describe('Its passages in the index.'),
        created_at: z.string().describe('When it was added.'),
        error: z.string().nullable().describe('Why its processing failed; null if it did not.'),
      }),
    ),
    next_cursor: NextCursor,
  }),
  run: async (context, input) => {
    const indexId = await indexOf(context, input);
    const { body, next } = await context.operations.listFiles(context.session, {
      path: { index_id: indexId },
      query: { ...pageQuery(input), ...(input.name === undefined ? {} : { q: input.name }) },
    });
    const documents = body.map(({ id, filename, metadata, status, source, vectors_written, created_at, error }) => {
      const cited = { indexId, itemId: id, metadata, file: { job_id: id, filename } };
      return {
        id: toItemId(indexId, id),
        title: titleOf(cited),
        url: urlOf(cited, context.origin),
        status,
        source,
        passages: vectors_written,
        created_at,
        error,
      };
    });
    return { documents, next_cursor: next };
  },
});

const addText = tool({
  title: 'Add a text',
  description:
    'Add a text to an index as a new document. It is split into passages in the background and is searchable some seconds later; list_documents shows its status.',
  endpoint: endpoints.createTextFile,
  effect: 'add',
  isOfIndex: true,
  input: z.object({
    title: z.string().min(1).max(200).describe('Title of the document.'),
    text: z.string().min(1).max(maxTextCharacters).describe('The text, plain or Markdown.'),
    metadata: Metadata.optional().describe('Metadata of the document, for filters of search.'),
    idempotency_key: z
      .string()
      .regex(/^[\x21-\x7e]{1,255}$/, '1 to 255 visible ASCII characters')
      .optional()
      .describe('Key of this addition. A repeat with the same key within 24 hours adds nothing.'),
  }),
  output: z.object({
    id: z.string().describe('Id of the document.'),
    status: z.string().describe('Status of its processing.'),
  }),
  run: async (context, input) => {
    const indexId = await indexOf(context, input);
    const { body } = await context.operations.createTextFile(context.session, {
      path: { index_id: indexId },
      idempotencyKey: input.idempotency_key,
      body: {
        filename: `${input.title.replaceAll(/[/\\]/g, '-')}.md`,
        content_type: 'text/markdown',
        metadata: { ...input.metadata, title: input.title },
        text: input.text,
      },
    });
    return { id: toItemId(indexId, body.id), status: body.status };
  },
});

const addUrl = tool({
  title: 'Add a web page',
  description:
    'Add one page of the public web to an index. It is fetched in the background; list_documents shows it when it is stored.',
  endpoint: endpoints.createCrawlJob,
  effect: 'add',
  isOfIndex: true,
  input: z.object({ url: z.string().min(1).max(2_048).describe('Address of the page, http or https.') }),
  output: z.object({
    crawl_id: z.string().describe('Id of the crawl job that fetches the page.'),
    status: z.string().describe('Status of the crawl job.'),
  }),
  run: async (context, input) => {
    const { body } = await context.operations.createCrawlJob(context.session, {
      path: { index_id: await indexOf(context, input) },
      body: { url: input.url, page_limit: 1, max_depth: 0 },
    });
    return { crawl_id: body.id, status: body.status };
  },
});

const deleteDocument = tool({
  title: 'Delete a document',
  description: 'Delete a document with all of its passages. This cannot be undone.',
  endpoint: endpoints.deleteFile,
  effect: 'delete',
  isOfIndex: false,
  input: z.object({ id: ItemId.describe('Id of the document, from list_documents or document_id of a passage.') }),
  output: z.object({ id: z.string().describe('Id of the deleted document.'), deleted: z.boolean().describe('True.') }),
  run: async ({ operations, session, indexId: served }, { id }) => {
    const { indexId, itemId } = parseItemId(id, served);
    if (!isDocument(itemId))
      throw new AppError('bad_request', 'This is the id of a passage: pass its document_id to delete the document');
    await operations.deleteFile(session, { path: { index_id: indexId, job_id: itemId } });
    return { id, deleted: true };
  },
});

/** Tools by name. Names and fields of `search` and `fetch` are those that ChatGPT expects of a source for research. */
export const tools: Readonly<Record<string, Tool>> = {
  search,
  fetch: fetchText,
  list_indexes: listIndexes,
  describe_index: describeIndex,
  list_documents: listDocuments,
  add_text: addText,
  add_url: addUrl,
  delete_document: deleteDocument,
};
