import { createHash } from 'node:crypto';
import PDFDocument from 'pdfkit';
import { type ApiAnswer, call, type Caller, eventually } from './organization.ts';

/** A PDF with one page of text for each entry. */
export const makePdf = (pages: readonly string[]): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const document = new PDFDocument({ autoFirstPage: false, size: 'A4' });
    const parts: Buffer[] = [];
    document.on('data', (part: Buffer) => parts.push(part));
    document.on('end', () => resolve(Buffer.concat(parts)));
    document.on('error', reject);
    for (const page of pages) document.addPage().fontSize(11).text(page);
    document.end();
  });

/** Asks for an upload address and PUTs the file there with exactly the returned headers. */
export const upload = async (
  key: Caller,
  indexId: string,
  filename: string,
  contentType: string,
  bytes: Uint8Array,
): Promise<string> => {
  const checksum_sha256 = createHash('sha256').update(bytes).digest('hex');
  const job = await call(key, 'POST', `/v1/indexes/${indexId}/files`, {
    filename,
    content_type: contentType,
    checksum_sha256,
  });
  if (job.status !== 201) throw new Error(`no upload address: ${JSON.stringify(job.body)}`);
  const put = await fetch(job.body.upload_url, {
    method: 'PUT',
    headers: job.body.upload_headers,
    body: Buffer.from(bytes),
  });
  if (put.status !== 200) throw new Error(`upload refused: ${put.status} ${await put.text()}`);
  return job.body.id;
};

const ended = new Set(['completed', 'completed_with_warnings', 'failed', 'cancelled', 'expired']);

/** The job once it has ended. */
export const finished = async (
  key: Caller,
  indexId: string,
  jobId: string,
  seconds = 240,
): Promise<ApiAnswer['body']> => {
  const answer = await eventually(
    () => call(key, 'GET', `/v1/indexes/${indexId}/files/${jobId}`),
    ({ body }) => ended.has(body.status),
    seconds,
  );
  return answer.body;
};

/** Every vector of an index, page by page. */
export const allVectors = async (key: Caller, indexId: string): Promise<readonly ApiAnswer['body'][]> => {
  const rows: ApiAnswer['body'][] = [];
  let cursor: string | null = null;
  do {
    const page: ApiAnswer = await call(
      key,
      'GET',
      `/v1/indexes/${indexId}/vectors?limit=1000${cursor === null ? '' : `&cursor=${cursor}`}`,
    );
    rows.push(...page.body);
    cursor = page.headers.get('x-next-cursor');
  } while (cursor !== null);
  return rows;
};
