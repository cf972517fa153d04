import { type Capability, capability, makeDeps, neededBy } from '../kernel/capability.ts';
import type { IndexRecord } from '../indexes/index.ts';
import type { Sizing } from '../kernel/sizing.ts';
import { engineRead } from '../platform/engine/engine-read.ts';
import { ModelFault } from '../platform/models/call-model.ts';
import { type Embedders, UnknownModel } from '../platform/models/port.ts';
import { answer } from './answer.ts';
import { readerInvoke, requestOf } from './client.ts';
import type { Operation, Reader, ReaderAnswers } from './contracts.ts';
import { readFailure } from './read-failure.ts';

/** Size of a function that reads indexes itself, without a model. HTTP API gives up on an endpoint after 30 seconds. */
export const wordReadingSize = { timeoutSeconds: 29, memoryMb: 3008, assets: ['engine'] } as const satisfies Sizing;
/** The same with the model that embeds the text of a search. */
export const readingSize = { ...wordReadingSize, assets: ['engine', 'embedding-model'] } as const satisfies Sizing;

const noModel = capability<Embedders>([], () => (model) => {
  throw new UnknownModel(model);
});

/**
 * Reads indexes of its own region in the process that asks, which saves an invocation, and asks the reader of any other.
 * @param embedders What embeds the text of a search; without it there may be none to embed.
 */
export const inProcessReader = (embedders: Capability<Embedders> = noModel): Capability<Reader> => {
  const uses = { engines: engineRead, embedders };
  return capability<Reader>([...readerInvoke.needs, ...neededBy(uses)], (runtime) => {
    const deps = makeDeps(uses, runtime);
    const elsewhere = readerInvoke.make(runtime);
    const isNear: Reader['isNear'] = ({ region }) => region === runtime.config.region;
    return {
      isNear,
      ask: async <Op extends Operation>(index: IndexRecord, operation: Op) => {
        if (!isNear(index)) return elsewhere.ask(index, operation);
        try {
          // Cast: the answer is that of the operation.
          return (await answer(deps, requestOf(index, operation))) as ReaderAnswers[Op['op']];
        } catch (error) {
          runtime.log.error('an index could not be read', { index_id: index.id, operation: operation.op, error });
          throw readFailure(error, error instanceof ModelFault && !error.isTransient);
        }
      },
    };
  });
};
