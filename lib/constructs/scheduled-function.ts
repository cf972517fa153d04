import { Duration } from 'aws-cdk-lib';
import * as events from 'aws-cdk-lib/aws-events';
import * as targets from 'aws-cdk-lib/aws-events-targets';
import { Construct } from 'constructs';
import { homeRegion, type Deployment } from '../deployment.ts';
import type { EntryOf } from '../functions.ts';
import { scheduleGrants } from '../grants.ts';
import type { FunctionHost } from './function-host.ts';
import { ImpactAlarm } from './impact-alarm.ts';

const alarmPeriodMinutes = 5;

/** A function that runs periodically, with an alarm if it keeps failing or does not run at all. */
export class ScheduledFunction extends Construct {
  constructor(
    scope: Construct,
    id: string,
    props: { readonly deployment: Deployment; readonly host: FunctionHost; readonly entry: EntryOf<'schedule'> },
  ) {
    super(scope, id);
    const { deployment, entry } = props;
    const { everyMinutes } = entry.definition;
    const reach = { deployment: deployment.name, homeRegion: homeRegion(deployment) };
    const handler = props.host.add(entry, scheduleGrants(entry.capabilities, reach));
    // No retry: the next scheduled run continues the work soon enough.
    handler.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(1) });
    new events.Rule(this, 'Rule', {
      description: props.entry.summary,
      schedule: events.Schedule.rate(Duration.minutes(everyMinutes)),
      targets: [new targets.LambdaFunction(handler, { retryAttempts: 0 })],
    });
    new ImpactAlarm(this, 'Failing', {
      deployment: deployment.name,
      name: `${entry.id}-failing`,
      metric: handler.metricErrors({ period: Duration.minutes(Math.max(everyMinutes, alarmPeriodMinutes)) }),
      above: 0,
      periods: 3,
      // Each run reports a value, 0 if it succeeded.
      silenceCounts: true,
      impact: `Overdue work is not picked up by ${props.entry.id} until it runs without an error.`,
    });
  }
}
