import { CfnCondition, CfnParameter, Fn, Stack } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { alarmName } from '../../shared/kernel/names.ts';

/** Effect of the alarm's cause on users, and the condition that ends it. */
export type Impact = `${string} until ${string}.`;

interface ImpactAlarmProps {
  readonly deployment: string;
  /** Name of the alarm without the prefix of the deployment, and of its section in `docs/runbook.md`. */
  readonly name: string;
  readonly metric: cloudwatch.IMetric;
  /** Threshold: the alarm is raised above this value … */
  readonly above: number;
  /** … in this number of consecutive periods. */
  readonly periods: number;
  /** Whether a period without data counts as above the threshold. By default it counts as below. */
  readonly silenceCounts?: boolean;
  readonly impact: Impact;
}

const noTopic = 'none';

/** Actions of the alarms of a stack: they notify the topic of a parameter. Without a topic, they only change their state. */
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

/** An alarm whose description states the effect on users and the condition that ends it. */
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
    // A condition sets or omits the list, which the typed property cannot express.
    (alarm.node.defaultChild as cloudwatch.CfnAlarm).addPropertyOverride('AlarmActions', alarmActions(Stack.of(this)));
  }
}
