import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Environment variable that holds the service which test files share, as JSON. */
export const sharedServiceVariable = 'STRATA_TESTED_SERVICE';

/** What functions log, in the data directory of a service. */
export const functionLogFile = (dataDirectory: string): string => join(dataDirectory, 'functions.log');

const requestId = /\breq_[0-9a-z]{26}\b/g;
const warning = /"stream":"stderr"|"level":"(?:warn|error|critical)/i;
const windowMs = 10_000;
const maxLines = 40;
const maxLineLength = 2_000;

/**
 * Returns the log lines of the shared service that may explain a failed test: those of the requests that `failure` names,
 * and all warnings and errors of the ten seconds before `now`. Empty if no service is shared.
 */
export const serviceLogOf = (failure: string, now: Date): string => {
  const service = process.env[sharedServiceVariable];
  if (service === undefined) return '';
  const file = functionLogFile((JSON.parse(service) as { readonly dataDirectory: string }).dataDirectory);
  const ids = failure.match(requestId) ?? [];
  const since = `{"at":"${new Date(now.getTime() - windowMs).toISOString()}`;
  return [`${file}.1`, file]
    .filter((path) => existsSync(path))
    .flatMap((path) => readFileSync(path, 'utf8').split('\n'))
    .filter((line) => ids.some((id) => line.includes(id)) || (line >= since && warning.test(line)))
    .slice(-maxLines)
    .map((line) => line.slice(0, maxLineLength))
    .join('\n');
};
