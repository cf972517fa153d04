import { capability } from '../kernel/capability.ts';
import { type CredentialReader, type CredentialWriter, openCredentials } from './repository.ts';

export const credentialsRead = capability<CredentialReader>(['credentials.read'], openCredentials);
export const credentialsWrite = capability<CredentialWriter>(
  ['credentials.read', 'credentials.write'],
  openCredentials,
);
