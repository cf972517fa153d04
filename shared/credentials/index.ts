export { authenticationUses, authenticationUsesOf, authenticator } from './authenticate.ts';
export { authorizationUses, authorizer } from './authorize.ts';
export {
  AuthorizationQuery,
  readApplication,
  AuthorizationRefusal,
  readAuthorizationRequest,
  redirectWith,
} from './authorization-request.ts';
export { credentialsRead, credentialsWrite, grantsWrite, oauthClientsRead, oauthClientsWrite } from './capabilities.ts';
export type { OAuthClient, OAuthClientReader } from './client-repository.ts';
export { clientMetadata } from './client-metadata.ts';
export { creatorsFor } from './creators.ts';
export { exchangeGrant, exchangeGrantUses } from './exchange-grant.ts';
export { keyUsesRead } from './key-uses.ts';
export { identityVerify } from './verify-id-token.ts';
export { issueAccessToken, issueAccessTokenUses } from './issue-access-token.ts';
export { oauthError, oauthErrorFormat } from './oauth-error.ts';
export type { ApiKey, CredentialReader } from './repository.ts';
export { isRevoked } from './revocation.ts';
export { boundsOf, toShownBounds } from './bounds.ts';
export { limitsOf, toShownLimits } from './limits.ts';
export {
  AuthorizationCreate,
  AuthorizationCreated,
  AuthorizationReview,
  RevocationRequest,
} from './authorization-schemas.ts';
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
export { isToken, newToken, shownPrefix } from './token.ts';
export { userTokenKeys } from './user-tokens.ts';
