import { proofUses } from '../../../shared/evaluations/index.ts';
import { indexesWrite, logSend } from '../../../shared/indexes/index.ts';
import { capability, type Deps, makeDeps, neededBy } from '../../../shared/kernel/capability.ts';
import { organizationsRead } from '../../../shared/organizations/index.ts';
import type { RunContext } from '../../../shared/pipeline/worker.ts';
import { contentReader, contentWriter } from '../../../shared/platform/aws/content.ts';
import { embedderUse } from '../../../shared/platform/models/capability.ts';
import { rebuildsSend, rebuildStore } from '../../../shared/rebuilds/index.ts';
import { embeddingTokens, usageWrite } from '../../../shared/usage/index.ts';
import { engineScan, engineWrite } from '#engine';

/** Starts the evaluation of a successor. */
const proofsUse = capability<Deps<typeof proofUses>>(neededBy(proofUses), (runtime) => makeDeps(proofUses, runtime));

export const rebuildIndexUses = {
  rebuilds: rebuildStore,
  queue: rebuildsSend,
  proofs: proofsUse,
  indexes: indexesWrite,
  log: logSend,
  organizations: organizationsRead,
  usage: usageWrite,
  tokens: embeddingTokens,
  embedders: embedderUse,
  content: contentReader('embeddings', 'uploads'),
  stored: contentWriter({ puts: ['embeddings'] }),
  engines: engineWrite,
  readers: engineScan,
};

/** Dependencies and run of an invocation. */
export type Rebuilding = RunContext<typeof rebuildIndexUses>;
