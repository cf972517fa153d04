import { hkdfSync } from 'node:crypto';
import { unseal } from '../kernel/seal.ts';

/** Opens what a version before the key of the deployment has sealed, under a key that HKDF-SHA256 derives from the caller's. */
export const openEarlier = (sealed: string, callerKey: string, salt: Buffer, context: string): string =>
  unseal(sealed, Buffer.from(hkdfSync('sha256', callerKey, salt, 'idempotency', 32)), context);
