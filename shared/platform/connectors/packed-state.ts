import { gunzipSync, gzipSync } from 'node:zlib';

/** A value in as few letters as it takes to keep it with the place of a sync; null where it takes more. */
export const pack = (value: unknown, maxLength: number): string | null => {
  const text = gzipSync(JSON.stringify(value)).toString('base64');
  return text.length > maxLength ? null : text;
};

export const unpack = (text: string): unknown => JSON.parse(gunzipSync(Buffer.from(text, 'base64')).toString());
