import { gunzipSync, gzipSync } from 'node:zlib';

/** Compresses a value for the sync state; null if it exceeds `maxLength` characters. */
export const pack = (value: unknown, maxLength: number): string | null => {
  const text = gzipSync(JSON.stringify(value)).toString('base64');
  return text.length > maxLength ? null : text;
};

export const unpack = (text: string): unknown => JSON.parse(gunzipSync(Buffer.from(text, 'base64')).toString());
