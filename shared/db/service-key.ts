import { hkdfSync, randomBytes } from 'node:crypto';
import type { Runtime } from '../kernel/capability.ts';
import { memoizePerOwner } from '../kernel/memoize.ts';
import { seal, unseal } from '../kernel/seal.ts';
import { absent } from './condition.ts';
import { openTable } from './table.ts';

const address = { pk: 'KEY#1', sk: 'KEY' };

/**
 * Encryption key of the deployment: 32 random bytes, which the first function that needs them stores. Each process reads it
 * once. It is in another table than the ciphertexts, so neither table alone reveals a secret.
 */
const serviceKey = memoizePerOwner(async (runtime: Runtime): Promise<Buffer> => {
  const table = openTable(runtime, 'keys');
  for (;;) {
    const stored = await table.get(address);
    if (stored !== null) return Buffer.from(stored['key'] as string, 'base64');
    await table.put({ ...address, key: randomBytes(32).toString('base64') }, absent);
  }
});

/** Prefix of a ciphertext: its key and format. */
const form = 'sealed1:';

/** Encrypts and decrypts stored texts under a key that HKDF-SHA256 derives from the key of the deployment. */
export interface ServiceSealer {
  /** @param context Address of the text. It is authenticated, so the ciphertext cannot be decrypted elsewhere. */
  seal(plain: string, context: string): string;
  /** Throws if the text was encrypted for another purpose or context. */
  open(stored: string, context: string): string;
}

/** Returns 32 bytes for one purpose, which HKDF-SHA256 derives from the key of the deployment. */
export const serviceSecret = async (runtime: Runtime, purpose: string): Promise<Buffer> =>
  Buffer.from(hkdfSync('sha256', await serviceKey(runtime), '', purpose, 32));

/**
 * Opens the encryption for one purpose.
 * @param secret Additional key material, such as a value that only the caller has.
 */
export const serviceSealer = async (
  runtime: Runtime,
  purpose: string,
  { secret = '', salt = '' }: { readonly secret?: string; readonly salt?: Buffer | string } = {},
): Promise<ServiceSealer> => {
  const material = Buffer.concat([await serviceKey(runtime), Buffer.from(secret, 'utf8')]);
  const key = Buffer.from(hkdfSync('sha256', material, salt, purpose, 32));
  return {
    seal: (plain, context) => `${form}${seal(plain, key, context)}`,
    open: (stored, context) => unseal(stored.slice(form.length), key, context),
  };
};
