// Properties of a DOC by number. Source: [MS-DOC] 2.6, Single Property Modifiers.
export const sprm = {
  characterDeleted: 0x0800,
  characterBold: 0x0835,
  characterHidden: 0x083c,
  characterRaised: 0x2a48,
  characterStyle: 0x4a30,
  characterSize: 0x4a43,
  characterPosition: 0x4845,
  characterSymbol: 0x6a09,
  paragraphInTable: 0x2416,
  paragraphEndsRow: 0x2417,
  paragraphEndsInnerCell: 0x244b,
  paragraphEndsInnerRow: 0x244c,
  paragraphListLevel: 0x260a,
  paragraphOutline: 0x2640,
  paragraphList: 0x460b,
  paragraphDepth: 0x6649,
  paragraphHuge: 0x6646,
  paragraphTable: 0x646b,
  tableHead: 0x3404,
  tableMerge: 0x5624,
  tableDefinition: 0xd608,
  tableVerticalMerge: 0xd62b,
} as const;

const tabs = 0xc615;
const operandBytes = [1, 1, 2, 4, 2, 2, 0, 3];
const variable = 6;

/** Bytes of an operand of variable length, with those that state the length. */
const variableBytes = (property: number, list: Buffer, at: number): number => {
  if (property === sprm.tableDefinition) return 1 + list.readUInt16LE(at);
  const stated = list.readUInt8(at);
  if (property !== tabs || stated < 255) return 1 + stated;
  const deleted = 1 + 4 * list.readUInt8(at + 1);
  return 2 + deleted + 3 * list.readUInt8(at + 1 + deleted);
};

/** Lists the properties of a text with their operands. A list that is cut off ends before the last one. */
export const propertiesIn = function* (list: Buffer): Generator<readonly [number, Buffer]> {
  for (let at = 0; at + 3 <= list.length;) {
    const property = list.readUInt16LE(at);
    at += 2;
    const kind = property >> 13;
    if (kind === variable && at + 2 > list.length) return;
    const bytes = kind === variable ? variableBytes(property, list, at) : (operandBytes[kind] ?? 0);
    if (at + bytes > list.length) return;
    yield [property, list.subarray(at, at + bytes)];
    at += bytes;
  }
};
