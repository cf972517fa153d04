import { strToU8, zipSync } from 'fflate';

const odp = (): Uint8Array =>
  zipSync({
    mimetype: [strToU8('application/vnd.oasis.opendocument.presentation'), { level: 0 }],
    'content.xml': strToU8(
      `<office:document-content xmlns:office="o" xmlns:draw="d" xmlns:text="t" xmlns:presentation="p"><office:body><office:presentation>
<draw:page><draw:frame presentation:class="title"><draw:text-box><text:p>Harbours</text:p></draw:text-box></draw:frame></draw:page>
<draw:page><draw:frame presentation:class="title"><draw:text-box><text:p>Lights</text:p></draw:text-box></draw:frame>
<draw:frame><draw:text-box><text:list><text:list-item><text:p>The second slide shows the lamp of Skagen.</text:p></text:list-item></text:list></draw:text-box></draw:frame></draw:page>
</office:presentation></office:body></office:document-content>`,
    ),
  });

/** Files of formats that no package brings, written here; by name. */
export const generatedFiles = (): Readonly<Record<string, Uint8Array>> => ({
  'lights.odp': odp(),
  'ships.tsv': strToU8('ship\ttons\tport\nErna\t300\tKiel\nFrida\t120\tEmden\nGerda\t80\tHusum\n'),
  'events.jsonl': strToU8(
    '{"id":1,"text":"The lamp was lit at dusk."}\n{"id":2,"text":"Fog came in before midnight."}\n',
  ),
  'talk.vtt': strToU8(
    'WEBVTT\n\n00:00:01.000 --> 00:00:03.500\nThe keeper counted the ships.\n\n01:00:04.000 --> 01:00:06.250\nThen the fog took them all.\n',
  ),
  'page.mhtml': strToU8(
    'From: <Saved by a browser>\r\nSubject: A saved page\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="b"\r\n\r\n--b\r\nContent-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\nContent-Location: https://example.com/\r\n\r\n<html><body><h1>Tides</h1><p>High water at Dover comes twice a day=2E</p></body></html>\r\n--b--\r\n',
  ),
  'utf16.txt': Buffer.from(
    'Ein Leuchtturm ohne Byte-Order-Mark, in UTF-16 geschrieben und trotzdem lesbar.',
    'utf16le',
  ),
});
