import { Aws, CfnOutput, CfnParameter, Duration, RemovalPolicy, Stack, Validations, type App } from 'aws-cdk-lib';
import * as cognito from 'aws-cdk-lib/aws-cognito';
import * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import { tableName, tables, type TableName } from '../../shared/kernel/names.ts';
import { homeRegion, type Deployment } from '../deployment.ts';
import { encryptionKeyParameter } from './encryption-key.ts';
import { stackProps } from './stack-props.ts';

const text = (name: string): dynamodb.Attribute => ({ name, type: dynamodb.AttributeType.STRING });

/** Data that must never be lost: the tables and the user pool. It is in the home region and outlives the stack. */
export class DataStack extends Stack {
  readonly userPool: cognito.UserPool;
  readonly userPoolClient: cognito.UserPoolClient;

  constructor(app: App, deployment: Deployment) {
    super(app, 'Data', stackProps(deployment.name, 'data', homeRegion(deployment), 'tables and user pool'));
    const byKey = encryptionKeyParameter(this);
    const encryption = byKey((arn) => ({ SSEEnabled: true, SSEType: 'KMS', KMSMasterKeyId: arn }), {
      SSEEnabled: false,
    });
    for (const name of Object.keys(tables) as TableName[]) {
      const table = this.#addTable(deployment.name, name);
      // The typed property takes no condition.
      (table.node.defaultChild as dynamodb.CfnTable).addPropertyOverride('SSESpecification', encryption);
    }
    this.userPool = this.#addUserPool(deployment.name);
    this.userPoolClient = this.userPool.addClient('Client', {
      userPoolClientName: deployment.name,
      // A browser or a script cannot keep a secret, so the client has none.
      generateSecret: false,
      authFlows: { userSrp: true, userPassword: true },
      disableOAuth: true,
      preventUserExistenceErrors: true,
      idTokenValidity: Duration.hours(1),
    });
    this.#addSignInPage(deployment.name);
    new CfnOutput(this, 'UserPoolId', { value: this.userPool.userPoolId });
    new CfnOutput(this, 'UserPoolClientId', { value: this.userPoolClient.userPoolClientId });
  }

  #addTable(deployment: string, name: TableName): dynamodb.Table {
    const table = new dynamodb.Table(this, name, {
      tableName: tableName(deployment, name),
      partitionKey: text('pk'),
      sortKey: text('sk'),
      billingMode: dynamodb.BillingMode.PAY_PER_REQUEST,
      // The key of AWS is free, both while idle and per request. A parameter can name another key.
      encryption: dynamodb.TableEncryption.DEFAULT,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: tables[name].restorable },
      timeToLiveAttribute: 'expires_at_epoch',
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    if (!tables[name].restorable) {
      const reason = 'What is deleted here must be gone for good, also from backups';
      Validations.of(table).acknowledge({ id: 'AwsSolutions-DDB3', reason });
    }
    if (!tables[name].due) return table;
    table.addGlobalSecondaryIndex({
      indexName: 'due',
      partitionKey: text('due_pk'),
      sortKey: text('due_at'),
      projectionType: dynamodb.ProjectionType.KEYS_ONLY,
    });
    return table;
  }

  /** Adds the page on which people sign in to the console. Its name has to be unique among all accounts of the region. */
  #addSignInPage(deployment: string): void {
    this.userPool.addDomain('SignInPage', {
      cognitoDomain: { domainPrefix: `${deployment}-${Aws.ACCOUNT_ID}` },
      managedLoginVersion: cognito.ManagedLoginVersion.NEWER_MANAGED_LOGIN,
    });
  }

  #passwordLength(): number {
    return new CfnParameter(this, 'PasswordLength', {
      type: 'Number',
      default: 12,
      minValue: 8,
      maxValue: 99,
      description: 'Characters that a password has at least; all four kinds of characters are needed in any case',
    }).valueAsNumber;
  }

  #secondFactor(): string {
    return new CfnParameter(this, 'SecondFactor', {
      default: 'OPTIONAL',
      allowedValues: ['OPTIONAL', 'ON'],
      description: 'Whether people may sign in with a one-time password as well (OPTIONAL), or must (ON)',
    }).valueAsString;
  }

  #addUserPool(deployment: string): cognito.UserPool {
    const pool = new cognito.UserPool(this, 'Users', {
      userPoolName: deployment,
      signInAliases: { email: true },
      signInCaseSensitive: false,
      autoVerify: { email: true },
      standardAttributes: { email: { required: true, mutable: true } },
      // Each user gets an organization at the cost of the account's owner, so only the owner creates users.
      selfSignUpEnabled: false,
      passwordPolicy: {
        minLength: 12,
        requireLowercase: true,
        requireUppercase: true,
        requireDigits: true,
        requireSymbols: true,
        tempPasswordValidity: Duration.days(7),
      },
      mfa: cognito.Mfa.OPTIONAL,
      mfaSecondFactor: { sms: false, otp: true },
      accountRecovery: cognito.AccountRecovery.EMAIL_ONLY,
      featurePlan: cognito.FeaturePlan.ESSENTIALS,
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    // The typed properties take no parameter.
    const resource = pool.node.defaultChild as cognito.CfnUserPool;
    resource.addPropertyOverride('Policies.PasswordPolicy.MinimumLength', this.#passwordLength());
    resource.addPropertyOverride('MfaConfiguration', this.#secondFactor());
    Validations.of(pool).acknowledge(
      {
        id: 'AwsSolutions-COG2',
        reason: 'All users can add a second factor. The owner of the account decides whether it is required',
      },
      { id: 'AwsSolutions-COG3', reason: 'Threat protection needs the Plus plan, which bills every active user' },
      {
        id: 'AwsSolutions-COG8',
        reason: 'The Plus plan bills every active user; Essentials costs nothing up to 10,000',
      },
    );
    return pool;
  }
}
