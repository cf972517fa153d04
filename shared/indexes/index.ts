export { branchIndex, branchIndexUses } from './branch.ts';
export { BuildMessage, buildsSend } from './build-queue.ts';
export { changeIndexUses, indexesRead, indexesWrite } from './capabilities.ts';
export { capacityOf, crossedWarning, requireCaughtUp, requireNotFull } from './capacity.ts';
export { createIndexRecord, createIndexUses } from './create.ts';
export { DeletionMessage, deletionsSend } from './deletion-queue.ts';
export { applyChange } from './apply-change.ts';
export { awaitReceipt } from './await-receipt.ts';
export { isPurge } from './later-maintenance.ts';
export {
  deadChangesUse,
  type RequestedChange,
  type IndexLog,
  type LogChange,
  LogMessage,
  logSend,
  type MessageOf,
  UnreadableMessage,
} from './index-log.ts';
export { isHiddenKey, prefixProblem, requireFilterable } from './filterable.ts';
export { countMaintenanceFailure, maintenanceStats } from './maintenance-stats.ts';
export { modelProblems } from './model-choice.ts';
export { toIndexResponse } from './present.ts';
export {
  containsText,
  type Content,
  contentOf,
  dependentOf,
  dependentsOf,
  holdingOf,
  indexKey,
  indexOfTable,
  type IndexRecord,
  isLive,
  asOfVersion,
  firstReadable,
  requireReadable,
  neverExpires,
  isMaintained,
  live,
  otherTableOf,
  readVersionsOf,
  tableOfRebuild,
  tablesOf,
  toIndexRecord,
  toIndexRef,
  withContent,
} from './record.ts';
export { countersAttributes, unchangedCounters } from './repository.ts';
export { settingsAttributes, stateAttributes } from './to-item.ts';
export { ownRegion, regionProblems, regionsRead, requireEngineIn } from './regions.ts';
export { findBranchOrRelease, releaseLayers } from './release-layers.ts';
export { updateIndexRecord, updateIndexUses } from './update.ts';
export { detachedMessage, otherChunksMessage, otherModelsMessage, promoteIndex, promoteIndexUses } from './promote.ts';
export type { IndexReader, Receipt } from './contracts.ts';
export {
  prefetchIndex,
  requireFeature,
  requireIndex,
  requireModel,
  requireReadyIndex,
  requireGrowableIndex,
  prefetchReadyIndex,
  prefetchWritableIndex,
} from './require.ts';
export {
  BranchDifference,
  Chunking,
  EmbeddingModel,
  EngineName,
  IndexBranchCreate,
  IndexCreate,
  IndexResponse,
  IndexUpdate,
  promoteFields,
  TextLanguage,
} from './schemas.ts';
export { HistoryQuery, IndexStats, toHistoryPoint, UsageHistoryPoint } from './stats-schemas.ts';
export { countedBySearch, subjectsOfMetadata, usageKeyProblems } from './usage-values.ts';
export { packRows, unpackRows } from './packed-rows.ts';
export { floatsOf, fromWireWrite, type RowWrite, toWireWrite, WirePatch } from './wire.ts';
