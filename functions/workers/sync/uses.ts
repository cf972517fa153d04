import { connectorsSync, syncSend } from '../../../shared/connectors/index.ts';
import { documentUses } from '../../../shared/documents/index.ts';
import { organizationsRead } from '../../../shared/organizations/index.ts';
import { connectorSources } from '../../../shared/platform/connectors/sources.ts';
import type { RunContext } from '../../../shared/pipeline/worker.ts';

export const syncUses = {
  ...documentUses,
  connectors: connectorsSync,
  organizations: organizationsRead,
  sources: connectorSources,
  syncs: syncSend,
};

/** Context of one run. */
export type SyncContext = RunContext<typeof syncUses>;
