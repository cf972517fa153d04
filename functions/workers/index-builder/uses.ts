import { buildsSend, indexesRead, logSend } from '../../../shared/indexes/index.ts';
import { tableWrite } from '../../../packages/engine/src/table-write.ts';

export const indexBuilderUses = { indexes: indexesRead, log: logSend, builds: buildsSend, engines: tableWrite };
