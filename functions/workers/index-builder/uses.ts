import { buildsSend, indexesRead, logSend } from '../../../shared/indexes/index.ts';
import { tableWrite } from '../../../shared/platform/engine/engine-write.ts';

export const indexBuilderUses = { indexes: indexesRead, log: logSend, builds: buildsSend, engines: tableWrite };
