export { changeScope, pauseConnection, resumeConnection } from './change.ts';
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
export { createConnector, createConnectorUses, createCustomApi } from './create.ts';
export { ConnectorReconnect, CustomApiCreate, reachProblems } from './custom-api.ts';
export { connectionAddressIn, SyncMessage, syncMessageOf, syncSend } from './messages.ts';
export { toAcknowledgement, toConnectorOverview, toConnectorResponse } from './present.ts';
export type { ConnectionAddress, Unread } from './record.ts';
export { credentialStore } from './credential-store.ts';
export { reconnect } from './reconnect.ts';
export { connectorsChange, connectorsRead } from './repository.ts';
export {
  ConnectorChange,
  ConnectorConfirmation,
  ConnectorConsent,
  ConnectorConsentCreate,
  ConnectorCreate,
  ConnectorOverview,
  connectorProviders,
  ConnectorResponse,
} from './schemas.ts';
export { ConnectorScopeUpdate } from './scope.ts';
export { type Claim, connectorsDue, connectorsSync, type Progress } from './sync-repository.ts';
