import * as z from 'zod';
import { partOfChunk } from '../../../../shared/files/index.ts';
import {
  fromWireWrite,
  type IndexRecord,
  type LogMessage,
  type RowWrite,
  unpackRows,
  WirePatch,
} from '../../../../shared/indexes/index.ts';
import { isSameChunking } from '../../../../shared/kernel/chunking.ts';
import { embeddedText, maxMetadataBytes } from '../../../../shared/kernel/row-metadata.ts';
import { beginTaskWrite } from '../../../../shared/ledger/index.ts';
import { addErasedRows } from '../../../../shared/erasures/index.ts';
import { cutRowsAgain, openCutParts } from '../../../../shared/rebuilds/index.ts';
import { bothFilters, expiredBy, type Filter, FilterSchema, type Change, type Expected, type Row } from '#engine';
import { ledgerOf, type Writing } from '../uses.ts';

/** Bytes of memory for each byte of a commit. A commit takes up to nine times its weight, and the function some 200 MB more. */
const memoryPerWeight = 12;

/** Returns the maximum weight in bytes of a change that must be one commit. */
export const maxCommitBytes = ({ run }: Pick<Writing, 'run'>): number => (run.memoryMb * 1024 * 1024) / memoryPerWeight;

/** Remaining milliseconds below which a run begins no further change. A change may take this long, and a killed run repeats it. */
const reserveMs = 60_000;

/** Whether a run is too short of time to begin a further change. */
export const isShortOfTime = ({ run }: Pick<Writing, 'run'>): boolean => run.remainingMs() < reserveMs;

/** Change without rows. If the table remembers the key of the message, the commit returns the result of that change. */
export const lookupOnly: Change = { kind: 'upsert', rows: [] };

/** Loads a part of a change from the content bucket. */
const loadPart = async ({ deps }: Writing, index: IndexRecord, key: string): Promise<Uint8Array> => {
  const bytes = await deps.content.get(index.region, key);
  if (bytes === null) throw new Error(`a part of a change is missing: ${key}`);
  return bytes;
};

/** Loads a part that was stored as JSON. */
const loadKept = async <Part>(
  writing: Writing,
  index: IndexRecord,
  key: string,
  schema: z.ZodType<Part>,
): Promise<Part> => schema.parse(JSON.parse(new TextDecoder().decode(await loadPart(writing, index, key))));

/** Returns the items of a change, inline or from the content bucket. */
const loadItems = async <Item>(
  writing: Writing,
  index: IndexRecord,
  items: readonly Item[] | { readonly key: string },
  schema: z.ZodType<Item>,
): Promise<readonly Item[]> => ('key' in items ? loadKept(writing, index, items.key, z.array(schema)) : items);

/** Returns rows whose texts are embedded by the model of an index. Rows without a text keep their vectors. */
export const embedAgain = async <Some extends Row>(
  { deps }: Pick<Writing, 'deps'>,
  { embeddingModel, dimensions }: IndexRecord,
  rows: readonly Some[],
): Promise<readonly Some[]> => {
  const withText = rows.filter(({ text }) => text !== null);
  if (withText.length === 0) return rows;
  const { vectors } = await deps.contents.embedders(embeddingModel).embed(withText.map(embeddedText), dimensions);
  const embedded = new Map(withText.map(({ id }, at) => [id, vectors[at]]));
  return rows.map((row) => ({ ...row, vector: embedded.get(row.id) ?? row.vector }));
};

/**
 * Returns rows with vectors of the model of the index. If a rebuild has changed it since rows were embedded, they are embedded
 * again.
 */
const ofItsModel = async (
  writing: Writing,
  index: IndexRecord,
  rows: readonly RowWrite[],
): Promise<readonly RowWrite[]> => {
  const isOther = ({ model = index.embeddingModel }: RowWrite): boolean => model !== index.embeddingModel;
  const again = await embedAgain(writing, index, rows.filter(isOther));
  const embedded = new Map(again.map(({ id, vector }) => [id, vector]));
  return rows.map((row) => {
    const { model: _, chunking: __, ...written } = row;
    return { ...written, vector: embedded.get(row.id) ?? row.vector };
  });
};

/** Rows that the writer cuts a part into. The log waits while they are embedded. */
const maxCutRows = 1_000;

/**
 * Returns the rows of a part of a file as the index cuts files. If a rebuild has changed that since the file was read, they are
 * cut again.
 */
const asItsChunks = async (
  { deps }: Writing,
  index: IndexRecord,
  rows: readonly RowWrite[],
): Promise<readonly RowWrite[]> => {
  const [first] = rows;
  const part = first?.passage === undefined ? null : partOfChunk(first.id);
  if (first === undefined || part === null || first.chunking === 'file') return rows;
  if (isSameChunking(first.chunking ?? null, index.chunking)) return rows;
  const cut = cutRowsAgain(part, await openCutParts(deps.content, index)(part), rows, index.chunking);
  if (cut === null || cut.length > maxCutRows) return rows;
  const missing = cut.map((row) => ({ ...row, vector: new Float32Array() }));
  const embedded = await embedAgain({ deps }, index, missing);
  return embedded.map((row) => ({ ...row, model: index.embeddingModel }));
};

/** Loads the rows of a part. */
export const loadRows = async (
  writing: Writing,
  index: IndexRecord,
  { key }: { readonly key: string },
): Promise<readonly RowWrite[]> => {
  const rows = await asItsChunks(writing, index, unpackRows(await loadPart(writing, index, key)));
  return ofItsModel(writing, index, rows);
};

/** Returns the versions that rows must have, if the change names any. */
const expectedOf = (
  items: readonly { readonly id: string; readonly ifVersion?: string | null | undefined }[],
): { readonly expected?: Expected } => {
  const named = items.flatMap(({ id, ifVersion }) => (ifVersion === undefined ? [] : [[id, ifVersion] as const]));
  return named.length === 0 ? {} : { expected: new Map(named) };
};

/** Returns a filter, inline or from the content bucket. */
const loadFilter = async (writing: Writing, index: IndexRecord, sent: Filter | string): Promise<Filter> =>
  typeof sent === 'string' ? loadKept(writing, index, sent, FilterSchema) : sent;

/** Returns the filter within which a change is applied, if there is one. */
const withinOf = ({ within }: { readonly within?: Filter | undefined }): { readonly within?: Filter } =>
  within === undefined ? {} : { within };

type ChangeOf<Op extends LogMessage['change']['op']> = Extract<LogMessage['change'], { readonly op: Op }>;

const toPatch = async (writing: Writing, index: IndexRecord, change: ChangeOf<'patch'>): Promise<Change> => {
  const { filter: sent, metadata = {} } = change;
  if (sent !== undefined) {
    const filter = await loadFilter(writing, index, sent);
    const limits = { maxRowBytes: maxMetadataBytes, maxBytes: maxCommitBytes(writing) };
    return { kind: 'patchWhere', filter, metadata, ...limits, ...withinOf(change) };
  }
  const patches = await loadItems(writing, index, change.patches ?? [], WirePatch);
  const expected = expectedOf(patches.map(({ id, if_version }) => ({ id, ifVersion: if_version })));
  return { kind: 'patch', patches, maxBytes: maxMetadataBytes, ...expected, ...withinOf(change) };
};

const toDeletion = async (writing: Writing, index: IndexRecord, change: ChangeOf<'delete'>): Promise<Change> => {
  const { filter: sent, ids = [], within } = change;
  if (sent === undefined)
    return { kind: 'delete', ids: await loadItems(writing, index, ids, z.string()), ...withinOf(change) };
  const filter = await loadFilter(writing, index, sent);
  return { kind: 'deleteWhere', filter: within === undefined ? filter : bothFilters(filter, within) };
};

/** Returns an erasure, which lists the rows before they are removed, so that they can be looked for later. */
const toErasure = async (writing: Writing, index: IndexRecord, change: ChangeOf<'erase'>): Promise<Change> => {
  const { deps } = writing;
  const { erasure_id: erasureId, ids = [], job_id: jobId = null, filter = null } = change;
  return {
    kind: 'erase',
    ids: await loadItems(writing, index, ids, z.string()),
    jobId,
    filter: filter === null ? null : await loadFilter(writing, index, filter),
    report: (rows) => addErasedRows(deps.content, deps.batches, index, erasureId, rows),
  };
};

/** Returns the change of a message for the engine; null if it has nothing left to write. */
export const toChange = async (writing: Writing, index: IndexRecord, message: LogMessage): Promise<Change | null> => {
  const { change } = message;
  switch (change.op) {
    case 'upsert': {
      const rows =
        'key' in change.rows
          ? await loadRows(writing, index, change.rows)
          : await ofItsModel(writing, index, change.rows.map(fromWireWrite));
      return { kind: 'upsert', rows, ...expectedOf(rows), ...withinOf(change) };
    }
    case 'patch':
      return toPatch(writing, index, change);
    case 'delete':
      return toDeletion(writing, index, change);
    case 'erase':
      return toErasure(writing, index, change);
    case 'remove_job':
      return { kind: 'deleteJob', jobId: change.job_id };
    case 'write_task': {
      const job = await beginTaskWrite(ledgerOf(writing), { ...message, change });
      // An earlier run has written the rows of a completed task. They may have been changed or deleted since.
      if (job === null || job.done.has(String(change.ordinal))) return null;
      return { kind: 'upsert', rows: await loadRows(writing, index, change.rows) };
    }
    case 'expire':
      return { kind: 'deleteWhere', filter: expiredBy(change.until) };
    case 'create':
    case 'branch':
    case 'promote':
    case 'restore':
    case 'reconcile':
    case 'close':
    case 'switch':
      throw new Error(`${change.op} is no change of rows`);
  }
};
