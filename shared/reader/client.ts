import { AppError, unavailable } from '../kernel/errors.ts';
import { capability, type Runtime } from '../kernel/capability.ts';
import { type IndexRecord, toIndexRef } from '../indexes/index.ts';
import { FunctionFault, invoke } from '../platform/aws/invoke.ts';
import { modelRefusal } from '../platform/models/call-model.ts';
import type { Operation, Reader, ReaderResponses, ReaderRequest } from './contracts.ts';

/**
 * Converts the error of a failed read to one for the caller.
 * @param refused Whether the embedding model refused the request, for example because of a wrong key or name. No repeat
 * helps then, so the caller is not asked to repeat.
 */
export const toReadError = (cause: unknown, refused: boolean): AppError =>
  refused
    ? new AppError(
        'unavailable',
        'The embedding model of this service refuses the request: do not repeat it, its operator must correct the configuration',
        { cause },
      )
    : unavailable(cause);

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
      const response = await invoke(runtime, index.region, 'index-reader', toReaderRequest(index, operation));
      // Cast: the reader returns the response of the operation.
      return response as ReaderResponses[Op['op']];
    } catch (error) {
      throw error instanceof FunctionFault ? toReadError(error, error.isOf(modelRefusal)) : error;
    }
  },
});

/** Invokes the reader function of the index's region. */
export const readerInvoke = capability<Reader>(['reader.invoke'], openReaderClient);
