import { AppError, ValidationFailure, valueProblem } from '../kernel/errors.ts';
import { requirePlain, type SentBody } from './body.ts';
import { shortened } from './validation-problems.ts';

/** Maximum parts of a form, above those of any valid one. */
const maxParts = 16;
/** Maximum bytes of the headers of a part. */
const maxHeaderBytes = 8 * 1024;

const endOfHeaders = Buffer.from('\r\n\r\n');

const boundaryOf = (type: string): string | null => {
  const [, quoted, plain] = /^multipart\/form-data[ \t]*;.*?boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(type) ?? [];
  return quoted ?? plain ?? null;
};

/** Throws for a form with too many parts or too long headers, which its parser would read to the end. */
const requireFewParts = (bytes: Buffer, boundary: string): void => {
  const delimiter = Buffer.from(`--${boundary}`);
  let parts = 0;
  for (let at = bytes.indexOf(delimiter); at !== -1; at = bytes.indexOf(delimiter, at + delimiter.length)) {
    parts += 1;
    // The last delimiter ends the form.
    if (parts > maxParts + 1) throw new AppError('payload_too_large', `A form may have at most ${maxParts} parts`);
    const headers = bytes.subarray(at, at + delimiter.length + maxHeaderBytes);
    const isLast = bytes.length - at < maxHeaderBytes;
    if (!isLast && !headers.includes(endOfHeaders))
      throw new AppError('payload_too_large', `The headers of a part may have at most ${maxHeaderBytes} bytes`);
  }
};

const parsedForm = async (bytes: Buffer, type: string): Promise<FormData> => {
  try {
    const headers = { 'content-type': type };
    // oxlint-disable-next-line typescript/no-deprecated -- the whole body is in memory already
    return await new Response(new Uint8Array(bytes), { headers }).formData();
  } catch {
    throw new AppError('bad_request', 'The body is not a valid form of its content-type');
  }
};

/** Parses a form with files. A field is a string or a `File`, and a repeated one is refused. Source: RFC 7578. */
export const multipartBody = async ({ body = '', headers, isBase64Encoded }: SentBody): Promise<unknown> => {
  requirePlain(headers);
  const { 'content-type': type = '' } = headers;
  const boundary = boundaryOf(type);
  if (boundary === null)
    throw new AppError('unsupported_media_type', 'The body must be multipart/form-data with a boundary');
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  requireFewParts(bytes, boundary);
  const fields = [...(await parsedForm(bytes, type))];
  const repeated = fields.find(([name], at) => fields.findIndex(([other]) => other === name) < at);
  if (repeated !== undefined)
    throw new ValidationFailure([valueProblem(['body', shortened(repeated[0])], 'the field is repeated')]);
  return Object.fromEntries(fields);
};
