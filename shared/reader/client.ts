import { capability, type Runtime } from '../kernel/capability.ts';
import { type IndexRecord, toIndexRef } from '../indexes/index.ts';
import { FunctionFault, invoke } from '../platform/aws/invoke.ts';
import { damagedIndexName, invalidCursor } from '#engine';
import { modelRefusal } from '../platform/models/call-model.ts';
import type { Operation, Reader, ReaderResponses, ReaderRequest } from './contracts.ts';
import { toReadError } from './read-error.ts';
import { readTimedOut } from './read-time.ts';
import { decodeResponse, encodeRequest } from './wire.ts';

/** Builds the request to the reader of an index's region. */
export const toReaderRequest = (index: IndexRecord, operation: Operation): ReaderRequest => ({
  organization_id: index.organizationId,
  model: index.embeddingModel,
  ref: toIndexRef(index),
  operation,
});

const openReaderClient = (runtime: Runtime): Reader => ({
  isLocal: () => false,
  execute: async <Op extends Operation>(index: IndexRecord, operation: Op) => {
    try {
      const request = encodeRequest(toReaderRequest(index, operation));
      const response = await invoke(runtime, index.region, 'index-reader', request);
      // Casts: the reader returns the response of the operation.
      return decodeResponse(response as ReaderResponses<string>[Op['op']]) as ReaderResponses[Op['op']];
    } catch (error) {
      if (!(error instanceof FunctionFault)) throw error;
      throw toReadError(error, operation, {
        refused: error.isOf(modelRefusal),
        isLate: error.isOf(readTimedOut),
        isInvalidCursor: error.isOf(invalidCursor),
        isDamaged: error.isOf(damagedIndexName),
      });
    }
  },
});

/** Invokes the reader function of the index's region. */
export const readerInvoke = capability<Reader>(['reader.invoke'], openReaderClient);
