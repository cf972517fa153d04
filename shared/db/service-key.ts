import { hkdfSync, randomBytes } from 'node:crypto';
import type { Runtime } from '../kernel/capability.ts';
import { memoizePerOwner } from '../kernel/memoize.ts';
import { seal, unseal } from '../kernel/seal.ts';
import { absent } from './condition.ts';
import { openTable } from './table.ts';

const address = { pk: 'KEY#1', sk: 'KEY' };

/**
 * The key of the deployment: 32 random bytes, which the first function that needs them stores. Read once for each process.
 * Its table alone opens nothing, and neither do the tables whose content is sealed under it.
 */
const serviceKey = memoizePerOwner(async (runtime: Runtime): Promise<Buffer> => {
  const table = openTable(runtime, 'keys');
  for (;;) {
    const stored = await table.get(address);
    if (stored !== null) return Buffer.from(stored['key'] as string, 'base64');
    await table.put({ ...address, key: randomBytes(32).toString('base64') }, absent);
  }
});

/** Names the key and the form of a sealed text. */
const form = 'sealed1:';

/** Whether a stored text is sealed under the key of the deployment; earlier versions stored some as they are. */
export const isSealed = (stored: string): boolean => stored.startsWith(form);

/** Encrypts and decrypts stored texts under a key that HKDF-SHA256 derives from the key of the deployment. */
export interface ServiceSealer {
  /** @param context Address of the text; authenticated with it, so that it opens nowhere else. */
  seal(plain: string, context: string): string;
  /** Throws where the text was sealed for another purpose or context. */
  open(stored: string, context: string): string;
}

/**
 * The sealer of one purpose.
 * @param secret What is needed besides the key of the deployment, such as a value that the caller alone has.
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
