import { burn } from '@kenjiuno/msgreader/lib/Burner.js';
import { TypeEnum } from '@kenjiuno/msgreader/lib/Reader.js';

const wide = (text: string): Buffer => Buffer.from(text, 'utf16le');

const streamOf = (name: string, bytes: Uint8Array) => ({
  name,
  type: TypeEnum.DOCUMENT,
  length: bytes.length,
  // The writer takes the whole buffer in which they are.
  binaryProvider: () => new Uint8Array(bytes),
});

const storageOf = (name: string, type: TypeEnum, children: number[]) => ({ name, type, length: 0, children });

/** An Outlook message with one attachment. */
export const makeMsg = (subject: string, body: string, filename: string, content: Uint8Array): Buffer =>
  Buffer.from(
    burn([
      storageOf('Root Entry', TypeEnum.ROOT, [1, 5, 6, 7, 8]),
      storageOf('__attach_version1.0_#00000000', TypeEnum.DIRECTORY, [2, 3, 4]),
      streamOf('__substg1.0_37010102', content),
      streamOf('__substg1.0_3707001F', wide(filename)),
      streamOf('__properties_version1.0', Buffer.alloc(8)),
      streamOf('__substg1.0_0037001F', wide(subject)),
      streamOf('__substg1.0_1000001F', wide(body)),
      streamOf('__substg1.0_0C1A001F', wide('Erna')),
      streamOf('__properties_version1.0', Buffer.alloc(32)),
    ]),
  );

/** An Outlook message whose subject and web page are bytes in a code page, as they were before Unicode. */
export const makeNarrowMsg = (codePage: number, subject: Uint8Array, page: Uint8Array): Buffer => {
  const properties = Buffer.alloc(48);
  properties.writeUInt32LE(0x3fde0003, 32);
  properties.writeUInt32LE(codePage, 40);
  return Buffer.from(
    burn([
      storageOf('Root Entry', TypeEnum.ROOT, [1, 2, 3]),
      streamOf('__substg1.0_0037001E', subject),
      streamOf('__substg1.0_10130102', page),
      streamOf('__properties_version1.0', properties),
    ]),
  );
};

const sectorBytes = 512;
const sectorsPerTable = sectorBytes / 4;
const tablesInHeader = 109;

/** The message as Outlook leaves it after a change: the second sector of its directory lies behind all else. */
export const withLateDirectory = (msg: Buffer): Buffer => {
  const startOf = (sector: number): number => (sector + 1) * sectorBytes;
  const late = msg.length / sectorBytes - 1;
  const tableAt = (table: number): number =>
    table < tablesInHeader ? 76 + table * 4 : startOf(msg.readUInt32LE(68)) + (table - tablesInHeader) * 4;
  const linkAt = (sector: number): number =>
    startOf(msg.readUInt32LE(tableAt(Math.floor(sector / sectorsPerTable)))) + (sector % sectorsPerTable) * 4;
  const first = msg.readUInt32LE(48);
  const second = msg.readUInt32LE(linkAt(first));
  const moved = Buffer.concat([msg, msg.subarray(startOf(second), startOf(second + 1))]);
  moved.writeUInt32LE(late, linkAt(first));
  moved.writeUInt32LE(msg.readUInt32LE(linkAt(second)), linkAt(late));
  return moved.fill(0, startOf(second), startOf(second + 1));
};
