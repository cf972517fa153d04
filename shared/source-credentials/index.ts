export { AzureCredentials, GoogleCredentials, S3Credentials, visibleText } from './access-schemas.ts';
export {
  type CredentialsUser,
  storedCredentialsOpen,
  storedCredentialsRead,
  storedCredentialsUse,
  storedCredentialsWrite,
  toSourceCredentialsResponse,
} from './repository.ts';
export { localRoleProblem, requireStored } from './require-stored.ts';
export { refuseBoth, SourceCredentialsPut, SourceCredentialsResponse, StoredCredentials, storedIn } from './schemas.ts';
