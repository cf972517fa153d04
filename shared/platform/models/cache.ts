import { createHash } from 'node:crypto';
import { inParallel } from '../../kernel/in-parallel.ts';
import type { Embedder, Embedding, TextUse } from './port.ts';

/** Store of computed vectors, which expire. */
export interface VectorStore {
  get(key: string): Promise<Uint8Array | null>;
  put(key: string, body: Uint8Array): Promise<void>;
}

/** Owner of cached vectors. */
export interface CacheScope {
  /** Prefix of every key: no organization reads vectors of another. */
  readonly tenant: string;
  /** Account that pays for model tokens. Vectors that it stored before are charged again if it repeats the work. */
  readonly payer: string;
  /**
   * Reports the tokens that the payer pays for, for each group of texts, before the group is stored.
   * The name of a group is the same at every attempt. An error ends the work.
   */
  readonly onPaid: (group: string, tokens: number) => Promise<void>;
  /** Called with the texts that the model will read, before it is called. An error ends the work. */
  readonly onMissing: (texts: readonly string[]) => Promise<void>;
}

/** A group ends after a text whose hash has this many zero bits, or at the maximum. */
const endingBits = 5;
const maxTexts = 64;
/** Groups that are embedded at once. Each sends as many concurrent requests as the model accepts. */
const storesAtOnce = 2;
const lookupsAtOnce = 8;
/** Hexadecimal digits of a group's hash in its reported name. */
const shownDigits = 16;

const digest = (...parts: readonly string[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return hash.digest();
};

/**
 * Splits texts into groups of about 30. A boundary depends on the text at it alone.
 * A change in the middle of a file therefore leaves the groups before and after it unchanged.
 */
const groupsOf = (texts: readonly string[]): readonly (readonly string[])[] => {
  const groups: string[][] = [];
  let open: string[] | null = null;
  for (const text of texts) {
    if (open === null) groups.push((open = []));
    open.push(text);
    const ends = (digest(text).readUInt32BE(0) & (2 ** endingBits - 1)) === 0;
    if (ends || open.length >= maxTexts) open = null;
  }
  return groups;
};

// Layout, little-endian: tokens as uint32, length of the payer as uint32, the payer in UTF-8, the vectors as float32.
const encode = ({ vectors, tokens }: Embedding, payer: string): Uint8Array => {
  const name = Buffer.from(payer);
  const head = Buffer.alloc(8);
  head.writeUInt32LE(tokens, 0);
  head.writeUInt32LE(name.length, 4);
  const numbers = vectors.map((vector) => {
    const bytes = Buffer.alloc(4 * vector.length);
    for (const [at, value] of vector.entries()) bytes.writeFloatLE(value, 4 * at);
    return bytes;
  });
  return Buffer.concat([head, name, ...numbers]);
};

/** Stored vectors with the payer of their tokens. */
type Stored = Embedding & { readonly payer: string };

/** Decodes stored vectors; null if the length is wrong. */
const decode = (bytes: Uint8Array, texts: number, dimensions: number): Stored | null => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.length < 8) return null;
  const start = 8 + buffer.readUInt32LE(4);
  if (buffer.length !== start + 4 * texts * dimensions) return null;
  const vectors = Array.from({ length: texts }, (_, text) =>
    Float32Array.from({ length: dimensions }, (_, at) => buffer.readFloatLE(start + 4 * (text * dimensions + at))),
  );
  return { vectors, tokens: buffer.readUInt32LE(0), payer: buffer.toString('utf8', 8, start) };
};

/**
 * Creates an embedder that calls the model only for texts without a cached vector.
 * An unchanged file, or another attempt at the same task, costs no request.
 * `tokens` of a result are those of the payer's own requests, now or in an earlier attempt. Tokens that others paid for
 * cost nothing.
 */
export const createCachedEmbedder = (
  embedder: Embedder,
  store: VectorStore,
  { tenant, payer, onPaid, onMissing }: CacheScope,
): Embedder => {
  const keyOf = (name: string): string => `${tenant}/${name}`;
  const embedGroup = async (
    name: string,
    texts: readonly string[],
    known: Stored | null,
    dimensions: number,
    use: TextUse,
  ): Promise<Embedding> => {
    if (known !== null && known.payer !== payer) return { vectors: known.vectors, tokens: 0 };
    const made = known ?? (await embedder.embed(texts, dimensions, use));
    await onPaid(name.slice(0, shownDigits), made.tokens);
    if (known === null) await store.put(keyOf(name), encode(made, payer));
    return made;
  };
  return {
    model: embedder.model,
    embed: async (texts, dimensions, use = 'document') => {
      const nameOf = (group: readonly string[]): string =>
        digest(embedder.model, String(dimensions), ...(use === 'document' ? [] : [use]), ...group).toString('hex');
      const groups = groupsOf(texts).map((group) => [nameOf(group), group] as const);
      const found = await inParallel([...new Map(groups)], lookupsAtOnce, async ([name, group]) => {
        const stored = await store.get(keyOf(name));
        return { name, group, known: stored === null ? null : decode(stored, group.length, dimensions) };
      });
      const missing = found.flatMap(({ group, known }) => (known === null ? group : []));
      if (missing.length > 0) await onMissing(missing);
      const embeddings = await inParallel(found, storesAtOnce, async ({ name, group, known }) => {
        return [name, await embedGroup(name, group, known, dimensions, use)] as const;
      });
      const made = new Map(embeddings);
      return {
        vectors: groups.flatMap(([name]) => made.get(name)?.vectors ?? []),
        tokens: [...made.values()].reduce((sum, { tokens }) => sum + tokens, 0),
      };
    },
  };
};
