import type { Deps } from '../../../../shared/kernel/capability.ts';
import type { recordEvents } from '../../../../shared/events/index.ts';
import type { filesWrite } from '../../../../shared/files/index.ts';
import type { buildsSend, IndexRecord, indexesWrite, logSend } from '../../../../shared/indexes/index.ts';
import type { organizationsRead } from '../../../../shared/organizations/index.ts';
import type { Run } from '../../../../shared/pipeline/worker.ts';
import type { contentReader, contentWriter } from '../../../../shared/platform/aws/content.ts';
import type { connectorsKeep } from '../../../../shared/connectors/index.ts';
import type { crawlsErase, crawlsWrite } from '../../../../shared/crawls/index.ts';
import type { importsWrite } from '../../../../shared/imports/index.ts';
import type { creditBook, usageWrite } from '../../../../shared/usage/index.ts';
import type { engineWrite } from '../../../../shared/platform/engine/engine-write.ts';

/** Bytes of vectors that one commit may write; with all else it takes about twelve times that, which the writer has. */
const mostBytes = 192 * 1024 * 1024;

/** Rows that a change may write which has to be one commit. */
export const mostRowsAtOnce = ({ dimensions }: Pick<IndexRecord, 'dimensions'>): number =>
  Math.floor(mostBytes / (dimensions * 4));

/** What the writer works with during one run. */
export interface Writing {
  readonly run: Run;
  readonly deps: Deps<{
    indexes: typeof indexesWrite;
    files: typeof filesWrite;
    content: typeof contentReader;
    stored: typeof contentWriter;
    indexEvents: ReturnType<typeof recordEvents>;
    events: ReturnType<typeof recordEvents>;
    log: typeof logSend;
    builds: typeof buildsSend;
    engines: typeof engineWrite;
    usage: typeof usageWrite;
    credits: typeof creditBook;
    crawls: typeof crawlsWrite;
    crawled: typeof crawlsErase;
    imports: typeof importsWrite;
    connectors: typeof connectorsKeep;
    organizations: typeof organizationsRead;
  }>;
}
