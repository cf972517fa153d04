import { capability } from '../../../shared/kernel/capability.ts';
import { dispatchEngine, type EngineFor, vectorLocationOf } from './open.ts';
import type { EngineWriter } from './port.ts';
import { openWriter } from './s3-vectors/open-writer.ts';
import { openTableWriters, tableWrite } from './table-write.ts';

/** Returns the writer of an organization's indexes in this region. */
export const engineWrite = capability<EngineFor<EngineWriter>>(
  [...tableWrite.needs, 'vector_indexes.write'],
  (runtime) =>
    dispatchEngine({
      lance: openTableWriters(runtime),
      s3_vectors: (organizationId) => openWriter(vectorLocationOf(runtime, organizationId)),
    }),
);
