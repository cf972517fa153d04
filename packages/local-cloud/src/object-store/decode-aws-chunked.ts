import { S3Error } from './s3-error.ts';

const maxLineBytes = 8192;

/**
 * Decodes the `aws-chunked` content encoding without signatures: `HEX CRLF data CRLF …  0 CRLF`, then trailer lines and
 * an empty one. Yields the data as it arrives, and passes each trailer on with its name in lower case. Throws
 * `IncompleteBody`.
 */
export async function* decodeAwsChunked(
  source: AsyncIterable<Buffer>,
  onTrailer: (name: string, value: string) => void,
): AsyncGenerator<Buffer> {
  let pending: Buffer = Buffer.alloc(0);
  let dataLeft = 0;
  const state: { expecting: 'size' | 'data-end' | 'trailer' | 'nothing' } = { expecting: 'size' };

  const readLine = (line: string): void => {
    if (state.expecting === 'data-end' && line === '') state.expecting = 'size';
    else if (state.expecting === 'size' && /^[0-9a-f]{1,12}$/i.test(line)) {
      dataLeft = Number.parseInt(line, 16);
      state.expecting = dataLeft === 0 ? 'trailer' : 'data-end';
    } else if (state.expecting === 'trailer' && line === '') state.expecting = 'nothing';
    else if (state.expecting === 'trailer' && line.includes(':')) {
      const colon = line.indexOf(':');
      onTrailer(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
    } else throw new S3Error('IncompleteBody');
  };

  for await (const piece of source) {
    pending = pending.length === 0 ? piece : Buffer.concat([pending, piece]);
    while (pending.length > 0) {
      if (dataLeft > 0) {
        const data = pending.subarray(0, dataLeft);
        pending = pending.subarray(data.length);
        dataLeft -= data.length;
        yield data;
        continue;
      }
      const end = pending.indexOf('\r\n');
      if (end > maxLineBytes || (end < 0 && pending.length > maxLineBytes)) throw new S3Error('IncompleteBody');
      if (end < 0) break;
      readLine(pending.toString('latin1', 0, end));
      pending = pending.subarray(end + 2);
    }
  }
  if (state.expecting !== 'nothing' || pending.length > 0) throw new S3Error('IncompleteBody');
}
