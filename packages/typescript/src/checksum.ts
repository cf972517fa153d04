/** Maximum of the bytes that WebCrypto reads. It takes a whole content at once. */
const maxBytesInMemory = 128 * 1024 * 1024;

const hexadecimal = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * SHA-256 of a content in hexadecimal digits. Node.js, Deno and Bun read a Blob in parts. Browsers read it whole, so it is
 * null for more than 128 MiB, and for pages without WebCrypto, which are those of a plain `http:` address.
 */
export const checksumOf = async (content: Blob | Uint8Array<ArrayBuffer>): Promise<string | null> => {
  // An import of the module would make bundlers for browsers warn or fail.
  const crypto = globalThis.process?.getBuiltinModule?.('node:crypto');
  if (crypto) {
    const hash = crypto.createHash('sha256');
    const parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array> =
      content instanceof Blob ? content.stream() : [content];
    for await (const part of parts) hash.update(part);
    return hash.digest('hex');
  }
  const subtle = globalThis.crypto?.subtle as typeof globalThis.crypto.subtle | undefined;
  const size = content instanceof Blob ? content.size : content.byteLength;
  if (subtle === undefined || size > maxBytesInMemory) return null;
  return hexadecimal(await subtle.digest('SHA-256', content instanceof Blob ? await content.arrayBuffer() : content));
};
