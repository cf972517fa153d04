import { branchCost } from './support/branch-cost.ts';

// `node test/branches/run-branch-cost.ts [rows …]`
const sizes = process.argv.slice(2).map(Number);
for (const rows of sizes.length === 0 ? [10, 400_000] : sizes) {
  console.log(`branch of ${rows} rows: ${(await branchCost(rows)).join(', ')}`);
}
