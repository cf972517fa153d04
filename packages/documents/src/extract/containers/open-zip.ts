import { listZip, packedOf, type Member } from './list-zip.ts';
import { UnreadableFile } from '../port.ts';

/** Archive whose members are inflated one by one, on request. */
export interface Archive {
  readonly names: ReadonlySet<string>;
  /** Unpacked bytes of every member as the directory states them, by name. */
  readonly sizes: ReadonlyMap<string, number>;
  /** Returns the member's bytes; null if there is no such member. Throws `UnreadableFile` beyond the bounds. */
  readonly bytes: (name: string) => Promise<Uint8Array | null>;
  /** Returns the member as text in UTF-8 or, by its byte order mark, UTF-16. */
  readonly text: (name: string) => Promise<string | null>;
}

const stored = 0;
const deflated = 8;
const maxMembers = 20_000;
const maxMemberBytes = 128 * 1024 * 1024;
const maxBytes = 384 * 1024 * 1024;

const decode = (bytes: Uint8Array): string => {
  const [first, second] = bytes;
  const charset =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  return new TextDecoder(charset).decode(bytes);
};

const tooMuch = (): UnreadableFile => new UnreadableFile('The file unpacks to more data than can be read');

const damaged = (error: unknown): UnreadableFile =>
  error instanceof UnreadableFile
    ? error
    : new UnreadableFile("The file is damaged: its archive can't be opened", error);

/** Members by name. Of two with the same name the last one counts. */
const readDirectory = (file: Uint8Array): ReadonlyMap<string, Member> => {
  const members = new Map<string, Member>();
  try {
    for (const member of listZip(file)) {
      // Some writers of .NET separate folders by backslashes.
      members.set(member.name.replaceAll('\\', '/'), member);
      if (members.size > maxMembers) throw new UnreadableFile(`The file's archive has more than ${maxMembers} members`);
    }
  } catch (error) {
    throw damaged(error);
  }
  return members;
};

/**
 * Opens an archive in memory. Names are labels, never paths. A member is inflated into exactly the bytes that the
 * directory states, and their sum is bounded, which stops zip bombs. The directory is read once, since many members are
 * read one by one.
 * @throws UnreadableFile if the directory is damaged or too long.
 */
export const openZip = async (file: Uint8Array): Promise<Archive> => {
  const { inflateSync } = await import('fflate');
  const members = readDirectory(file);
  let spentBytes = 0;
  const unpack = (member: Member): Uint8Array => {
    const packed = packedOf(file, member);
    const isStored = member.method === stored;
    const size = isStored ? Math.max(packed.length, member.bytes) : member.bytes;
    spentBytes += size;
    if (size > maxMemberBytes || spentBytes > maxBytes) throw tooMuch();
    if (isStored) return packed.slice();
    if (member.method === deflated) return inflateSync(packed, { out: new Uint8Array(size) });
    throw new Error(`a member is packed by method ${member.method}`);
  };
  const bytes = async (name: string): Promise<Uint8Array | null> => {
    const member = members.get(name);
    if (member === undefined) return null;
    try {
      return unpack(member);
    } catch (error) {
      throw damaged(error);
    }
  };
  const text = async (name: string): Promise<string | null> => {
    const content = await bytes(name);
    return content === null ? null : decode(content);
  };
  const sizes = new Map([...members.values()].map((member) => [member.name, member.bytes]));
  return { names: new Set(members.keys()), sizes, bytes, text };
};
