import { Logger as PowertoolsLogger } from '@aws-lambda-powertools/logger';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import type { Context } from 'aws-lambda';
import type { Logger } from '../../kernel/log.ts';
import { redact } from './redact.ts';

/** Result of a request. */
export interface Outcome {
  /** HTTP status. */
  readonly status: number;
  readonly durationMs: number;
}

/** Logs and metrics of one function. */
export interface Telemetry {
  readonly log: Logger;
  /** Adds the context of an invocation to all following lines. */
  begin(context: Context): void;
  /** Counts a request by its outcome. CloudWatch extracts the metrics from the log. */
  count(outcome: Outcome): void;
}

type Fields = Readonly<Record<string, unknown>>;

const toLogger = (powertools: PowertoolsLogger): Logger => ({
  info: (message, fields: Fields = {}) => powertools.info(message, fields),
  warn: (message, fields: Fields = {}) => powertools.warn(message, fields),
  error: (message, fields: Fields = {}) => powertools.error(message, fields),
});

/** Opens the telemetry of a function: structured JSON lines on standard output, without secrets. */
export const openTelemetry = (id: string, deployment: string): Telemetry => {
  const powertools = new PowertoolsLogger({ serviceName: id, logLevel: 'INFO', jsonReplacerFn: redact });
  const metrics = new Metrics({ namespace: deployment, serviceName: id });
  return {
    log: toLogger(powertools),
    begin: (context) => powertools.addContext(context),
    count: ({ status, durationMs }) => {
      metrics.addMetric('Requests', MetricUnit.Count, 1);
      metrics.addMetric('ServerErrors', MetricUnit.Count, status >= 500 ? 1 : 0);
      metrics.addMetric('Duration', MetricUnit.Milliseconds, durationMs);
      metrics.publishStoredMetrics();
    },
  };
};
