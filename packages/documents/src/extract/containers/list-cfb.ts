interface Entry {
  readonly name: string;
  readonly left: number;
  readonly right: number;
  readonly child: number;
}

const entryBytes = 128;
const tablesInHeader = 109;

const readEntry = (view: Buffer, at: number): Entry => ({
  name: view.toString('utf16le', at, at + Math.max(0, Math.min(64, view.readUInt16LE(at + 64)) - 2)),
  left: view.readUInt32LE(at + 68),
  right: view.readUInt32LE(at + 72),
  child: view.readUInt32LE(at + 76),
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

const readDirectory = (view: Buffer): readonly Entry[] => {
  const { sectorBytes, startOf, isInside } = sectorsOf(view);
  const tables = tableSectors(view);
  const next = (sector: number): number => {
    const tableSector = tables[Math.floor(sector / (sectorBytes / 4))] ?? Number.POSITIVE_INFINITY;
    const at = startOf(tableSector) + (sector % (sectorBytes / 4)) * 4;
    return isInside(tableSector) ? view.readUInt32LE(at) : Number.POSITIVE_INFINITY;
  };
  const entries: Entry[] = [];
  const visited = new Set<number>();
  let sector = view.readUInt32LE(48);
  while (isInside(sector) && !visited.has(sector)) {
    visited.add(sector);
    for (let at = startOf(sector); at < startOf(sector) + sectorBytes; at += entryBytes)
      entries.push(readEntry(view, at));
    sector = next(sector);
  }
  return entries;
};

/**
 * Names of the storages and streams at the root of a compound file (OLE), the container of old office files. Empty if
 * its directory is damaged.
 */
export const listCfb = (bytes: Uint8Array): ReadonlySet<string> => {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.length < 1024) return new Set();
  const entries = readDirectory(view);
  const seen = new Set<number>();
  const open = [entries[0]?.child ?? 0];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const entry = entries[id];
    if (entry === undefined || seen.has(id)) continue;
    seen.add(id);
    open.push(entry.left, entry.right);
  }
  return new Set([...seen].map((id) => entries[id]?.name ?? ''));
};
