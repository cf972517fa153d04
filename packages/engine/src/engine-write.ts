import { capability, type Runtime } from '../../../shared/kernel/capability.ts';
import { dispatchEngine, type EngineFor, vectorLocationOf } from './open.ts';
import { expiringWriter } from './expiry.ts';
import type { EngineWriter } from './port.ts';
import { openWriter } from './s3-vectors/open-writer.ts';
import { openTableWriters, tableWrite } from './table-write.ts';

const openWriters = (runtime: Runtime): EngineFor<EngineWriter> => {
  const engines = dispatchEngine({
    lance: openTableWriters(runtime),
    s3_vectors: (organizationId) => openWriter(vectorLocationOf(runtime, organizationId)),
  });
  return (organizationId, engine) => expiringWriter(engines(organizationId, engine), runtime.clock);
};

/** Returns the writer of an organization's indexes in this region. */
export const engineWrite = capability<EngineFor<EngineWriter>>(
  [...tableWrite.needs, 'vector_indexes.write'],
  openWriters,
);
