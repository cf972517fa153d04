import { CfnCondition, CfnParameter, Fn, Stack } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { alarmName } from '../../shared/kernel/names.ts';

/** What people miss while the alarm is on, and what ends it. */
export type Impact = `Nobody${string} until ${string}.`;

interface ImpactAlarmProps {
  readonly deployment: string;
  /** The name of the alarm after that of the deployment, and of its section in `docs/runbook.md`. */
  readonly name: string;
  readonly metric: cloudwatch.IMetric;
  /** The alarm goes on above this value … */
  readonly above: number;
  /** … in so many periods in a row. */
  readonly periods: number;
  /** A period without any value counts as one above; otherwise it says nothing. */
  readonly silenceCounts?: boolean;
  readonly impact: Impact;
}

const noTopic = 'none';

/** One parameter per stack names the topic that its alarms tell; without it they only change their state. */
const alarmActions = (stack: Stack): object => {
  if (stack.node.tryFindChild('AlarmTopicArn') === undefined) {
    const topic = new CfnParameter(stack, 'AlarmTopicArn', {
      default: noTopic,
      description: 'ARN of an SNS topic in the region of the stack that alarms are sent to; `none` for no topic',
    });
    new CfnCondition(stack, 'HasAlarmTopic', {
      expression: Fn.conditionNot(Fn.conditionEquals(topic.valueAsString, noTopic)),
    });
  }
  return { 'Fn::If': ['HasAlarmTopic', [{ Ref: 'AlarmTopicArn' }], { Ref: 'AWS::NoValue' }] };
};

/** An alarm whose description tells whoever is woken by it what nobody gets, and until when. */
export class ImpactAlarm extends Construct {
  /** Without the name of the deployment. */
  readonly alarmName: string;

  constructor(scope: Construct, id: string, props: ImpactAlarmProps) {
    super(scope, id);
    this.alarmName = props.name;
    const alarm = new cloudwatch.Alarm(this, 'Alarm', {
      alarmName: alarmName(props.deployment, props.name),
      metric: props.metric,
      threshold: props.above,
      comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: props.periods,
      treatMissingData:
        props.silenceCounts === true
          ? cloudwatch.TreatMissingData.BREACHING
          : cloudwatch.TreatMissingData.NOT_BREACHING,
      alarmDescription: `${props.impact} See docs/runbook.md, ${props.name}.`,
    });
    // The list is there or not by a condition, which the typed property cannot say.
    (alarm.node.defaultChild as cloudwatch.CfnAlarm).addPropertyOverride('AlarmActions', alarmActions(Stack.of(this)));
  }
}
