/** Member of an archive as its central directory states it. */
export interface Member {
  readonly name: string;
  /** 0: stored; 8: deflated. */
  readonly method: number;
  readonly packedBytes: number;
  readonly bytes: number;
  /** Offset of its local header. */
  readonly headerAt: number;
}

const endSignature = 0x06054b50;
const endBytes = 22;
const maxCommentBytes = 65_535;
const largeLocatorSignature = 0x07064b50;
const largeLocatorBytes = 20;
const largeEndSignature = 0x06064b50;
const memberSignature = 0x02014b50;
const memberBytes = 46;
const headerBytes = 30;
/** Marks a number that does not fit 32 bits and is stated in the extra fields (ZIP64). */
const elsewhere = 0xffffffff;
const largeSizesField = 1;

const findEnd = (view: DataView): number => {
  const last = view.byteLength - endBytes;
  for (let at = last; at >= Math.max(0, last - maxCommentBytes); at -= 1) {
    if (view.getUint32(at, true) === endSignature) return at;
  }
  throw new Error('the archive has no directory');
};

const largeNumber = (view: DataView, at: number): number => Number(view.getBigUint64(at, true));

const findDirectory = (view: DataView): { readonly members: number; readonly at: number } => {
  const end = findEnd(view);
  const locator = end - largeLocatorBytes;
  if (locator >= 0 && view.getUint32(locator, true) === largeLocatorSignature) {
    const large = largeNumber(view, locator + 8);
    if (view.getUint32(large, true) === largeEndSignature)
      return { members: largeNumber(view, large + 32), at: largeNumber(view, large + 48) };
  }
  return { members: view.getUint16(end + 8, true), at: view.getUint32(end + 16, true) };
};

/** Replaces the numbers that do not fit by those in the extra fields from `at` to `end`. */
const withLarge = (view: DataView, numbers: readonly number[], at: number, end: number): readonly number[] => {
  if (!numbers.includes(elsewhere)) return numbers;
  for (let field = at; field + 4 <= end; field += 4 + view.getUint16(field + 2, true)) {
    if (view.getUint16(field, true) !== largeSizesField) continue;
    let next = field + 4;
    return numbers.map((number) => {
      if (number !== elsewhere) return number;
      next += 8;
      return largeNumber(view, next - 8);
    });
  }
  return numbers;
};

/**
 * Yields the members of an archive in the order of its central directory, which is read once.
 * @throws Error if the directory is damaged.
 */
export const listZip = function* (file: Uint8Array): Generator<Member> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const directory = findDirectory(view);
  let { at } = directory;
  for (let member = 0; member < directory.members; member += 1) {
    if (view.getUint32(at, true) !== memberSignature) throw new Error('the directory of the archive is damaged');
    const nameEnd = at + memberBytes + view.getUint16(at + 28, true);
    const extraEnd = nameEnd + view.getUint16(at + 30, true);
    const name = file.subarray(at + memberBytes, nameEnd);
    const isUtf8 = (view.getUint16(at + 8, true) & 0x0800) !== 0;
    const stated = [view.getUint32(at + 24, true), view.getUint32(at + 20, true), view.getUint32(at + 42, true)];
    const [bytes = 0, packedBytes = 0, headerAt = 0] = withLarge(view, stated, nameEnd, extraEnd);
    const method = view.getUint16(at + 10, true);
    yield { name: Buffer.from(name).toString(isUtf8 ? 'utf8' : 'latin1'), method, packedBytes, bytes, headerAt };
    at = extraEnd + view.getUint16(at + 32, true);
  }
};

/** Packed bytes of a member. */
export const packedOf = (file: Uint8Array, { headerAt, packedBytes }: Member): Uint8Array => {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const start = headerAt + headerBytes + view.getUint16(headerAt + 26, true) + view.getUint16(headerAt + 28, true);
  return file.subarray(start, start + packedBytes);
};
