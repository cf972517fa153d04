import type { Block } from '@aws-sdk/client-textract';
import type { Clock } from '../../../../shared/kernel/clock.ts';
import { lazy } from '../../../../shared/kernel/memoize.ts';
import {
  type CallPolicy,
  createCaller,
  defaultCallPolicy,
  sdkFault,
} from '../../../../shared/platform/models/call-model.ts';
import { type LinePlace, type PictureFile, type OcrResult, type OcrModel, UnreadablePicture } from './port.ts';

const requestTimeoutMs = 30_000;

const refusals: Readonly<Record<string, string>> = {
  BadDocumentException: 'A picture is damaged',
  UnsupportedDocumentException: 'A picture is of a kind that text recognition does not take',
  DocumentTooLargeException: 'A picture is too large for text recognition',
  InvalidParameterException: 'A picture is damaged or of an unknown kind',
};

const toOcrResult = (blocks: readonly Block[]): OcrResult => {
  const lines = blocks.flatMap(({ BlockType, Text, Confidence, Geometry }) =>
    BlockType === 'LINE' && Text !== undefined
      ? [{ text: Text, confidence: Confidence ?? 0, box: Geometry?.BoundingBox }]
      : [],
  );
  const chars = lines.reduce((sum, { text }) => sum + text.length, 0);
  const sure = lines.reduce((sum, { text, confidence }) => sum + text.length * confidence, 0);
  let at = 0;
  const places = lines.flatMap(({ text, box }): readonly LinePlace[] => {
    const { Left: left, Top: top, Width: width, Height: height } = box ?? {};
    const from = at;
    at += text.length + 1;
    const isKnown = left !== undefined && top !== undefined && width !== undefined && height !== undefined;
    return isKnown ? [{ at: from, left, top, width, height }] : [];
  });
  return { text: lines.map(({ text }) => text).join('\n'), confidence: chars === 0 ? 0 : sure / chars / 100, places };
};

/**
 * Creates OCR by Amazon Textract of a region: one request for each picture, which contains its bytes.
 * https://docs.aws.amazon.com/textract/latest/dg/API_DetectDocumentText.html
 */
export const createTextractOcr = (
  options: { readonly region: string; readonly clock: Clock },
  policy: CallPolicy = defaultCallPolicy,
): OcrModel => {
  const call = createCaller(policy);
  const connect = lazy(async () => {
    const { TextractClient } = await import('@aws-sdk/client-textract');
    return new TextractClient({ region: options.region, maxAttempts: 1 });
  });
  const detect = async ({ bytes }: PictureFile): Promise<readonly Block[]> => {
    const { DetectDocumentTextCommand } = await import('@aws-sdk/client-textract');
    const client = await connect();
    const command = new DetectDocumentTextCommand({ Document: { Bytes: bytes } });
    try {
      return (await client.send(command, { abortSignal: AbortSignal.timeout(requestTimeoutMs) })).Blocks ?? [];
    } catch (error) {
      const refusal = refusals[error instanceof Error ? error.name : ''];
      throw refusal === undefined
        ? sdkFault('Textract', error, options.clock.now())
        : new UnreadablePicture(refusal, error);
    }
  };
  return { concurrency: 4, recognize: async (picture) => toOcrResult(await call(() => detect(picture))) };
};
