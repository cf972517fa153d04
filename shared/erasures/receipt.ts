import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { serviceSecret } from '../db/service-key.ts';
import { capability, type Runtime } from '../kernel/capability.ts';
import { memoizePerOwner } from '../kernel/memoize.ts';
import type { SignedReceipt } from './record.ts';

/** DER of a private Ed25519 key up to its 32 bytes. Source: RFC 8410, section 7. */
const privatePrefix = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Public key by which receipts are verified. */
export interface ReceiptKey {
  readonly id: string;
  /** SubjectPublicKeyInfo in PEM. Source: RFC 8410. */
  readonly publicKey: string;
}

/** Signs receipts under a key of the deployment. */
export interface ReceiptSigner {
  sign(text: string): Promise<SignedReceipt>;
  key(): Promise<ReceiptKey>;
}

const keyDigits = 16;

/** Key pair that is derived from the key of the deployment, so that it needs no storage of its own. */
const keysOf = memoizePerOwner(async (runtime: Runtime): Promise<ReceiptKey & { readonly privateKey: KeyObject }> => {
  const seed = await serviceSecret(runtime, 'receipts of erasures v1');
  const privateKey = createPrivateKey({ key: Buffer.concat([privatePrefix, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(privateKey).export({ format: 'pem', type: 'spki' }).toString();
  return { id: createHash('sha256').update(publicKey).digest('hex').slice(0, keyDigits), publicKey, privateKey };
});

export const receiptSigner = capability<ReceiptSigner>(['keys.use'], (runtime) => ({
  sign: async (text) => {
    const { id, privateKey } = await keysOf(runtime);
    const signature = sign(null, Buffer.from(text, 'utf8'), privateKey).toString('base64');
    return { text, signature, keyId: id };
  },
  key: async () => {
    const { id, publicKey } = await keysOf(runtime);
    return { id, publicKey };
  },
}));
