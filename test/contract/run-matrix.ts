// `npm run test:matrix [-- ENDPOINT…]` calls all endpoints, or those with these ids.
import { servedEndpoints } from './support/document.ts';
import { runMatrix, type Row, surprisesOf } from './support/matrix.ts';
import { targets } from './support/oracle.ts';
import { openContractService } from './support/service.ts';
import { callerNames, newAuthorizationFixture } from './support/fixture.ts';

/** Returns the statuses of one caller on the four targets. A target that does not apply to the endpoint is a dot. */
const cellText = ({ cells }: Row, caller: (typeof callerNames)[number]): string =>
  targets
    .map((target) => {
      const cell = cells.find((candidate) => candidate.caller === caller && candidate.target === target);
      if (cell === undefined) return '  ·';
      return `${cell.actual.status}${cell.surprise === null ? '' : '!'}`;
    })
    .join(' ');

const printTable = (rows: readonly Row[]): void => {
  const nameWidth = Math.max(...rows.map(({ endpoint }) => endpoint.id.length));
  const width = targets.length * 4 - 1;
  console.log(`Each cell: ${targets.join(', ')}; "·" means nothing there, "!" is a surprise.\n`);
  console.log(['endpoint'.padEnd(nameWidth), ...callerNames.map((name) => name.padEnd(width))].join(' | '));
  for (const row of rows) {
    const cells = callerNames.map((name) => cellText(row, name).padEnd(width));
    console.log([row.endpoint.id.padEnd(nameWidth), ...cells].join(' | '));
  }
};

const named = new Set(process.argv.slice(2));
const asked = servedEndpoints.filter(({ id }) => named.size === 0 || named.has(id));

const startedAt = performance.now();
const service = await openContractService();
try {
  const rows = await runMatrix(await newAuthorizationFixture(service, service.overHttp), asked);
  printTable(rows);
  const surprises = surprisesOf(rows);
  for (const surprise of surprises) console.log(`! ${surprise}`);
  const cells = rows.reduce((sum, row) => sum + row.cells.length, 0);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`\n${rows.length} endpoints, ${seconds} s`);
  console.log(`${cells - surprises.length} passed, ${surprises.length} failed`);
  process.exitCode = surprises.length === 0 ? 0 : 1;
} finally {
  await service.close();
}
