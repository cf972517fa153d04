import { capability, type Runtime } from '../kernel/capability.ts';
import { type IndexRecord, toIndexRef } from '../indexes/index.ts';
import { invoke } from '../platform/aws/invoke.ts';
import type { Operation, Reader, ReaderAnswers, ReaderRequest } from './contracts.ts';

/** What the reader of an index's region is asked. */
export const requestOf = (index: IndexRecord, operation: Operation): ReaderRequest => ({
  organization_id: index.organizationId,
  model: index.embeddingModel,
  ref: toIndexRef(index),
  operation,
});

const openReaderClient = (runtime: Runtime): Reader => ({
  ask: async <Op extends Operation>(index: IndexRecord, operation: Op) =>
    // The reader's own schema has made this answer.
    (await invoke(runtime, index.region, 'index-reader', requestOf(index, operation))) as ReaderAnswers[Op['op']],
});

/** Asks the reader of the index's region. */
export const readerInvoke = capability<Reader>(['reader.invoke'], openReaderClient);
