import * as z from 'zod';
import { CrawlJobResponse } from '../../../shared/crawls/index.ts';
import { addText, addTextUses, FileJobResponse, FileReplacement } from '../../../shared/files/index.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { IndexResponse, IndexStats } from '../../../shared/indexes/index.ts';
import { readerInvoke } from '../../../shared/reader/index.ts';
import {
  HybridSearch,
  prefetchSearch,
  runSearch,
  searchProblems,
  SearchResponse,
  searchUses,
} from '../../../shared/search/index.ts';
import { FetchResponse, VectorRecord } from '../../../shared/vectors/index.ts';
import { createCrawlJob } from '../../crawls/create.ts';
import { deleteFile } from '../../files/delete.ts';
import { getFile } from '../../files/get.ts';
import { listFileChunks } from '../../files/list-chunks.ts';
import { listFiles } from '../../files/list.ts';
import { getIndex } from '../../indexes/get.ts';
import { getIndexStats } from '../../indexes/get-stats.ts';
import { listIndexes } from '../../indexes/list.ts';
import { fetchVectors } from '../../vectors/fetch.ts';
import { operation } from '../../../shared/operations/index.ts';

/**
 * Hybrid search through the reader function. The MCP function thus needs neither the engine nor access to index tables.
 */
const search = endpoint({
  id: 'mcp-search',
  method: 'POST',
  path: '/v1/indexes/{index_id}/search/hybrid',
  tag: 'Search',
  summary: 'Search by meaning and words',
  auth: { needs: 'read', servesBound: true },
  rate: 'searches',
  uses: searchUses(readerInvoke),
  body: HybridSearch,
  status: 200,
  response: SearchResponse,
  prefetch: prefetchSearch('hybrid'),
  problems: searchProblems('hybrid'),
  handle: (call) => runSearch(call, { mode: 'hybrid', ...call.body }),
});

/** Longest text that `add_text` accepts, in characters. */
export const maxTextCharacters = 200_000;

const createTextFile = endpoint({
  id: 'mcp-add-text',
  method: 'POST',
  path: '/v1/indexes/{index_id}/files',
  tag: 'Files',
  summary: 'Add a text',
  auth: { needs: 'write', servesBound: true },
  rate: 'file_jobs',
  idempotent: true,
  uses: addTextUses,
  body: FileReplacement.extend({ text: z.string().min(1).max(maxTextCharacters) }),
  status: 201,
  response: FileJobResponse,
  handle: (call) => addText(call, call.path.index_id, call.body, call.body.text),
});

/** Endpoints that tools call, by the name of the tool or step. Access, features and rate limits of tools derive from them. */
export const endpoints = { search, createTextFile, createCrawlJob, deleteFile, getFile, getIndex, getIndexStats };

/** Operations of the MCP server, which are the endpoints of the API. */
export const operationUses = {
  search: operation(search, SearchResponse),
  createTextFile: operation(createTextFile, FileJobResponse),
  createCrawlJob: operation(createCrawlJob, CrawlJobResponse),
  deleteFile: operation(deleteFile, z.unknown()),
  getFile: operation(getFile, FileJobResponse),
  listFiles: operation(listFiles, z.array(FileJobResponse)),
  getIndex: operation(getIndex, IndexResponse),
  getIndexStats: operation(getIndexStats, IndexStats),
  listIndexes: operation(listIndexes, z.array(IndexResponse)),
  fetchVectors: operation(fetchVectors, FetchResponse),
  listFileChunks: operation(listFileChunks, z.array(VectorRecord)),
};
