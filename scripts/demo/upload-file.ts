import { createReadStream } from 'node:fs';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Upload } from './schemas.ts';

const longestAnswer = 600;

/**
 * PUTs a file to its upload address with exactly the headers that came with it; the length that HTTP itself asks for is
 * all that is added, as curl does. @throws Error with the store's answer when it refuses.
 */
export const uploadFile = async (
  { upload_url: url, upload_headers: headers }: Upload,
  file: { readonly path: string; readonly bytes: number },
  onSent: (bytes: number) => void,
): Promise<void> => {
  const open = url.startsWith('https:') ? requestHttps : requestHttp;
  const put = open(url, { method: 'PUT', headers: { ...headers, 'content-length': file.bytes } });
  const answered = new Promise<{ readonly status: number; readonly body: string }>((resolve, reject) => {
    put.once('error', reject);
    put.once('response', (response) => {
      text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
    });
  });
  let sent = 0;
  const source = createReadStream(file.path).on('data', (chunk) => onSent((sent += chunk.length)));
  // A store that refuses may hang up before all is sent: its answer says more than the broken pipe.
  await pipeline(source, put).catch(() => undefined);
  const { status, body } = await answered;
  if (status !== 200) throw new Error(`the upload was answered ${status}: ${body.slice(0, longestAnswer)}`);
};
