import type { BilledUnits } from '../measure/billed-units.ts';
import type { Comparison, Measured } from '../measure/compare.ts';
import type { FileRow } from '../measure/files.ts';
import type { IngestionRow } from '../measure/ingestion.ts';
import type { RecallRow } from '../measure/recall.ts';
import type { WriteRow } from '../measure/writes.ts';
import { markdownTable, ms, ratio, share, whole } from './table.ts';

/** Measurements of one run. */
export interface Report {
  readonly machine: string;
  readonly comparisons: readonly Comparison[];
  readonly recall: readonly RecallRow[];
  readonly writes: readonly WriteRow[];
  readonly file: FileRow | null;
  readonly ingestion: IngestionRow | null;
  readonly units: readonly BilledUnits[];
}

const sizeName = ({ rows, dimensions }: { readonly rows: number; readonly dimensions: number }): string =>
  `${whole(rows)} × ${dimensions}`;

const named = ({ measured }: Comparison, name: string): Measured | undefined =>
  measured.find(({ peer }) => peer.name === name);

const comparisonTable = (comparison: Comparison): string => {
  const strata = named(comparison, 'strata');
  const rows = comparison.measured.map((one) => {
    const [alone, together] = [one.times.get(1), one.times.get(8)];
    const { title, reached } = one.peer;
    return [
      `${title}, ${reached}`,
      share(one.recall),
      ms(alone?.p50Ms),
      ms(alone?.p99Ms),
      ms(one.filtered?.p50Ms),
      whole(together?.perSecond),
      strata === undefined || strata === one ? '' : ratio(strata.times.get(1)?.p50Ms, alone?.p50Ms),
      whole(comparison.size.rows / one.loadSeconds),
      one.readySeconds.toFixed(1),
    ];
  });
  const head = [
    sizeName(comparison.size),
    'recall@10',
    'p50 ms',
    'p99 ms',
    'p50 ms, 1 % filter',
    'searches/s, 8 clients',
    'p50 of Strata to it',
    'vectors/s written',
    'seconds to ready',
  ];
  const missing = comparison.missing.map(({ title, reason }) => `\n\nNot measured: ${title} (${reason}).`).join('');
  return `${markdownTable(head, rows)}${missing}`;
};

const p50 = (comparison: Comparison | undefined, name: string): number | undefined =>
  comparison === undefined ? undefined : named(comparison, name)?.times.get(1)?.p50Ms;

const rateOf = (comparison: Comparison | undefined, name: string): number | undefined =>
  comparison === undefined ? undefined : named(comparison, name)?.times.get(8)?.perSecond;

const writtenPerSecond = (comparison: Comparison, name: string): number | undefined => {
  const one = named(comparison, name);
  return one === undefined ? undefined : comparison.size.rows / one.loadSeconds;
};

const ratioTable = ({ comparisons, writes, ingestion }: Report): string => {
  const at = (rows: number, dimensions: number): Comparison | undefined =>
    comparisons.find(({ size }) => size.rows === rows && size.dimensions === dimensions);
  const wide = at(100_000, 1536);
  const rows = [
    ['p50 to LanceDB called directly, 100,000 × 1536', ratio(p50(wide, 'strata'), p50(wide, 'lance')), 'at most 2'],
    [
      'p50 to Chroma, 10,000 × 100',
      ratio(p50(at(10_000, 100), 'strata'), p50(at(10_000, 100), 'chroma')),
      'at most 1.2',
    ],
    ['p50 to Chroma, 100,000 × 1536', ratio(p50(wide, 'strata'), p50(wide, 'chroma')), 'at most 1'],
    [
      'searches/s to Chroma, 8 clients, 10,000 × 100',
      ratio(rateOf(at(10_000, 100), 'strata'), rateOf(at(10_000, 100), 'chroma')),
      'at least 1',
    ],
    [
      'searches/s to Chroma, 8 clients, 100,000 × 1536',
      ratio(rateOf(wide, 'strata'), rateOf(wide, 'chroma')),
      'at least 1.5',
    ],
    [
      'p50 at 400,000 to p50 at 10,000, × 100',
      ratio(p50(at(400_000, 100), 'strata'), p50(at(10_000, 100), 'strata')),
      'at most 2',
    ],
    ...comparisons.flatMap((comparison) => {
      const { size } = comparison;
      const alone = { ...size, clients: 1, vectorsPerSecond: writtenPerSecond(comparison, 'strata') };
      const together = writes.filter(({ rows, dimensions }) => rows === size.rows && dimensions === size.dimensions);
      return [alone, ...together].map(({ clients, vectorsPerSecond }) => [
        `vectors/s written in batches of 1,000 to LanceDB called directly, ${sizeName(size)}, ${clients} ${clients === 1 ? 'client' : 'clients'}`,
        ratio(vectorsPerSecond, writtenPerSecond(comparison, 'lance')),
        'at least 0.5',
      ]);
    }),
    [
      'p99 while vectors are written to p99 while idle',
      ratio(ingestion?.writing.p99Ms, ingestion?.quiet.p99Ms),
      'at most 3',
    ],
  ];
  return markdownTable(['Strata', 'measured', 'aim'], rows);
};

const recallTable = (rows: readonly RecallRow[]): string =>
  markdownTable(
    ['Size, metric', 'all rows', 'filter that keeps 1 %', '`exact`'],
    rows.map((row) => [`${sizeName(row)}, ${row.metric}`, share(row.all), share(row.filtered), share(row.exact)]),
  );

const ingestionText = ({ quiet, writing, settling, vectorsPerSecond, errors }: IngestionRow): string =>
  markdownTable(
    ['', 'searches', 'p50 ms', 'p99 ms'],
    [
      ['while idle', quiet] as const,
      [`while ${whole(vectorsPerSecond)} vectors/s are written`, writing] as const,
      ['from then until all maintenance is done', settling] as const,
    ].map(([when, row]) => [when, whole(row.searches), ms(row.p50Ms), ms(row.p99Ms)]),
  ) + `\n\n${errors} searches failed.`;

const unitsTable = (units: readonly BilledUnits[]): string =>
  markdownTable(
    ['Operation', 'Lambda invocations', 'DynamoDB reads', 'DynamoDB writes', 'S3 requests', 'SQS requests'],
    units.map((one) =>
      [one.operation].concat(
        [one.invocations, one.tableReads, one.tableWrites, one.objectRequests, one.queueRequests].map((count) =>
          count.toFixed(count < 10 ? 1 : 0),
        ),
      ),
    ),
  );

const writesTable = (rows: readonly WriteRow[]): string =>
  markdownTable(
    ['Size', 'clients', 'vectors/s'],
    rows.map((row) => [sizeName(row), whole(row.clients), whole(row.vectorsPerSecond)]),
  );

const fileText = ({ rows, dimensions, bytes, seconds }: FileRow): string =>
  `${sizeName({ rows, dimensions })} as JSON Lines, ${whole(bytes / 1e6)} MB: written ${seconds.toFixed(1)} seconds after the upload was asked for, ${whole(rows / seconds)} vectors/s.`;

/** Formats the measurements in Markdown. */
export const describeReport = (report: Report): string => {
  const { machine, comparisons, recall, writes, file, ingestion, units } = report;
  return [
    machine,
    '### Ratios',
    ratioTable(report),
    '### Search',
    ...(comparisons.length === 0 ? [] : ['![Median time of a search](benchmarks.svg)']),
    ...comparisons.map(comparisonTable),
    ...(recall.length === 0 ? [] : ['### Recall by default settings', recallTable(recall)]),
    ...(writes.length === 0 ? [] : ['### Clients that write side by side', writesTable(writes)]),
    ...(file === null ? [] : ['### A file of vectors', fileText(file)]),
    ...(ingestion === null
      ? []
      : [`### Search while ${whole(ingestion.rows)} vectors are written`, ingestionText(ingestion)]),
    ...(units.length === 0 ? [] : ['### Billed units', unitsTable(units)]),
  ].join('\n\n');
};
