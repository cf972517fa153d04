export { changeScope, pauseConnection, resumeConnection } from './change.ts';
export { consentSeconds, endConsent, endConsentUses, startConsent, startConsentUses } from './consent.ts';
export { createConnector, createConnectorUses, createCustomApi } from './create.ts';
export { CustomApiCreate, reachProblems } from './custom-api.ts';
export { SyncMessage, syncSend } from './messages.ts';
export { toAcknowledgement, toConnectorOverview, toConnectorResponse } from './present.ts';
export type { ConnectionAddress, Unread } from './record.ts';
export { connectorsChange, connectorsKeep, connectorsRead } from './repository.ts';
export {
  ConnectorChange,
  ConnectorConsent,
  ConnectorConsentCreate,
  ConnectorCreate,
  ConnectorOverview,
  connectorProviders,
  ConnectorResponse,
} from './schemas.ts';
export { ConnectorScopeUpdate } from './scope.ts';
export { type Claim, connectorsDue, connectorsSync, type Progress } from './sync-repository.ts';
