import { buildsSend, indexesRead, logSend } from '../../../shared/indexes/index.ts';
import { tableWrite } from '#engine';

export const indexBuilderUses = { indexes: indexesRead, log: logSend, builds: buildsSend, engines: tableWrite };
