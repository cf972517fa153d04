import { buildsSend, indexesRead, logSend } from '../../../shared/indexes/index.ts';
import { tableWrite } from '../../../shared/platform/engine/table-write.ts';

export const indexBuilderUses = { indexes: indexesRead, log: logSend, builds: buildsSend, engines: tableWrite };
