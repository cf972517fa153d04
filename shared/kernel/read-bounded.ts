/**
 * A body to its end; empty for one that is not there. Throws `tooLong()` as soon as there are more than `mostBytes`, which
 * ends the reading and with it the connection.
 */
export const readBounded = async (
  body: AsyncIterable<Uint8Array> | null,
  maxBytes: number,
  tooLong: () => Error,
): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw tooLong();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes);
};
