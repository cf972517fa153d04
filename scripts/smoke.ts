import { SmokeFailure, runSmoke } from './smoke/run-smoke.ts';
import { readSmokeOptions, smokeUsage } from './smoke/options.ts';

const main = async (): Promise<void> => {
  try {
    const options = readSmokeOptions(process.argv.slice(2));
    if (options === null) console.log(smokeUsage);
    else await runSmoke(options, console.log);
  } catch (error) {
    // The table contains the failed steps.
    if (!(error instanceof SmokeFailure)) console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  } finally {
    // A step that was interrupted would go on.
    process.exit();
  }
};

await main();
