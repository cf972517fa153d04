import { hkdfSync } from 'node:crypto';
import { seal, unseal } from '../kernel/seal.ts';

/**
 * Encrypts and decrypts under a passphrase that is not stored anywhere, by a key that HKDF-SHA256 makes of it.
 * `open` throws where the text was sealed under another passphrase, salt or context.
 */
export const sealer = (passphrase: string, salt: Buffer, context: string) => {
  const key = Buffer.from(hkdfSync('sha256', passphrase, salt, 'idempotency', 32));
  return {
    seal: (plain: string): string => seal(plain, key, context),
    open: (sealed: string): string => unseal(sealed, key, context),
  };
};
