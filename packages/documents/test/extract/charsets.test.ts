import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeText } from '../../src/extract/text/decode-text.ts';

/** Encodes a text with the decoder of the platform, character by character. */
const encoderOf = (charset: string): ((text: string) => Uint8Array) => {
  const decoder = new TextDecoder(charset);
  const codes = new Map<string, readonly number[]>();
  for (let first = 0; first < 256; first += 1) {
    const sign = decoder.decode(Uint8Array.of(first));
    if (!sign.includes('\uFFFD') && sign.length === 1) codes.set(sign, [first]);
  }
  for (let first = 0x81; first < 0xff; first += 1)
    for (let second = 0x40; second < 0xff; second += 1) {
      const sign = decoder.decode(Uint8Array.of(first, second));
      if (sign.length === 1 && sign !== '\uFFFD' && !codes.has(sign)) codes.set(sign, [first, second]);
    }
  return (text) => Uint8Array.from(Array.from(text).flatMap((sign) => codes.get(sign) ?? [0x3f]));
};

const texts: Readonly<Record<string, readonly string[]>> = {
  shift_jis: ['港,船\n函館,十二\n小樽,七\n', 'カテゴリ,ラーメン\nメニュー,コーヒー\n', '議事録は金曜日に送ります。'],
  'euc-jp': [
    '港,船\n函館,十二\n小樽,七\n',
    '氏名,住所\n田中太郎,東京都\n鈴木花子,大阪市\n',
    '議事録は金曜日に送ります。',
  ],
  gb18030: ['港口,船只\n上海,十二\n青岛,七\n', '姓名,城市\n王小明,北京\n李丽,广州\n', '办公室星期五关门，请提前联系。'],
  big5: ['港口,船隻\n高雄,十二\n基隆,七\n', '姓名,城市\n陳大文,臺北市\n林美玲,高雄市\n'],
  'euc-kr': [
    '항구,선박\n부산,12\n인천,7\n',
    '이름,도시\n김영희,서울\n박철수,대구\n',
    '상품,가격\n사과,3000\n바나나,2500\n',
  ],
  'windows-1252': ['Größe,Länge\nMüller,Straße\nJörg,Köln\n', 'L’été où naît déjà l’œuvre, à côté du café'],
  'windows-1251': ['Порт,Судно\nМурманск,двенадцать\nАрхангельск,семь\n'],
};

test('a file of a few words in an undeclared charset is decoded', async () => {
  for (const [charset, contents] of Object.entries(texts)) {
    const encode = encoderOf(charset);
    for (const text of contents)
      assert.equal(
        await decodeText({ bytes: encode(text), filename: 'a.csv', contentType: 'text/csv' }),
        text,
        charset,
      );
  }
});

test('a declared charset decides how the same bytes are decoded', async () => {
  const bytes = encoderOf('koi8-r')('Порт,Судно\nМурманск,семь\n');
  for (const charset of ['koi8-r', 'windows-1251', 'iso-8859-5'])
    assert.equal(
      await decodeText({ bytes, filename: 'a.csv', contentType: `text/csv; charset=${charset}` }),
      new TextDecoder(charset).decode(bytes).replaceAll('\u0085', '\n'),
    );
});
