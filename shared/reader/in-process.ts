import { type Capability, capability, makeDeps, neededBy, type Runtime } from '../kernel/capability.ts';
import type { IndexRecord } from '../indexes/index.ts';
import type { Sizing } from '../kernel/sizing.ts';
import { engineRead, DamagedIndex, InvalidCursor, VersionGone } from '#engine';
import { ModelFault } from '../platform/models/call-model.ts';
import { type Embedders, UnknownModel } from '../platform/models/port.ts';
import { rerankersUse } from '../platform/rerank/capability.ts';
import { handleReaderRequest } from './handle-request.ts';
import { boundReader, readerInvoke, toReaderRequest } from './client.ts';
import type { Operation, Reader, ReaderResponses, ReadOptions } from './contracts.ts';
import { toReadError } from './read-error.ts';
import { ReadTimedOut, readTime } from './read-time.ts';

/** Size of a function that reads indexes itself. HTTP API times out after 30 seconds. */
export const readerSize = { timeoutSeconds: 29, memoryMb: 3008, assets: ['engine'] } as const satisfies Sizing;

const noModel = capability<Embedders>([], () => (model) => {
  throw new UnknownModel(model);
});

/**
 * Reads indexes of this region in this process, which saves an invocation, and others through their reader function.
 * @param embedders Embedding models; without them text is never embedded.
 */
export const inProcessReader = (embedders: Capability<Embedders> = noModel): Capability<Reader> => {
  const uses = { engines: engineRead, embedders, rerankers: rerankersUse, readMs: readTime };
  const open = (runtime: Runtime): Reader => {
    const deps = makeDeps(uses, runtime);
    const elsewhere = readerInvoke.make(runtime);
    const isLocal: Reader['isLocal'] = ({ region }) => region === runtime.config.region;
    return {
      isLocal,
      execute: async <Op extends Operation>(index: IndexRecord, operation: Op, options?: ReadOptions) => {
        if (!isLocal(index)) return elsewhere.execute(index, operation, options);
        try {
          // Cast: the response is that of the operation.
          return (await handleReaderRequest(
            deps,
            toReaderRequest(index, operation, options),
          )) as ReaderResponses[Op['op']];
        } catch (error) {
          runtime.log.error('index.read.failed', { index_id: index.id, operation: operation.op, error });
          const refused = error instanceof ModelFault && !error.isTransient;
          throw toReadError(error, operation, {
            refused,
            isLate: error instanceof ReadTimedOut,
            isInvalidCursor: error instanceof InvalidCursor,
            isVersionGone: error instanceof VersionGone,
            isDamaged: error instanceof DamagedIndex,
          });
        }
      },
    };
  };
  return capability<Reader>([...readerInvoke.needs, ...neededBy(uses)], open, boundReader);
};
