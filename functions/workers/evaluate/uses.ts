import { evaluationsSend, evaluationsWrite } from '../../../shared/evaluations/index.ts';
import { filesRead } from '../../../shared/files/index.ts';
import { goldenSetsRead } from '../../../shared/golden-sets/index.ts';
import { indexesRead } from '../../../shared/indexes/index.ts';
import { organizationsRead } from '../../../shared/organizations/index.ts';
import type { RunContext } from '../../../shared/pipeline/worker.ts';
import { contentReader, contentWriter } from '../../../shared/platform/aws/content.ts';
import { batchedEmbedderUse } from '../../../shared/platform/models/capability.ts';
import { rerankModelsKnown } from '../../../shared/platform/rerank/rerank-models.ts';
import { inProcessReader } from '../../../shared/reader/index.ts';
import { rebuildsRead, rebuildsSend } from '../../../shared/rebuilds/index.ts';
import { embeddingTokens, usageWrite } from '../../../shared/usage/index.ts';

export const evaluateUses = {
  evaluations: evaluationsWrite,
  queue: evaluationsSend,
  sets: goldenSetsRead,
  indexes: indexesRead,
  files: filesRead,
  rebuilds: rebuildsRead,
  rebuildQueue: rebuildsSend,
  organizations: organizationsRead,
  usage: usageWrite,
  tokens: embeddingTokens,
  rerankModels: rerankModelsKnown,
  reader: inProcessReader(batchedEmbedderUse),
  content: contentReader('evaluated'),
  stored: contentWriter({ puts: ['evaluated'] }),
};

/** Dependencies and run of an invocation. */
export type Evaluating = RunContext<typeof evaluateUses>;
