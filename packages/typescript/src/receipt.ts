/** Receipt of an erasure, as `GET /v1/indexes/{index_id}/erasures/{erasure_id}` returns it. */
export interface SignedReceipt {
  /** JSON text. Each byte of it counts. */
  readonly text: string;
  /** Ed25519 signature, base64. */
  readonly signature: string;
}

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));

/**
 * Returns whether a receipt was signed by a key, and not changed since. Makes no request.
 * @param publicKey In PEM, as `GET /v1/receipt-keys` returns it.
 * @throws If the key or the signature has another form.
 */
export const verifyReceipt = async ({ text, signature }: SignedReceipt, publicKey: string): Promise<boolean> => {
  const der = bytesOf(publicKey.replaceAll(/-----[^-]+-----|\s/g, ''));
  const key = await crypto.subtle.importKey('spki', der, 'Ed25519', false, ['verify']);
  return crypto.subtle.verify('Ed25519', key, bytesOf(signature), new TextEncoder().encode(text));
};
