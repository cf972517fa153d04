import type { Deps } from '../../../../shared/kernel/capability.ts';
import type { recordEvents } from '../../../../shared/events/index.ts';
import type { filesWrite } from '../../../../shared/files/index.ts';
import type { buildsSend, indexesWrite, logSend } from '../../../../shared/indexes/index.ts';
import type { organizationsRead } from '../../../../shared/organizations/index.ts';
import type { Run } from '../../../../shared/pipeline/worker.ts';
import type { contentReader, contentWriter } from '../../../../shared/platform/aws/content.ts';
import type { connectorsKeep } from '../../../../shared/connectors/index.ts';
import type { crawlsErase, crawlsWrite } from '../../../../shared/crawls/index.ts';
import type { importsWrite } from '../../../../shared/imports/index.ts';
import type { creditBook, usageWrite } from '../../../../shared/usage/index.ts';
import type { engineWrite } from '../../../../shared/platform/engine/engine-write.ts';

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

/** A commit takes up to nine times its weight at its peak, and the function some 200 MB besides. */
const memoryPerWeight = 12;

/** What a change may weigh that has to be one commit. */
export const mostBytesAtOnce = ({ run }: Pick<Writing, 'run'>): number =>
  (run.memoryMb * 1024 * 1024) / memoryPerWeight;
