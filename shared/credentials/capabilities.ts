import { capability } from '../kernel/capability.ts';
import { type OAuthClientReader, type OAuthClientWriter, openOAuthClients } from './client-repository.ts';
import { type GrantStore, openGrants } from './grant-repository.ts';
import { type CredentialReader, type CredentialWriter, openCredentials } from './repository.ts';

export const credentialsRead = capability<CredentialReader>(['credentials.read'], openCredentials);
export const credentialsWrite = capability<CredentialWriter>(
  ['credentials.read', 'credentials.write'],
  openCredentials,
);
export const oauthClientsRead = capability<OAuthClientReader>(['credentials.read'], openOAuthClients);
export const oauthClientsWrite = capability<OAuthClientWriter>(
  ['credentials.read', 'credentials.write'],
  openOAuthClients,
);
export const grantsWrite = capability<GrantStore>(['credentials.read', 'credentials.write'], openGrants);
