interface Entry {
  readonly name: string;
  readonly left: number;
  readonly right: number;
  readonly child: number;
  readonly start: number;
  readonly bytes: number;
}

const entryBytes = 128;
const tablesInHeader = 109;
const smallSectorBytes = 64;

const readEntry = (view: Buffer, at: number): Entry => ({
  name: view.toString('utf16le', at, at + Math.max(0, Math.min(64, view.readUInt16LE(at + 64)) - 2)),
  left: view.readUInt32LE(at + 68),
  right: view.readUInt32LE(at + 72),
  child: view.readUInt32LE(at + 76),
  start: view.readUInt32LE(at + 116),
  bytes: view.readUInt32LE(at + 120),
});

const sectorsOf = (view: Buffer) => {
  const sectorBytes = 1 << Math.min(16, view.readUInt16LE(30));
  const startOf = (sector: number): number => (sector + 1) * sectorBytes;
  const isInside = (sector: number): boolean => startOf(sector) + sectorBytes <= view.length;
  return { sectorBytes, startOf, isInside };
};

/** Sectors of the allocation table. The header lists the first ones, a chain of sectors the rest. */
const tableSectors = (view: Buffer): readonly number[] => {
  const { sectorBytes, startOf, isInside } = sectorsOf(view);
  // A sector smaller than the header is invalid.
  if (sectorBytes < 512) return [];
  const tables = Array.from({ length: tablesInHeader }, (_, table) => view.readUInt32LE(76 + table * 4));
  const maxTables = tablesInHeader + view.length / sectorBytes;
  const visited = new Set<number>();
  let sector = view.readUInt32LE(68);
  while (isInside(sector) && !visited.has(sector) && tables.length < maxTables) {
    visited.add(sector);
    const last = startOf(sector) + sectorBytes - 4;
    for (let at = startOf(sector); at < last; at += 4) tables.push(view.readUInt32LE(at));
    sector = view.readUInt32LE(last);
  }
  return tables;
};

/** Returns the sectors of a chain. A chain that leaves the file or is circular ends there. */
const openChains = (view: Buffer): ((first: number) => readonly number[]) => {
  const { sectorBytes, startOf, isInside } = sectorsOf(view);
  const tables = tableSectors(view);
  const next = (sector: number): number => {
    const tableSector = tables[Math.floor(sector / (sectorBytes / 4))] ?? Number.POSITIVE_INFINITY;
    const at = startOf(tableSector) + (sector % (sectorBytes / 4)) * 4;
    return isInside(tableSector) ? view.readUInt32LE(at) : Number.POSITIVE_INFINITY;
  };
  return (first) => {
    const chain = new Set<number>();
    // The last sector of a file may be cut off.
    for (let sector = first; startOf(sector) < view.length && !chain.has(sector); sector = next(sector))
      chain.add(sector);
    return [...chain];
  };
};

/** Compound file (OLE), the container of old office files. */
export interface CompoundFile {
  /** Names of the storages and streams at its root. Empty if its directory is damaged. */
  readonly names: ReadonlySet<string>;
  /** Returns the content of a stream at its root; null if there is none. */
  readonly read: (name: string) => Buffer | null;
}

const rootEntries = (entries: readonly Entry[]): ReadonlyMap<string, Entry> => {
  const found = new Map<string, Entry>();
  const seen = new Set<number>();
  const open = [entries[0]?.child ?? 0];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const entry = entries[id];
    if (entry === undefined || seen.has(id)) continue;
    seen.add(id);
    found.set(entry.name, entry);
    open.push(entry.left, entry.right);
  }
  return found;
};

/** Opens a compound file. */
export const openCompoundFile = (bytes: Uint8Array): CompoundFile => {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.length < 1024) return { names: new Set(), read: () => null };
  const { sectorBytes, startOf, isInside } = sectorsOf(view);
  const chainFrom = openChains(view);
  const contentFrom = (start: number): Buffer =>
    Buffer.concat(chainFrom(start).map((sector) => view.subarray(startOf(sector), startOf(sector + 1))));
  const entries = chainFrom(view.readUInt32LE(48))
    .filter(isInside)
    .flatMap((sector) =>
      Array.from({ length: sectorBytes / entryBytes }, (_, at) => readEntry(view, startOf(sector) + at * entryBytes)),
    );
  const found = rootEntries(entries);
  const maxSmallBytes = view.readUInt32LE(56);
  /** Small streams are parts of a stream that the root entry names, with an allocation table of their own. */
  const readSmall = (start: number): Buffer => {
    const all = contentFrom(entries[0]?.start ?? 0);
    const table = contentFrom(view.readUInt32LE(60));
    const chain = new Set<number>();
    for (
      let sector = start;
      sector * 4 + 4 <= table.length && !chain.has(sector);
      sector = table.readUInt32LE(sector * 4)
    )
      chain.add(sector);
    return Buffer.concat(
      [...chain].map((sector) => all.subarray(sector * smallSectorBytes, (sector + 1) * smallSectorBytes)),
    );
  };
  return {
    names: new Set(found.keys()),
    read: (name) => {
      const entry = found.get(name);
      if (entry === undefined) return null;
      const content = entry.bytes < maxSmallBytes ? readSmall(entry.start) : contentFrom(entry.start);
      return content.subarray(0, entry.bytes);
    },
  };
};
