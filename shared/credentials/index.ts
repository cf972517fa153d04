export { authenticationUses, authenticator } from './authenticate.ts';
export { authorize } from './authorize.ts';
export { credentialsRead, credentialsWrite } from './capabilities.ts';
export { identityVerify } from './identity.ts';
export type { ApiKey } from './repository.ts';
export { requireGrantable } from './require-grantable.ts';
export { ApiKeyCreate, ApiKeyCreated, ApiKeyResponse } from './schemas.ts';
export { newToken, shownPrefix } from './token.ts';
