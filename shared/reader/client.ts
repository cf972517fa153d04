import { capability, type Runtime } from '../kernel/capability.ts';
import { type IndexRecord, toIndexRef } from '../indexes/index.ts';
import { FunctionFault, invoke } from '../platform/aws/invoke.ts';
import { modelRefusal } from '../platform/models/call-model.ts';
import type { Operation, Reader, ReaderAnswers, ReaderRequest } from './contracts.ts';
import { readFailure } from './read-failure.ts';

/** What the reader of an index's region is asked. */
export const requestOf = (index: IndexRecord, operation: Operation): ReaderRequest => ({
  organization_id: index.organizationId,
  model: index.embeddingModel,
  ref: toIndexRef(index),
  operation,
});

const openReaderClient = (runtime: Runtime): Reader => ({
  isNear: () => false,
  ask: async <Op extends Operation>(index: IndexRecord, operation: Op) => {
    try {
      const answer = await invoke(runtime, index.region, 'index-reader', requestOf(index, operation));
      // The reader's own schema has made this answer.
      return answer as ReaderAnswers[Op['op']];
    } catch (error) {
      throw error instanceof FunctionFault ? readFailure(error, error.isOf(modelRefusal)) : error;
    }
  },
});

/** Asks the reader of the index's region. */
export const readerInvoke = capability<Reader>(['reader.invoke'], openReaderClient);
