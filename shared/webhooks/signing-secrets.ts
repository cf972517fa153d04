import { serviceSealer } from '../db/service-key.ts';
import { capability, type Runtime } from '../kernel/capability.ts';
import { memoizePerOwner } from '../kernel/memoize.ts';

/** Endpoint that a secret belongs to. */
interface Owner {
  readonly organizationId: string;
  readonly id: string;
}

/** Encryption of signing secrets under the key of the deployment. Each ciphertext is bound to its endpoint. */
export interface SigningSecrets {
  seal(owner: Owner, secret: string): Promise<string>;
  /** Returns the `whsec_…` of a stored secret. */
  open(owner: Owner, stored: string): Promise<string>;
}

const sealerOf = memoizePerOwner((runtime: Runtime) => serviceSealer(runtime, 'webhook signing secrets'));

const contextOf = ({ organizationId, id }: Owner): string => `${organizationId} ${id}`;

export const openSigningSecrets = (runtime: Runtime): SigningSecrets => ({
  seal: async (owner, secret) => (await sealerOf(runtime)).seal(secret, contextOf(owner)),
  open: async (owner, stored) => (await sealerOf(runtime)).open(stored, contextOf(owner)),
});

export const signingSecrets = capability<SigningSecrets>(['keys.use'], openSigningSecrets);
