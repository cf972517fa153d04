export { countCrawl } from './count-crawl.ts';
export { countJob, dropSuperseded, endJob, uncountOriginal } from './count-job.ts';
export { changeCounters, countOnce, releaseStorage } from './count-usage.ts';
