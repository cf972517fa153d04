import { present } from '../db/condition.ts';
import type { Key, Table } from '../db/contracts.ts';
import { dueAttributes, dueBy, organizationOf } from '../db/due.ts';
import { numberOf } from '../db/read-item.ts';
import { openTable } from '../db/table.ts';
import { capability, type Runtime } from '../kernel/capability.ts';
import { partsPrefix } from '../kernel/content-keys.ts';
import { laterBy } from '../kernel/clock.ts';
import { daySeconds, hourMs } from '../kernel/durations.ts';
import type { Plan } from '../kernel/plans.ts';
import { openContentReader, openContentWriter } from '../platform/aws/objects.ts';
import { openOriginalAllowance } from '../usage/index.ts';
import { reservationOf } from './reservation.ts';
import { fileKey, partKeyOf, toUpload, type Upload, uploadKeyOf } from './record.ts';

/** Maximum parts of an upload. */
export const maxParts = 1000;

/** Milliseconds after which another run may complete an upload: longer than the function runs. */
const leaseMs = 30_000;

/** Milliseconds after its expiry for which an upload may still be completed by a request that began before. */
const completedWithinMs = hourMs;

/** Seconds after its expiry for which an upload is shown. */
const shownSeconds = 7 * daySeconds;

/** Files that arrive in parts, which are objects until the file is completed. */
export interface Uploads {
  /** Reserves the file from the plan, and stores an upload. Throws 402. */
  create(upload: Upload, plan: Plan): Promise<void>;
  get(organizationId: string, uploadId: string): Promise<Upload | null>;
  /**
   * Stores a part of a pending upload. Returns false if the upload is not pending, or its parts exceed the limits: repeated
   * parts may take as many bytes as the file again.
   */
  addPart(upload: Upload, partId: string, bytes: Uint8Array): Promise<boolean>;
  /** Returns the bytes of a part; null if the upload has no such part. */
  partBytes(upload: Upload, partId: string): Promise<number | null>;
  readPart(upload: Upload, partId: string): Promise<Uint8Array | null>;
  /** Begins the completion of an upload. Returns false if it has ended, or another run is completing it. */
  claim(upload: Upload, now: Date): Promise<boolean>;
  /** Marks an upload as completed, and deletes its parts. It can be repeated. */
  finish(upload: Upload): Promise<void>;
  /** Cancels a pending upload, and deletes its parts. Returns false if it is completed or being completed. */
  cancel(upload: Upload): Promise<boolean>;
}

const prefixOf = ({ organizationId, id }: Upload): string => partsPrefix(organizationId, id);

/** Returns when an upload and its parts leave the table, in seconds. */
const forgetAt = ({ expiresAt }: Upload): number => Math.floor(Date.parse(expiresAt) / 1000) + shownSeconds;

const recordsOf = (runtime: Runtime, table: Table): Pick<Uploads, 'create' | 'get'> => ({
  create: async (upload, plan) => {
    const file = { ...upload, id: upload.fileId };
    const confirm = await openOriginalAllowance(runtime).reserve(plan, reservationOf(table, file));
    await table.put({
      ...uploadKeyOf(upload.organizationId, upload.id),
      file_id: upload.fileId,
      filename: upload.filename,
      content_type: upload.contentType,
      purpose: upload.purpose,
      size_bytes: upload.sizeBytes,
      ...(upload.restrictedTo === null ? {} : { restricted_to: upload.restrictedTo }),
      status: upload.status,
      parts: 0,
      part_bytes: 0,
      expires_at: upload.expiresAt,
      expires_at_epoch: forgetAt(upload),
      ...dueBy('uploads', upload.organizationId, laterBy(upload.expiresAt, completedWithinMs)),
    });
    await confirm();
  },
  get: async (organizationId, uploadId) => {
    const item = await table.get(uploadKeyOf(organizationId, uploadId));
    return item === null ? null : toUpload(organizationId, item);
  },
});

const partsOf = (runtime: Runtime, table: Table): Pick<Uploads, 'addPart' | 'partBytes' | 'readPart'> => {
  const region = runtime.config.homeRegion;
  const reader = openContentReader(runtime);
  const writer = openContentWriter(runtime);
  return {
    addPart: async (upload, partId, bytes) => {
      const reserved = await table.update(uploadKeyOf(upload.organizationId, upload.id), {
        add: { parts: 1, part_bytes: bytes.length },
        condition: {
          status: { eq: 'pending' },
          parts: { lt: maxParts },
          part_bytes: { lte: 2 * upload.sizeBytes - bytes.length },
        },
      });
      if (reserved === null) return false;
      await writer.put(region, `${prefixOf(upload)}${partId}`, bytes, 'application/octet-stream');
      await table.put({
        ...partKeyOf(upload.organizationId, upload.id, partId),
        size_bytes: bytes.length,
        expires_at_epoch: forgetAt(upload),
      });
      return true;
    },
    partBytes: async (upload, partId) => {
      const item = await table.get(partKeyOf(upload.organizationId, upload.id, partId));
      return item === null ? null : numberOf(item, 'size_bytes');
    },
    readPart: (upload, partId) => reader.get(region, `${prefixOf(upload)}${partId}`),
  };
};

const openUploads = (runtime: Runtime): Uploads => {
  const table = openTable(runtime, 'files');
  const deleteParts = (upload: Upload): Promise<unknown> =>
    openContentWriter(runtime).deleteAll(runtime.config.homeRegion, prefixOf(upload));
  return {
    ...recordsOf(runtime, table),
    ...partsOf(runtime, table),
    claim: async ({ organizationId, id }, now) => {
      const key = uploadKeyOf(organizationId, id);
      const set = { status: 'completing', leased_until: now.getTime() + leaseMs } as const;
      const fresh = await table.update(key, { set, condition: { status: { eq: 'pending' } } });
      if (fresh !== null) return true;
      const taken = { status: { eq: 'completing' }, leased_until: { lt: now.getTime() } } as const;
      return (await table.update(key, { set, condition: taken })) !== null;
    },
    finish: async (upload) => {
      const change = { set: { status: 'completed' }, remove: dueAttributes, condition: present } as const;
      await table.update(uploadKeyOf(upload.organizationId, upload.id), change);
      await deleteParts(upload);
    },
    cancel: async (upload) => {
      const key = uploadKeyOf(upload.organizationId, upload.id);
      const condition = { status: { in: ['pending', 'cancelled'] } } as const;
      if ((await table.update(key, { set: { status: 'cancelled' }, condition })) === null) return false;
      await deleteParts(upload);
      await openOriginalAllowance(runtime).release(upload.organizationId, upload.fileId);
      await table.update(key, { remove: dueAttributes, condition: present });
      return true;
    },
  };
};

export const openaiUploads = capability<Uploads>(
  ['files.read', 'files.write', 'usage.read', 'usage.write', 'batches.read', 'batches.put', 'batches.delete'],
  openUploads,
);

/** Ends uploads that are neither completed nor cancelled. */
export interface UploadSweeper {
  /** Keys of uploads that should have ended by `until`. */
  overdue(until: Date, limit: number): Promise<readonly Key[]>;
  /** Ends an upload, deletes its parts, and releases its file unless that exists. It can be repeated. */
  expire(key: Key): Promise<void>;
}

const openSweeper = (runtime: Runtime): UploadSweeper => {
  const table = openTable(runtime, 'files');
  return {
    overdue: (until, limit) => table.due('uploads', until.toISOString(), limit),
    expire: async (key) => {
      const organizationId = organizationOf(key);
      const item = await table.get(key);
      if (item === null) return;
      const upload = toUpload(organizationId, item);
      const hasFile = (await table.get(fileKey(organizationId, upload.fileId))) !== null;
      if (upload.status === 'pending' || upload.status === 'completing') {
        const set = { status: hasFile ? 'completed' : 'expired' } as const;
        await table.update(key, { set, condition: { status: { eq: upload.status } } });
      }
      await openContentWriter(runtime).deleteAll(runtime.config.homeRegion, prefixOf(upload));
      if (!hasFile) await openOriginalAllowance(runtime).release(organizationId, upload.fileId);
      await table.update(key, { remove: dueAttributes, condition: present });
    },
  };
};

export const uploadsSweep = capability<UploadSweeper>(
  ['files.read', 'files.write', 'usage.read', 'usage.write', 'batches.delete'],
  openSweeper,
);
