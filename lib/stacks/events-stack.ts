import { Stack, type App } from 'aws-cdk-lib';
import { FunctionHost, plainEnvironment } from '../constructs/function-host.ts';
import { QueueWorker } from '../constructs/queue-worker.ts';
import { ScheduledFunction } from '../constructs/scheduled-function.ts';
import { homeRegion, type Deployment } from '../deployment.ts';
import type { FunctionEntry } from '../functions.ts';
import { connectorParameters, deliveryParameters, importParameters, indexSizeParameter } from './parameters.ts';
import { stackProps } from './stack-props.ts';

/** Background work of the home region: event relay, webhook delivery, reading of sources, sweeps. */
export class EventsStack extends Stack {
  constructor(app: App, deployment: Deployment, entries: readonly FunctionEntry[]) {
    const region = homeRegion(deployment);
    super(app, 'Events', stackProps(deployment.name, 'events', region, 'event relay, webhook delivery and schedules'));
    const host = new FunctionHost(this, 'Functions', {
      deployment,
      place: 'events',
      reach: deployment.regions,
      environment: {
        ...plainEnvironment,
        ...deliveryParameters(this),
        ...connectorParameters(this),
        ...importParameters(this),
        ...indexSizeParameter(this),
        STRATA_EVENT_BUS: deployment.eventBus ?? '',
      },
    });
    for (const entry of entries) {
      if (entry.kind === 'worker')
        new QueueWorker(this, entry.id, { deployment: deployment.name, region, host, entry });
      else if (entry.kind === 'schedule') new ScheduledFunction(this, entry.id, { deployment, host, entry });
      else host.add(entry);
    }
  }
}
