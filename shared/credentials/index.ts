export { authenticationUses, authenticator } from './authenticate.ts';
export { authorizationUses, authorizer } from './authorize.ts';
export { credentialsRead, credentialsWrite, oauthClientsRead, oauthClientsWrite } from './capabilities.ts';
export type { OAuthClient, OAuthClientReader } from './client-repository.ts';
export { creatorsFor } from './creators.ts';
export { keyUsesRead } from './key-uses.ts';
export { identityVerify } from './verify-id-token.ts';
export { issueAccessToken, issueAccessTokenUses } from './issue-access-token.ts';
export { noStoreHeaders, oauthErrorFormat } from './oauth-error.ts';
export type { ApiKey, CredentialReader } from './repository.ts';
export { grantProblems, requireGrantable, restrictionOf } from './require-grantable.ts';
export {
  ApiKeyCreate,
  ApiKeyCreated,
  ApiKeyResponse,
  SessionResponse,
  OAuthClientCreate,
  OAuthClientCreated,
  OAuthClientResponse,
  TokenRequest,
  TokenResponse,
} from './schemas.ts';
export { newToken, shownPrefix } from './token.ts';
