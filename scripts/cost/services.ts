import { type Counted, firstOfTenant, laterOfLarge } from './counted.ts';
import { type MemoryOf, searchCost, segmentBytesOf, storedBytesOf, sumOf } from './costs.ts';
import { chroma, idle, pinecone, prices, turbopuffer, usdOf } from './prices.ts';
import { processingUsd } from './processing.ts';
import { table, whole } from './write-table.ts';

const million = 1_000_000;
const secondsOfMonth = 730 * 3_600;

/** Indexes that are searched at an even rate, each search in one of them. */
interface Workload {
  readonly name: string;
  readonly indexes: number;
  readonly rows: number;
  readonly dimensions: number;
  /** Requests and time of a search here. */
  readonly search: Counted;
  /** Bytes of all rows here. */
  readonly storedBytes: number;
}

const workloads: readonly Workload[] = [
  {
    name: '10,000 × 1,000 × 384',
    indexes: 10_000,
    rows: 1_000,
    dimensions: 384,
    search: firstOfTenant,
    storedBytes: 10_000 * 1_000 * segmentBytesOf(384),
  },
  {
    name: `1 × ${whole(million)} × 1,536`,
    indexes: 1,
    rows: million,
    dimensions: 1_536,
    search: laterOfLarge,
    storedBytes: million * storedBytesOf(1_536),
  },
];

/** Makes the table of what two workloads cost here and at other services. */
export const serviceTable = (memoryOf: MemoryOf): string => {
  const perSecond = 10;
  const searches = perSecond * secondsOfMonth;
  const responseBytes = 2_000;
  const bytesOf = ({ rows, dimensions }: Workload): number => rows * storedBytesOf(dimensions);
  const gigabytesOf = (load: Workload): number => (load.indexes * bytesOf(load)) / 1e9;
  const [gibi, tebi] = [2 ** 30, 2 ** 40];
  const row = (name: string, of: (load: Workload) => number): readonly string[] => [
    name,
    ...workloads.map((load) => whole(of(load))),
  ];
  return table(
    [`USD a month, ${perSecond} dense searches a second`, ...workloads.map(({ name }) => name)],
    [
      row(
        'Strata',
        ({ search, dimensions, storedBytes }) =>
          idle + storedBytes * usdOf('storage') + searches * sumOf(searchCost(search, memoryOf, dimensions)),
      ),
      row('turbopuffer', (load) =>
        Math.max(
          turbopuffer.minimum,
          gigabytesOf(load) * turbopuffer.storage +
            searches *
              ((Math.max(turbopuffer.minQueriedBytes, bytesOf(load)) / 1e15) * turbopuffer.queriedPetabyte +
                (responseBytes / 1e9) * turbopuffer.returned),
        ),
      ),
      row(
        'S3 Vectors alone',
        (load) =>
          gigabytesOf(load) * prices.vectorStorage.usd +
          searches * (usdOf('vectorQuery') + processingUsd(load.rows, load.dimensions)),
      ),
      row('Pinecone', (load) => {
        const units = Math.max(pinecone.minReadUnits, bytesOf(load) / 1e9);
        const used = gigabytesOf(load) * pinecone.storage + (searches / million) * units * pinecone.readUnits;
        return Math.max(pinecone.minimum, used);
      }),
      row(
        'Chroma Cloud',
        (load) =>
          ((load.indexes * bytesOf(load)) / gibi) * chroma.storage +
          searches * ((bytesOf(load) / tebi) * chroma.queriedTebibyte + (responseBytes / gibi) * chroma.returned),
      ),
    ],
  );
};
