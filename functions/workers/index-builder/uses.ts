import { buildsSend, indexesWrite } from '../../../shared/indexes/index.ts';
import type { RunContext } from '../../../shared/pipeline/worker.ts';
import { tableWrite } from '#engine';

export const indexBuilderUses = { indexes: indexesWrite, builds: buildsSend, engines: tableWrite };

/** Dependencies and context of a run of the builder. */
export type Building = RunContext<typeof indexBuilderUses>;
