export { changeScope, pauseConnection, resumeConnection, syncConnection, updateConnection } from './change.ts';
export {
  confirmConsent,
  confirmConsentUses,
  consentSeconds,
  receiveConsent,
  receiveConsentUses,
  startConsent,
  startConsentUses,
} from './consent.ts';
export { consentPage, consentRefusalPage } from './consent-page.ts';
export { connectorProblems, createConnector, createConnectorUses, createCustomApi } from './create.ts';
export { ConnectorReconnect, CustomApiCreate, endpointProblems } from './custom-api.ts';
export { connectionAddressIn, SyncMessage, syncMessageOf, syncSend } from './messages.ts';
export {
  auditedConnector,
  intervalOf,
  toAcknowledgement,
  toConnectorOverview,
  toConnectorResponse,
} from './present.ts';
export { type ConnectionAddress, type RunningSync, type Unread, unreadIdLength } from './record.ts';
export { credentialStore } from './credential-store.ts';
export { reconnect, requireConnector } from './reconnect.ts';
export { deleteStoredCredentials, withStoredCredentials } from './stored-credentials.ts';
export { connectorsChange, connectorsRead } from './repository.ts';
export { ConnectorCreate } from './creation-schemas.ts';
export {
  ConnectorChange,
  ConnectorConfirmation,
  ConnectorConsent,
  ConnectorConsentCreate,
  ConnectorOverview,
  connectorProviders,
  ConnectorResponse,
  ConnectorUpdate,
} from './schemas.ts';
export { ConnectorScopeUpdate } from './scope.ts';
export { connectorReportsRead, ConnectorSyncResponse, type EndedSync, UnreadItemResponse } from './sync-reports.ts';
export { refreshCredentials, saveCredentials, validCredentials } from './token-refresh.ts';
export { browserInvoke, browserUses, ChoiceResponse, ChoicesRequest, findChoices, listChoices } from './choices.ts';
export { type Claim, connectorsDue, connectorsSync, type Progress } from './sync-repository.ts';
