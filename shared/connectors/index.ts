export { changeScope, pauseConnection, resumeConnection } from './change.ts';
export { createConnector, createConnectorUses, createCustomApi } from './create.ts';
export { CustomApiCreate } from './custom-api.ts';
export { toAcknowledgement, toConnectorOverview, toConnectorResponse } from './present.ts';
export { connectorsChange, connectorsKeep, connectorsRead } from './repository.ts';
export { ConnectorChange, ConnectorCreate, ConnectorOverview, ConnectorResponse } from './schemas.ts';
export { ConnectorScopeUpdate } from './scope.ts';
