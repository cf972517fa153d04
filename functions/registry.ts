import { deleteAlias } from './aliases/delete.ts';
import { getAlias } from './aliases/get.ts';
import { listAliases } from './aliases/list.ts';
import { putAlias } from './aliases/put.ts';
import { createApiKey } from './api-keys/create.ts';
import { listApiKeys } from './api-keys/list.ts';
import { revokeApiKey } from './api-keys/revoke.ts';
import { bootstrap } from './auth/bootstrap.ts';
import { endOneSession } from './auth/end-one-session.ts';
import { endSession } from './auth/end-session.ts';
import { listSessions } from './auth/list-sessions.ts';
import { authorizeConnector } from './connectors/authorize.ts';
import { completeConnector } from './connectors/complete.ts';
import { createConnector } from './connectors/create.ts';
import { createCustomApiConnector } from './connectors/create-custom-api.ts';
import { deleteConnector } from './connectors/delete.ts';
import { getConnector } from './connectors/get.ts';
import { listConnectors } from './connectors/list.ts';
import { listConnectorChoices } from './connectors/list-choices.ts';
import { listConnectorSyncs } from './connectors/list-syncs.ts';
import { listUnreadItems } from './connectors/list-unread.ts';
import { pauseConnector } from './connectors/pause.ts';
import { reconnectConnector } from './connectors/reconnect.ts';
import { resumeConnector } from './connectors/resume.ts';
import { returnFromConsent } from './connectors/return-from-consent.ts';
import { syncConnector } from './connectors/sync.ts';
import { updateConnector } from './connectors/update.ts';
import { updateConnectorScope } from './connectors/update-scope.ts';
import { cancelCrawlJob } from './crawls/cancel.ts';
import { createCrawlJob } from './crawls/create.ts';
import { createCrawlSchedule } from './crawls/create-schedule.ts';
import { deleteCrawlSchedule } from './crawls/delete-schedule.ts';
import { getCrawlSchedule } from './crawls/get-schedule.ts';
import { listCrawlSchedules } from './crawls/list-schedules.ts';
import { updateCrawlSchedule } from './crawls/update-schedule.ts';
import { getCrawlJob } from './crawls/get.ts';
import { listCrawlJobs } from './crawls/list.ts';
import { listSkippedPages } from './crawls/list-skipped.ts';
import { listEvents } from './events/list.ts';
import { replayEvents } from './events/replay-range.ts';
import { replayOneEvent } from './events/replay.ts';
import { cancelFile } from './files/cancel.ts';
import { createFile } from './files/create.ts';
import { deleteFile } from './files/delete.ts';
import { getFile } from './files/get.ts';
import { getFileProcessing } from './files/get-processing.ts';
import { createErasure } from './erasures/create.ts';
import { getErasure } from './erasures/get.ts';
import { listReceiptKeys } from './erasures/list-keys.ts';
import { listErasures } from './erasures/list.ts';
import { createRebuild } from './rebuilds/create.ts';
import { deleteRebuild } from './rebuilds/delete.ts';
import { getRebuild } from './rebuilds/get.ts';
import { listRebuilds } from './rebuilds/list.ts';
import { rollBackRebuild } from './rebuilds/roll-back.ts';
import { createEvaluation } from './evaluations/create.ts';
import { getEvaluation } from './evaluations/get.ts';
import { listEvaluatedQuestions } from './evaluations/list-questions.ts';
import { listEvaluations } from './evaluations/list.ts';
import { deleteGoldenSet } from './golden-sets/delete.ts';
import { getGoldenSet } from './golden-sets/get.ts';
import { listGoldenSets } from './golden-sets/list.ts';
import { listGoldenSetVersions } from './golden-sets/list-versions.ts';
import { fillGoldenSetFromLog } from './golden-sets/from-log.ts';
import { putGoldenSet } from './golden-sets/put.ts';
import { addSearchFeedback } from './query-log/add-feedback.ts';
import { deleteQueryLog } from './query-log/delete.ts';
import { listLoggedQuestions } from './query-log/list-questions.ts';
import { createExport } from './exports/create.ts';
import { deleteExport } from './exports/delete.ts';
import { getExport } from './exports/get.ts';
import { listExports } from './exports/list.ts';
import { listFiles } from './files/list.ts';
import { getFilePage } from './files/get-page.ts';
import { getFileText } from './files/get-text.ts';
import { listFileChunks } from './files/list-chunks.ts';
import { listFileTasks } from './files/list-tasks.ts';
import { replaceFile } from './files/replace.ts';
import { downloadFile } from './files/download.ts';
import { retryFile } from './files/retry.ts';
import { listFormats } from './formats/list.ts';
import { createImport } from './imports/create.ts';
import { branchIndex } from './indexes/branch.ts';
import { createIndex } from './indexes/create.ts';
import { deleteIndex } from './indexes/delete.ts';
import { diffIndex } from './indexes/diff.ts';
import { getIndex } from './indexes/get.ts';
import { getIndexStats } from './indexes/get-stats.ts';
import { getIndexMetrics } from './indexes/get-metrics.ts';
import { getIndexStatsHistory } from './indexes/get-stats-history.ts';
import { listIndexes } from './indexes/list.ts';
import { listModels } from './indexes/list-models.ts';
import { listRegions } from './indexes/list-regions.ts';
import { promoteIndex } from './indexes/promote.ts';
import { updateIndex } from './indexes/update.ts';
import { acceptInvitation } from './invitations/accept.ts';
import { createInvitation } from './invitations/create.ts';
import { listInvitations } from './invitations/list.ts';
import { revokeInvitation } from './invitations/revoke.ts';
import { getIndexMcpMetadata } from './mcp/get-index-mcp-metadata.ts';
import { getMcpMetadata } from './mcp/get-mcp-metadata.ts';
import { getRootMetadata } from './mcp/get-root-metadata.ts';
import { openaiApi } from './openai/serve.ts';
import { indexMcp } from './mcp/serve-index.ts';
import { mcp } from './mcp/serve-organization.ts';
import { listMembers } from './members/list.ts';
import { removeMember } from './members/remove.ts';
import { updateMember } from './members/update.ts';
import { getAuthorizationPage } from './authorization/get-page.ts';
import { getAuthorizationRequest } from './authorization/get-request.ts';
import { getAuthorizationServer } from './authorization/get-server-metadata.ts';
import { authorizeApplication } from './authorization/grant.ts';
import { revokeToken } from './authorization/revoke-token.ts';
import { getConsoleFile } from './console/get-file.ts';
import { getConsolePage } from './console/get-page.ts';
import { getGuidesFile } from './guides/get-file.ts';
import { getGuides } from './guides/get-page.ts';
import { getDocs } from './meta/get-docs.ts';
import { getDocsFile } from './meta/get-docs-file.ts';
import { describeMetadata } from './metadata/describe.ts';
import { listMetadataValues } from './metadata/list-values.ts';
import { getDeepHealth } from './meta/get-deep-health.ts';
import { getHealth } from './meta/get-health.ts';
import { getOpenapi } from './meta/get-openapi.ts';
import { createOauthClient } from './oauth/create-client.ts';
import { issueAccessToken } from './oauth/issue-token.ts';
import { listOauthClients } from './oauth/list-clients.ts';
import { revokeOauthClient } from './oauth/revoke-client.ts';
import { completeOnboarding } from './onboarding/complete.ts';
import { getOrganization } from './organization/get.ts';
import { getOrganizationUsage } from './organization/get-usage.ts';
import { listCredentialUsage } from './organization/list-credential-usage.ts';
import { listValueUsage } from './organization/list-value-usage.ts';
import { listIndexUsage } from './organization/list-index-usage.ts';
import { listUsageHistory } from './organization/list-usage-history.ts';
import { updateOrganization } from './organization/update.ts';
import { listAuditRecords } from './organization/list-audit-records.ts';
import { listDailyUsage } from './organization/list-daily-usage.ts';
import { listOrganizations } from './organizations/list.ts';
import { listPlans } from './plans/list.ts';
import { searchBatch } from './search/batch.ts';
import { denseSearch } from './search/dense.ts';
import { hybridSearch } from './search/hybrid.ts';
import { measureRecall } from './search/recall.ts';
import { sparseSearch } from './search/sparse.ts';
import { countVectors } from './vectors/count.ts';
import { deleteVectors } from './vectors/delete.ts';
import { fetchVectors } from './vectors/fetch.ts';
import { listVectors } from './vectors/list.ts';
import { updateVectors } from './vectors/update.ts';
import { updateVectorsByFilter } from './vectors/update-by-filter.ts';
import { upsertVectors } from './vectors/upsert.ts';
import { listVersions } from './versions/list.ts';
import { restoreIndex } from './versions/restore.ts';
import { deleteSourceCredentials } from './source-credentials/delete.ts';
import { listSourceCredentials } from './source-credentials/list.ts';
import { putSourceCredentials } from './source-credentials/put.ts';
import { createWebhookEndpoint } from './webhooks/create.ts';
import { deleteWebhookEndpoint } from './webhooks/delete.ts';
import { listWebhookDeliveries } from './webhooks/list-deliveries.ts';
import { listWebhookEndpoints } from './webhooks/list.ts';
import { rotateWebhookSecret } from './webhooks/rotate-secret.ts';
import { testWebhookEndpoint } from './webhooks/send-test.ts';
import { updateWebhookEndpoint } from './webhooks/update.ts';

/** Endpoints of the HTTP API by the path of their module. The path determines the name of the Lambda function. */
export const endpoints = {
  'auth/bootstrap': bootstrap,
  'auth/list-sessions': listSessions,
  'auth/end-session': endSession,
  'auth/end-one-session': endOneSession,
  'organizations/list': listOrganizations,
  'organization/get': getOrganization,
  'plans/list': listPlans,
  'onboarding/complete': completeOnboarding,
  'members/list': listMembers,
  'members/update': updateMember,
  'members/remove': removeMember,
  'invitations/list': listInvitations,
  'invitations/create': createInvitation,
  'invitations/revoke': revokeInvitation,
  'invitations/accept': acceptInvitation,
  'organization/get-usage': getOrganizationUsage,
  'organization/list-credential-usage': listCredentialUsage,
  'organization/list-value-usage': listValueUsage,
  'organization/list-index-usage': listIndexUsage,
  'organization/list-usage-history': listUsageHistory,
  'organization/update': updateOrganization,
  'organization/list-daily-usage': listDailyUsage,
  'organization/list-audit-records': listAuditRecords,
  'api-keys/create': createApiKey,
  'api-keys/list': listApiKeys,
  'api-keys/revoke': revokeApiKey,
  'oauth/create-client': createOauthClient,
  'oauth/list-clients': listOauthClients,
  'oauth/revoke-client': revokeOauthClient,
  'oauth/issue-token': issueAccessToken,
  'authorization/get-server-metadata': getAuthorizationServer,
  'authorization/get-page': getAuthorizationPage,
  'authorization/get-request': getAuthorizationRequest,
  'authorization/grant': authorizeApplication,
  'authorization/revoke-token': revokeToken,
  'indexes/list-regions': listRegions,
  'indexes/list-models': listModels,
  'indexes/create': createIndex,
  'indexes/list': listIndexes,
  'indexes/get': getIndex,
  'indexes/update': updateIndex,
  'indexes/delete': deleteIndex,
  'indexes/branch': branchIndex,
  'indexes/diff': diffIndex,
  'indexes/promote': promoteIndex,
  'versions/list': listVersions,
  'versions/restore': restoreIndex,
  'erasures/create': createErasure,
  'erasures/list': listErasures,
  'erasures/get': getErasure,
  'erasures/list-keys': listReceiptKeys,
  'rebuilds/create': createRebuild,
  'rebuilds/list': listRebuilds,
  'rebuilds/get': getRebuild,
  'rebuilds/delete': deleteRebuild,
  'rebuilds/roll-back': rollBackRebuild,
  'golden-sets/put': putGoldenSet,
  'golden-sets/get': getGoldenSet,
  'golden-sets/list': listGoldenSets,
  'golden-sets/list-versions': listGoldenSetVersions,
  'golden-sets/delete': deleteGoldenSet,
  'golden-sets/from-log': fillGoldenSetFromLog,
  'query-log/add-feedback': addSearchFeedback,
  'query-log/list-questions': listLoggedQuestions,
  'query-log/delete': deleteQueryLog,
  'evaluations/create': createEvaluation,
  'evaluations/list': listEvaluations,
  'evaluations/get': getEvaluation,
  'evaluations/list-questions': listEvaluatedQuestions,
  'exports/create': createExport,
  'exports/list': listExports,
  'exports/get': getExport,
  'exports/delete': deleteExport,
  'aliases/put': putAlias,
  'aliases/list': listAliases,
  'aliases/get': getAlias,
  'aliases/delete': deleteAlias,
  'indexes/get-stats': getIndexStats,
  'indexes/get-stats-history': getIndexStatsHistory,
  'indexes/get-metrics': getIndexMetrics,
  'files/create': createFile,
  'files/list': listFiles,
  'files/get': getFile,
  'files/delete': deleteFile,
  'files/cancel': cancelFile,
  'files/replace': replaceFile,
  'files/retry': retryFile,
  'files/get-text': getFileText,
  'files/get-page': getFilePage,
  'files/list-chunks': listFileChunks,
  'files/download': downloadFile,
  'files/list-tasks': listFileTasks,
  'files/get-processing': getFileProcessing,
  'formats/list': listFormats,
  'imports/create': createImport,
  'crawls/create': createCrawlJob,
  'crawls/list': listCrawlJobs,
  'crawls/get': getCrawlJob,
  'crawls/list-skipped': listSkippedPages,
  'source-credentials/put': putSourceCredentials,
  'source-credentials/list': listSourceCredentials,
  'source-credentials/delete': deleteSourceCredentials,
  'crawls/cancel': cancelCrawlJob,
  'crawls/create-schedule': createCrawlSchedule,
  'crawls/list-schedules': listCrawlSchedules,
  'crawls/get-schedule': getCrawlSchedule,
  'crawls/update-schedule': updateCrawlSchedule,
  'crawls/delete-schedule': deleteCrawlSchedule,
  'connectors/list': listConnectors,
  'connectors/get': getConnector,
  'connectors/create': createConnector,
  'connectors/create-custom-api': createCustomApiConnector,
  'connectors/authorize': authorizeConnector,
  'connectors/return-from-consent': returnFromConsent,
  'connectors/complete': completeConnector,
  'connectors/update': updateConnector,
  'connectors/list-choices': listConnectorChoices,
  'connectors/list-syncs': listConnectorSyncs,
  'connectors/list-unread': listUnreadItems,
  'connectors/update-scope': updateConnectorScope,
  'connectors/reconnect': reconnectConnector,
  'connectors/sync': syncConnector,
  'connectors/resume': resumeConnector,
  'connectors/pause': pauseConnector,
  'connectors/delete': deleteConnector,
  'vectors/upsert': upsertVectors,
  'vectors/update': updateVectors,
  'vectors/list': listVectors,
  'vectors/fetch': fetchVectors,
  'vectors/delete': deleteVectors,
  'vectors/count': countVectors,
  'vectors/update-by-filter': updateVectorsByFilter,
  'metadata/list-values': listMetadataValues,
  'metadata/describe': describeMetadata,
  'search/batch': searchBatch,
  'search/dense': denseSearch,
  'search/recall': measureRecall,
  'search/sparse': sparseSearch,
  'search/hybrid': hybridSearch,
  'events/list': listEvents,
  'webhooks/create': createWebhookEndpoint,
  'webhooks/list': listWebhookEndpoints,
  'webhooks/update': updateWebhookEndpoint,
  'webhooks/delete': deleteWebhookEndpoint,
  'webhooks/rotate-secret': rotateWebhookSecret,
  'webhooks/send-test': testWebhookEndpoint,
  'webhooks/list-deliveries': listWebhookDeliveries,
  'events/replay': replayOneEvent,
  'events/replay-range': replayEvents,
  'mcp/serve-organization': mcp,
  'mcp/serve-index': indexMcp,
  'mcp/get-root-metadata': getRootMetadata,
  'mcp/get-mcp-metadata': getMcpMetadata,
  'mcp/get-index-mcp-metadata': getIndexMcpMetadata,
  'openai/serve': openaiApi,
  'meta/get-deep-health': getDeepHealth,
  'meta/get-health': getHealth,
  'meta/get-openapi': getOpenapi,
  'console/get-page': getConsolePage,
  'console/get-file': getConsoleFile,
  'guides/get-page': getGuides,
  'guides/get-file': getGuidesFile,
  'meta/get-docs': getDocs,
  'meta/get-docs-file': getDocsFile,
};

export { schedules, services, workers } from './background.ts';
