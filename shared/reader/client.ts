import { type Capability, capability, type Runtime } from '../kernel/capability.ts';
import { asOfVersion, type IndexRecord, requireFilterable, toIndexRef } from '../indexes/index.ts';
import { FunctionFault, invoke } from '../platform/aws/invoke.ts';
import { damagedIndexName, filterOf, invalidCursor, versionGone } from '#engine';
import { modelRefusal } from '../platform/models/call-model.ts';
import type { Operation, Reader, ReaderResponses, ReaderRequest, ReadOptions } from './contracts.ts';
import { toReadError } from './read-error.ts';
import { readTimedOut } from './read-time.ts';
import { decodeResponse, encodeRequest } from './wire.ts';

/** Builds the request to the reader of an index's region. */
export const toReaderRequest = (
  index: IndexRecord,
  operation: Operation,
  { version, within = null }: ReadOptions = {},
): ReaderRequest => ({
  organization_id: index.organizationId,
  model: index.embeddingModel,
  ref: toIndexRef(version === undefined ? index : asOfVersion(index, version)),
  operation,
  within,
});

const openReaderClient = (runtime: Runtime): Reader => ({
  isLocal: () => false,
  execute: async <Op extends Operation>(index: IndexRecord, operation: Op, options?: ReadOptions) => {
    try {
      const request = encodeRequest(toReaderRequest(index, operation, options));
      const response = await invoke(runtime, index.region, 'index-reader', request);
      // Casts: the reader returns the response of the operation.
      return decodeResponse(response as ReaderResponses<string>[Op['op']]) as ReaderResponses[Op['op']];
    } catch (error) {
      if (!(error instanceof FunctionFault)) throw error;
      throw toReadError(error, operation, {
        refused: error.isOf(modelRefusal),
        isLate: error.isOf(readTimedOut),
        isInvalidCursor: error.isOf(invalidCursor),
        isVersionGone: error.isOf(versionGone),
        isDamaged: error.isOf(damagedIndexName),
      });
    }
  },
});

/** Returns a reader as it serves a caller who is bound to rows. */
export const boundReader: NonNullable<Capability<Reader>['bind']> = (reader, bounds) => ({
  isLocal: (index) => reader.isLocal(index),
  execute: async (index, operation, options) => {
    requireFilterable(index, bounds);
    return reader.execute(index, operation, { ...options, within: filterOf(bounds) });
  },
});

/** Invokes the reader function of the index's region. */
export const readerInvoke = capability<Reader>(['reader.invoke'], openReaderClient, boundReader);
