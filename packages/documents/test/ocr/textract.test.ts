import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { systemClock } from '../../../../shared/kernel/clock.ts';
import { defaultCallPolicy } from '../../../../shared/platform/models/call-model.ts';
import { UnreadablePicture } from '../../src/ocr/port.ts';
import { createTextractOcr } from '../../src/ocr/textract.ts';
import { StubModels } from '../../../../test/models/stub-models.ts';

const stub = new StubModels();
before(() => stub.start());
after(() => stub.stop());

const detect = 'Textract.DetectDocumentText';
const ocr = createTextractOcr(
  { region: 'us-east-1', clock: systemClock },
  { ...defaultCallPolicy, pause: async () => {} },
);
const picture = { mediaType: 'image/png' as const, bytes: new Uint8Array([137, 80, 78, 71]) };

test('Textract receives the bytes of a picture and returns its lines in order', async () => {
  const { text, confidence } = await ocr.recognize(picture);
  assert.equal(text, 'Seventeen comets were logged\nduring the winter of 1911');
  assert.ok(confidence > 0.975 && confidence < 0.995);
  assert.deepEqual(
    stub.seen.map(({ body }) => body),
    [{ Document: { Bytes: 'iVBORw==' } }],
  );
});

test('a picture that Textract refuses is never sent again; a throttled one is', async () => {
  stub.seen.length = 0;
  stub.script(detect, { status: 400, body: { __type: 'UnsupportedDocumentException', message: 'no' } });
  await assert.rejects(ocr.recognize(picture), UnreadablePicture);
  assert.equal(stub.count(detect), 1);
  const throttled = { status: 400, body: { __type: 'ProvisionedThroughputExceededException', message: 'slow down' } };
  stub.script(detect, throttled, { status: 500, body: { __type: 'InternalServerError' } });
  assert.match((await ocr.recognize(picture)).text, /comets/);
  assert.equal(stub.count(detect), 4);
});
