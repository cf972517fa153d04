import { CfnCondition, CfnParameter, Fn, Stack } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type * as apigateway from 'aws-cdk-lib/aws-apigatewayv2';
import { Construct } from 'constructs';
import { deadLetterQueueName, functionName, queueName, queues, type QueueName } from '../../shared/kernel/names.ts';
import { modelWait } from '../../shared/kernel/log.ts';
import { alarmArn } from '../arns.ts';
import { homeRegion, type Deployment } from '../deployment.ts';
import type { FunctionEntry } from '../functions.ts';
import type { ImpactAlarm } from './impact-alarm.ts';

const { SUM, MAXIMUM } = cloudwatch.Stats;

/** Endpoints whose latency the dashboard shows. */
const timedEndpoints = ['dense-search', 'sparse-search', 'hybrid-search', 'upsert-vectors'] as const;

interface MetricSource {
  readonly namespace: string;
  readonly name: string;
  readonly statistic: string;
  readonly dimensions?: Readonly<Record<string, string>>;
  readonly region: string;
  readonly label: string;
}

const metricOf = ({ namespace, name, statistic, dimensions, region, label }: MetricSource): cloudwatch.Metric =>
  new cloudwatch.Metric({
    namespace,
    metricName: name,
    statistic,
    region,
    label,
    ...(dimensions !== undefined && { dimensionsMap: { ...dimensions } }),
  });

/** One of three graphs in a row. */
const graph = (title: string, region: string, left: cloudwatch.IMetric[]): cloudwatch.IWidget =>
  new cloudwatch.GraphWidget({ title, region, left, width: 8, height: 6 });

const queueMetric = (deployment: string, region: string, queue: QueueName, kind: 'age' | 'aside'): cloudwatch.Metric =>
  metricOf({
    namespace: 'AWS/SQS',
    name: kind === 'age' ? 'ApproximateAgeOfOldestMessage' : 'ApproximateNumberOfMessagesVisible',
    dimensions: {
      QueueName: kind === 'age' ? queueName(deployment, queue) : deadLetterQueueName(deployment, queue),
    },
    statistic: MAXIMUM,
    region,
    label: queue,
  });

const allFunctions = (name: string, statistic: string, region: string): cloudwatch.Metric =>
  metricOf({ namespace: 'AWS/Lambda', name, statistic, region, label: name });

interface DashboardProps {
  readonly deployment: Deployment;
  readonly api: apigateway.HttpApi;
  readonly entries: readonly FunctionEntry[];
  /** Alarms of the home region. */
  readonly alarms: readonly ImpactAlarm[];
}

/** CloudWatch dashboard of the whole deployment, unless a parameter disables it. */
export class DeploymentDashboard extends Construct {
  constructor(scope: Construct, id: string, props: DashboardProps) {
    super(scope, id);
    const { deployment, entries } = props;
    const dashboard = new cloudwatch.Dashboard(this, 'Dashboard', {
      // Names of dashboards are unique over all regions of an account.
      dashboardName: `${deployment.name}-${homeRegion(deployment)}`,
      widgets: [
        this.#alarms(props),
        this.#requests(props),
        this.#workers(deployment, entries),
        ...deployment.regions.map((region) => this.#region(deployment.name, region)),
      ],
    });
    const stack = Stack.of(this);
    const wanted = new CfnParameter(stack, 'Dashboard', {
      default: 'true',
      allowedValues: ['true', 'false'],
      description: 'Whether CloudWatch has a dashboard of the deployment; an account has three at no charge',
    });
    const condition = new CfnCondition(stack, 'HasDashboard', { expression: Fn.conditionEquals(wanted, 'true') });
    (dashboard.node.defaultChild as cloudwatch.CfnDashboard).cfnOptions.condition = condition;
  }

  #alarms({ deployment, alarms }: DashboardProps): cloudwatch.IWidget[] {
    const region = homeRegion(deployment);
    // By name: a reference would make the stacks depend on each other.
    const shown = alarms.map(({ alarmName }) =>
      cloudwatch.Alarm.fromAlarmArn(this, `Alarm-${alarmName}`, alarmArn(deployment.name, region, alarmName)),
    );
    return [
      new cloudwatch.AlarmStatusWidget({
        title: `Alarms in ${region}: docs/runbook.md`,
        alarms: shown,
        width: 24,
        height: 6,
      }),
    ];
  }

  #requests({ deployment, api }: DashboardProps): cloudwatch.IWidget[] {
    const region = homeRegion(deployment);
    return [
      graph('Requests, and those refused or failed', region, [
        api.metricCount({ statistic: SUM, label: 'requests' }),
        api.metricClientError({ statistic: SUM, label: '4xx' }),
        api.metricServerError({ statistic: SUM, label: '5xx' }),
      ]),
      graph('Milliseconds of all requests', region, [
        api.metricLatency({ statistic: cloudwatch.Stats.p(50), label: 'p50' }),
        api.metricLatency({ statistic: cloudwatch.Stats.p(99), label: 'p99' }),
      ]),
      graph(
        'Milliseconds of searches and writes, p99',
        region,
        timedEndpoints.map((endpoint) =>
          metricOf({
            namespace: 'AWS/Lambda',
            name: 'Duration',
            dimensions: { FunctionName: functionName(deployment.name, endpoint) },
            statistic: cloudwatch.Stats.p(99),
            region,
            label: endpoint,
          }),
        ),
      ),
    ];
  }

  #workers(deployment: Deployment, entries: readonly FunctionEntry[]): cloudwatch.IWidget[] {
    const region = homeRegion(deployment);
    const atHome = (Object.keys(queues) as QueueName[]).filter((queue) => queues[queue].scope === 'home');
    const schedules = entries.filter(({ kind }) => kind === 'schedule');
    const ofQueues = (kind: 'age' | 'aside') =>
      atHome.map((queue) => queueMetric(deployment.name, region, queue, kind));
    return [
      graph('Seconds that the oldest message has waited: events and syncs', region, ofQueues('age')),
      graph('Messages put aside: events and syncs', region, ofQueues('aside')),
      graph(
        'Failed runs of the sweeps',
        region,
        schedules.map((schedule) =>
          metricOf({
            namespace: 'AWS/Lambda',
            name: 'Errors',
            dimensions: { FunctionName: functionName(deployment.name, schedule.id) },
            statistic: SUM,
            region,
            label: schedule.id,
          }),
        ),
      ),
    ];
  }

  #region(deployment: string, region: string): cloudwatch.IWidget[] {
    const inRegion = (Object.keys(queues) as QueueName[]).filter((queue) => queues[queue].scope === 'region');
    const ofQueues = (kind: 'age' | 'aside') => inRegion.map((queue) => queueMetric(deployment, region, queue, kind));
    const waits = {
      namespace: deployment,
      name: modelWait.metric,
      statistic: MAXIMUM,
      region,
      label: 'waits for a model',
    };
    return [
      graph(`${region}: seconds that the oldest message has waited`, region, ofQueues('age')),
      graph(`${region}: messages put aside`, region, ofQueues('aside')),
      graph(`${region}: functions of the account that run, runs refused, minutes that files wait`, region, [
        allFunctions('ConcurrentExecutions', MAXIMUM, region),
        allFunctions('Throttles', SUM, region),
        metricOf(waits),
      ]),
    ];
  }
}
