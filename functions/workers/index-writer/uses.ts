import { buildsSend, deletionsSend, indexesWrite, logSend } from '../../../shared/indexes/index.ts';
import { type LedgerContext, ledgerUse } from '../../../shared/ledger/index.ts';
import type { RunContext } from '../../../shared/pipeline/worker.ts';
import { contentReader, contentWriter } from '../../../shared/platform/aws/content.ts';
import { contentsUse } from '../../../shared/rebuilds/index.ts';
import { engineWrite } from '#engine';

export const indexWriterUses = {
  indexes: indexesWrite,
  content: contentReader('batches', 'uploads'),
  batches: contentWriter({ puts: ['batches'] }),
  log: logSend,
  builds: buildsSend,
  deletions: deletionsSend,
  engines: engineWrite,
  contents: contentsUse,
  ledger: ledgerUse,
};

/** Dependencies and context of a run of the writer. */
export type Writing = RunContext<typeof indexWriterUses>;

/** Returns the ledger in a run of the writer. */
export const ledgerOf = ({ deps, run }: Writing): LedgerContext => ({ deps: deps.ledger, run });
