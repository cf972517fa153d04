import type * as z from 'zod';
import type { Deps } from '../kernel/capability.ts';
import { AppError, notFound } from '../kernel/errors.ts';
import type { IdempotencyContext } from '../http/idempotency.ts';
import { exportPrefix } from '../kernel/content-keys.ts';
import type { DownloadPresigner } from '../platform/aws/objects.ts';
import type { Principal } from '../http/principal.ts';
import { type IndexReader, indexesRead, requireFilterable, requireIndex, requireReadyIndex } from '../indexes/index.ts';
import { readerInvoke, versionAsOf } from '../reader/index.ts';
import { exportsSend } from './message.ts';
import { addressOfExport, type ExportAddress, type ExportRecord, type NewExport } from './record.ts';
import { type ExportCounts, type ExportReader, exportsWrite } from './repository.ts';
import type { ExportCreate } from './schemas.ts';

/** Capabilities that creating an export needs. */
export const createExportUses = {
  indexes: indexesRead,
  exports: exportsWrite,
  queue: exportsSend,
  reader: readerInvoke,
};

/** Exports of an organization that may run at once. They bound its load. */
const maxRunning = 4;
/** Exports that may have files. They bound the storage. No index and no credential can use up that of the organization. */
const maxStored = 32;
const maxOfIndex = 8;
const maxByCreator = 16;

/** Returns why an export exceeds a limit; null if it does not. */
const excessOf = ({ stored, running, ofIndex, byCreator }: ExportCounts): string | null => {
  if (running > maxRunning) return `${maxRunning} exports are running. Wait until one has ended`;
  if (ofIndex > maxOfIndex) return `The index has ${maxOfIndex} exports. Delete one first`;
  if (byCreator > maxByCreator) return `These credentials have created ${maxByCreator} exports. Delete one first`;
  return stored > maxStored ? `The organization has ${maxStored} exports. Delete one first` : null;
};

interface Start {
  readonly deps: Deps<typeof createExportUses>;
  readonly caller: Principal;
  readonly idempotency: IdempotencyContext;
}

/** Stores an export and sends its first message. Throws 404, 409 and 410. */
export const createExport = async (
  start: Start,
  indexId: string,
  { format, vectors, as_of }: z.output<typeof ExportCreate>,
): Promise<ExportRecord> => {
  const { deps, caller, idempotency } = start;
  const index = await requireReadyIndex(deps.indexes, caller.organizationId, indexId);
  if (caller.bounds !== null) requireFilterable(index, caller.bounds);
  const created: NewExport = {
    id: idempotency.id('exp'),
    organizationId: caller.organizationId,
    indexId: index.id,
    region: index.region,
    format,
    vectors,
    embeddingModel: index.embeddingModel,
    asOf:
      as_of === undefined
        ? null
        : { table: index.layers[0].table, version: await versionAsOf(deps.reader, index, as_of) },
    bounds: caller.bounds,
    createdAt: idempotency.at.toISOString(),
    createdBy: caller.subjectId,
  };
  const address = addressOfExport(created);
  // Counted after it is stored, so that concurrent requests never exceed the limit.
  await deps.exports.add(created);
  const excess = excessOf(await deps.exports.count(created));
  if (excess !== null) {
    await deps.exports.withdraw(address);
    throw new AppError('conflict', caller.bounds === null ? excess : 'Too many exports are stored. Try again later');
  }
  await deps.queue.send(index.region, address);
  const record = await deps.exports.get(address);
  if (record === null) throw notFound('Export');
  return record;
};

/** Returns an export of an existing index. Throws 404. */
export const requireExport = async (
  deps: { readonly indexes: IndexReader; readonly exports: ExportReader },
  address: ExportAddress,
): Promise<ExportRecord> => {
  await requireIndex(deps.indexes, address.organizationId, address.indexId);
  const record = await deps.exports.get(address);
  if (record === null) throw notFound('Export');
  return record;
};

/** File name of a part of an export. @param number From 1. */
export const partFilename = ({ format }: Pick<ExportRecord, 'format'>, number: number): string =>
  `part-${String(number).padStart(5, '0')}.${format}`;

/** Returns the files of an export with their presigned URLs. */
export const exportFiles = (
  content: DownloadPresigner,
  found: ExportRecord,
  expiresInSeconds: number,
): Promise<
  readonly {
    readonly filename: string;
    readonly rows: number;
    readonly size_bytes: number;
    readonly url: string;
  }[]
> =>
  Promise.all(
    found.parts.map(async ({ name, rows, bytes }, at) => {
      const filename = partFilename(found, at + 1);
      const object = { key: exportPrefix(addressOfExport(found)) + name, filename, expiresInSeconds };
      const url = await content.presignGet(found.region, object);
      return { filename, rows, size_bytes: bytes, url };
    }),
  );
