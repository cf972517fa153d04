import { UnreadableFile } from './port.ts';

/** An archive whose members are inflated one by one, when they are asked for. */
export interface Archive {
  readonly names: ReadonlySet<string>;
  /** Bytes of every member as the directory states them, by its name. */
  readonly sizes: ReadonlyMap<string, number>;
  /** The member's bytes, or null where there is none of this name. Throws `UnreadableFile` beyond the bounds. */
  readonly bytes: (name: string) => Promise<Uint8Array | null>;
  /** The member as text in UTF-8 or, by its byte order mark, UTF-16. */
  readonly text: (name: string) => Promise<string | null>;
}

const mostMembers = 20_000;
const mostMemberBytes = 128 * 1024 * 1024;
const mostBytes = 384 * 1024 * 1024;

const decode = (bytes: Uint8Array): string => {
  const [first, second] = bytes;
  const charset =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  return new TextDecoder(charset).decode(bytes);
};

/**
 * Opens an archive. Nothing is written anywhere, so names are labels and no paths. A member is inflated into as many
 * bytes as the directory states and no more, and the sum of all is bounded, so that no bomb can go off.
 * @throws UnreadableFile where the directory is damaged or endless.
 */
export const openZip = async (file: Uint8Array): Promise<Archive> => {
  const { unzipSync } = await import('fflate');
  const sizes = new Map<string, number>();
  const names = new Set<string>();
  let spentBytes = 0;
  const damaged = (error: unknown): Error =>
    error instanceof UnreadableFile
      ? error
      : new UnreadableFile("The file is damaged: its archive can't be opened", error);
  try {
    unzipSync(file, {
      filter: ({ name, originalSize }) => {
        names.add(name);
        sizes.set(name, originalSize);
        if (names.size > mostMembers)
          throw new UnreadableFile(`The file's archive has more than ${mostMembers} members`);
        return false;
      },
    });
  } catch (error) {
    throw damaged(error);
  }
  const inflate = (wanted: string): Uint8Array | null => {
    const members = unzipSync(file, {
      filter: ({ name, originalSize }) => {
        if (name !== wanted) return false;
        spentBytes += originalSize;
        if (originalSize > mostMemberBytes || spentBytes > mostBytes) {
          throw new UnreadableFile('The file unpacks to more data than can be read');
        }
        return true;
      },
    });
    return members[wanted] ?? null;
  };
  const bytes = async (name: string): Promise<Uint8Array | null> => {
    if (!names.has(name)) return null;
    try {
      return inflate(name);
    } catch (error) {
      throw damaged(error);
    }
  };
  const text = async (name: string): Promise<string | null> => {
    const content = await bytes(name);
    return content === null ? null : decode(content);
  };
  return { names, sizes, bytes, text };
};
