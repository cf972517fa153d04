import {
  addressOfExport,
  type ExportPart,
  type ExportRecord,
  jsonLinesFile,
  mediaTypes,
  type RowFile,
} from '../../../../shared/exports/index.ts';
import { asOfVersion, type IndexRecord, toIndexRef } from '../../../../shared/indexes/index.ts';
import { exportPrefix } from '../../../../shared/kernel/content-keys.ts';
import { filterOf, hasFeature, type IndexRef } from '#engine';
import type { ExportContext } from '../uses.ts';

const mebibyte = 1024 * 1024;

/** Bytes and rows from which a part is complete. A part is in the memory of the run, and imports take it as one file. */
const partBytes = 64 * mebibyte;
export const maxPartRows = 100_000;

/** Bytes of a page of rows, the assumed bytes of a row besides its vector, and the rows that every engine can return. */
const [pageBytes, rowBytes, pageRows] = [8 * mebibyte, 4_096, 1_000];

const openFile = async ({ format, vectors, embeddingModel }: ExportRecord): Promise<RowFile> => {
  const model = vectors === 'include' ? embeddingModel : null;
  if (format === 'jsonl') return jsonLinesFile(model);
  // Loaded for this format only.
  return (await import('../../../../shared/exports/parquet-file.ts')).parquetFile(model);
};

/**
 * Returns what an export reads: the index like a branch without a version of its own. An engine without branches has no
 * versions.
 */
const snapshotRef = ({ id, layers, asOf }: ExportRecord, index: IndexRecord): IndexRef =>
  hasFeature(index.engine, 'branches')
    ? {
        ...toIndexRef(asOf === null ? index : asOfVersion(index, asOf.version)),
        manifest: '',
        layers: [{ table: id, version: 0 }, ...layers],
      }
    : toIndexRef(index);

/**
 * Stores the next part. `next` is where the next part begins, null if no rows follow. A part has a name of its own in each run,
 * so concurrent runs do not overwrite each other.
 */
export const writePart = async (
  { deps, run }: ExportContext,
  current: ExportRecord,
  index: IndexRecord,
  partRows: number,
): Promise<{ readonly part: ExportPart | null; readonly next: string | null }> => {
  const engine = deps.engines(index.organizationId, index.engine);
  const ref = snapshotRef(current, index);
  const includeVector = current.vectors === 'include';
  const limit = Math.min(
    partRows,
    pageRows,
    Math.ceil(pageBytes / ((includeVector ? index.dimensions * 4 : 0) + rowBytes)),
  );
  const within = current.bounds === null ? {} : { filter: filterOf(current.bounds) };
  const file = await openFile(current);
  let { after: next } = current;
  let count = 0;
  do {
    const page = await engine.list(ref, { after: next, limit, includeVector, ...within });
    if (page.rows.length > 0) file.add(page.rows);
    count += page.rows.length;
    next = page.next;
  } while (next !== null && count < partRows && file.bytes() < partBytes);
  if (count === 0) return { part: null, next };
  const body = file.finish();
  const name = `${String(current.parts.length + 1).padStart(5, '0')}-${run.invocationId}`;
  const key = exportPrefix(addressOfExport(current)) + name;
  await deps.stored.put(current.region, key, body, mediaTypes[current.format]);
  return { part: { name, rows: count, bytes: body.length }, next };
};
