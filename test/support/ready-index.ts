import type { Attributes } from '../../shared/db/contracts.ts';
import { openTable } from '../../shared/db/table.ts';
import type { Runtime } from '../../shared/kernel/capability.ts';
import { indexFormat } from '../../shared/indexes/record.ts';
import { newId } from '../../shared/kernel/ids.ts';

/** Puts the record of a ready, empty index of 8 dimensions; `differs` says what is other than that. Gives its id. */
export const putReadyIndex = async (
  runtime: Runtime,
  organizationId: string,
  differs: Attributes = {},
): Promise<string> => {
  const at = runtime.clock.now();
  const id = newId('idx', at);
  await openTable(runtime, 'indexes').put({
    pk: `ORG#${organizationId}`,
    sk: id,
    format: indexFormat,
    organization_id: organizationId,
    name: 'test',
    dimensions: 8,
    distance_metric: 'cosine',
    cloud_region: 'us-east-1',
    engine: 'lance',
    text_language: 'english',
    non_filterable_metadata_keys: [],
    embedding_model: 'embedded-minilm-l6-v2',
    status: 'ready',
    created_at: at.toISOString(),
    version: 0,
    ancestors: [],
    ...differs,
  });
  return id;
};
