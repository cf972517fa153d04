import * as z from 'zod';
import type { ValidationProblem } from '../kernel/errors.ts';
import { isObject } from '../kernel/json.ts';

/** Fields of this API with their names in Pinecone, Qdrant, Chroma, turbopuffer and Weaviate. */
const namesElsewhere: Readonly<Record<string, readonly string[]>> = {
  id: ['_id', 'uuid'],
  ids: ['points', 'id'],
  vector: ['values', 'embedding', 'queryVector', 'query_vector', 'query_embedding', 'query_embeddings', 'query'],
  text: ['query', 'query_text', 'query_texts', 'document', 'documents', 'content', 'chunk_text', 'page_content'],
  metadata: ['payload', 'attributes', 'properties', 'setMetadata', 'metadatas'],
  top_k: ['topK', 'limit', 'n_results', 'k'],
  filter: ['filters', 'where'],
  include: [
    'includeMetadata',
    'include_metadata',
    'includeValues',
    'include_values',
    'include_attributes',
    'with_payload',
    'with_vector',
    'with_vectors',
  ],
  include_vectors: ['includeValues', 'include_values', 'with_vector', 'with_vectors'],
  if_version: ['version'],
};

const namedByPath = 'the path contains the index';
const chosenByFilter = 'delete the index, or the rows that match a filter';
const words = 'sparse search takes words as `text`';

/** Fields of the same services that have no counterpart in this API. */
const adviceElsewhere: Readonly<Record<string, string>> = {
  namespace: 'instead of a namespace use an index, or a key of the metadata with a filter',
  collection_name: namedByPath,
  indexName: namedByPath,
  deleteAll: chosenByFilter,
  delete_all: chosenByFilter,
  sparseVector: words,
  sparse_vector: words,
  sparseValues: words,
  sparse_values: words,
  alpha: 'the share of the dense side is `fusion.dense_weight`',
  rank_by: 'the path contains the kind of search',
};

/** Fields of the same services that contain a list of rows. */
const rowLists = ['vectors', 'points', 'upsert_rows', 'rows', 'records', 'objects'];
/** Fields of the same services that contain columns: each lists one field of all rows. */
const columnLists = ['ids', 'embeddings', 'metadatas', 'documents', 'upsert_columns', 'batch'];

const isNameOf = (field: string, name: string): boolean => namesElsewhere[field]?.includes(name) === true;

/** Returns a name without its case, its underscores and the ending of a plural. */
const canonical = (name: string): string => name.replaceAll('_', '').toLowerCase().replace(/s$/, '');

const fieldsOf = (schema: unknown): readonly string[] =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];

/** Returns hints for an unknown field; none if no other service has it and no field has a similar name. */
const hintsForField = (name: string, value: unknown, fields: readonly string[]): readonly string[] => {
  const known = fields.filter((field) => isNameOf(field, name));
  const similar = fields.find((field) => canonical(field) === canonical(name));
  const field = Array.isArray(value) && known.includes('vector') ? 'vector' : (known[0] ?? similar);
  if (field !== undefined) return [`\`${name}\` is \`${field}\` here`];
  const advice = Object.hasOwn(adviceElsewhere, name) ? adviceElsewhere[name] : undefined;
  return advice === undefined ? [] : [advice];
};

const hintsForObject = (value: unknown, fields: readonly string[]): readonly string[] =>
  isObject(value)
    ? Object.entries(value).flatMap(([name, sent]) => (fields.includes(name) ? [] : hintsForField(name, sent, fields)))
    : [];

/** Returns hints for an object that was sent instead of a list of rows. */
const hintsForList = (sent: Readonly<Record<string, unknown>>, fields: readonly string[]): readonly string[] => {
  for (const name of rowLists) {
    const rows = sent[name];
    if (Array.isArray(rows)) return [`send the list of \`${name}\` itself`, ...hintsForObject(rows[0], fields)];
  }
  const row = `{${fields.map((field) => `"${field}": …`).join(', ')}}`;
  if (columnLists.some((name) => Object.hasOwn(sent, name)))
    return [`send a list with an object for each row: [${row}, …]`];
  return Object.hasOwn(sent, 'id') ? ['send a list, even of one row'] : [];
};

const hintsForProblem = ({ loc, type }: ValidationProblem, schema: unknown, sent: unknown): readonly string[] => {
  const [, ...path] = loc;
  const isList = schema instanceof z.ZodArray;
  const fields = fieldsOf(isList ? schema.element : schema);
  if (isList && path.length === 0) return type === 'list_type' && isObject(sent) ? hintsForList(sent, fields) : [];
  const object = isList ? (sent as readonly unknown[])[Number(path.shift())] : sent;
  if (!isObject(object) || path.length > 1) return [];
  const [field] = path;
  if (field === undefined) return [];
  const name = String(field);
  if (type === 'extra_forbidden') return hintsForField(name, object[name], fields);
  const sentAs = type === 'missing' ? Object.keys(object).filter((other) => isNameOf(name, other)) : [];
  return sentAs.map((other) => `\`${other}\` is \`${name}\` here`);
};

/**
 * Adds hints to the problems of a body for field names of other vector stores, such as `topK` for `top_k`. `loc` and `type`
 * of the problems do not change.
 */
export const withHints = (
  problems: readonly ValidationProblem[],
  schema: unknown,
  sent: unknown,
): readonly ValidationProblem[] =>
  problems.map((problem) => {
    const hints = hintsForProblem(problem, schema, sent);
    return hints.length === 0 ? problem : { ...problem, msg: `${problem.msg}; ${hints.join('; ')}` };
  });
