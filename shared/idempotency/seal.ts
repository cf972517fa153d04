import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const ivBytes = 12;
const tagBytes = 16;

/**
 * Encrypts and decrypts under a passphrase that is not stored anywhere: AES-256-GCM with a key by HKDF-SHA256.
 * `open` throws where the text was sealed under another passphrase or salt.
 */
export const sealer = (passphrase: string, salt: Buffer) => {
  const key = Buffer.from(hkdfSync('sha256', passphrase, salt, 'idempotency', 32));
  return {
    seal: (plain: Buffer): string => {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', key, iv);
      const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64');
    },
    open: (sealed: string): Buffer => {
      const bytes = Buffer.from(sealed, 'base64');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes));
      decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
      return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]);
    },
  };
};
