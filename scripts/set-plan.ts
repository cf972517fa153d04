import {
  builtInCrawler,
  builtInDelivery,
  embeddedModels,
  type Config,
  providersOwnStorages,
} from '../shared/kernel/config.ts';
import { systemClock } from '../shared/kernel/clock.ts';
import { silentLogger } from '../shared/kernel/log.ts';
import { type Plan, planIds } from '../shared/kernel/plans.ts';
import { openOrganizations } from '../shared/organizations/index.ts';
import { adoptCredentials } from './operator/aws-access.ts';
import { type OperatorKey, readLocalHealth, readOperatorKey } from './operator/local-run.ts';
import { readCommandLine } from './support/read-command-line.ts';
import { runCommand } from './support/run-command.ts';

const usage = `npm run set-plan -- --organization ID --plan ${planIds.join('|')} [options]

Moves an organization to another plan. It holds from the next request on.

  --organization ID    org_…
  --plan PLAN          ${planIds.join(', ')}
  --deployment NAME    first part of the names of the tables (default strata)
  --region REGION      home region of the deployment (default AWS_REGION, else us-east-1)
  --profile NAME       profile of the AWS configuration, also one of SSO (default AWS_PROFILE)
  --endpoint URL       another address for DynamoDB
  --local URL          a run of npm start, such as http://127.0.0.1:8787; names everything by itself
`;

/** Where the table of organizations is. */
interface Place {
  readonly deployment: string;
  readonly region: string;
  /** Null: AWS itself. */
  readonly endpoint: string | null;
  /** The operator's access key of a run on this machine; null: credentials of the SDK's default chain. */
  readonly key: OperatorKey | null;
}

interface Order {
  readonly organizationId: string;
  readonly plan: Plan;
  readonly place: Place;
}

const askLocal = async (url: string): Promise<Place> => {
  const { aws } = await readLocalHealth(url);
  return {
    deployment: aws.deployment,
    region: aws.home_region,
    endpoint: aws.endpoint_url,
    key: readOperatorKey(aws.credentials_file),
  };
};

const readOptions = (args: readonly string[]) =>
  readCommandLine({
    args: [...args],
    options: {
      organization: { type: 'string' },
      plan: { type: 'string' },
      deployment: { type: 'string', default: 'strata' },
      region: { type: 'string', default: process.env['AWS_REGION'] ?? 'us-east-1' },
      profile: { type: 'string' },
      endpoint: { type: 'string' },
      local: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  }).values;

const toOrder = async (options: ReturnType<typeof readOptions>): Promise<Order> => {
  const { organization, deployment, region, profile, endpoint = null, local } = options;
  if (profile !== undefined) process.env['AWS_PROFILE'] = profile;
  if (organization === undefined) throw new Error('--organization is missing; see --help');
  const plan = planIds.find((id) => id === options.plan);
  if (plan === undefined)
    throw new Error(`--plan ${options.plan ?? ''} is not a plan: give one of ${planIds.join(', ')}`);
  const place = local === undefined ? { deployment, region, endpoint, key: null } : await askLocal(local);
  return { organizationId: organization, plan, place };
};

/** The configuration of a function that does nothing but write this table. */
const configOf = ({ deployment, region }: Place): Config => ({
  deployment,
  homeRegion: region,
  regions: [region],
  region,
  accountId: '',
  identityIssuer: '',
  identityKeys: null,
  identityAudience: [],
  allowLocalWebhooks: false,
  vectorsDirectory: null,
  assetsDirectory: '',
  models: embeddedModels,
  delivery: builtInDelivery,
  crawl: builtInCrawler,
  imports: providersOwnStorages,
});

/** The client of the tables reads its address and credentials from the environment. */
const pointSdk = async ({ endpoint, key }: Place): Promise<void> => {
  if (endpoint !== null) process.env['AWS_ENDPOINT_URL_DYNAMODB'] = endpoint;
  if (key === null) return adoptCredentials();
  delete process.env['AWS_SESSION_TOKEN'];
  process.env['AWS_ACCESS_KEY_ID'] = key.accessKeyId;
  process.env['AWS_SECRET_ACCESS_KEY'] = key.secretAccessKey;
};

const setPlan = async ({ organizationId, plan, place }: Order): Promise<string> => {
  await pointSdk(place);
  const where = `deployment ${place.deployment} in ${place.region}`;
  const organizations = openOrganizations({ config: configOf(place), clock: systemClock, log: silentLogger });
  try {
    const before = await organizations.get(organizationId);
    const after = before === null ? null : await organizations.setPlan(organizationId, plan);
    if (before !== null && after !== null)
      return `${after.id} (${after.name})\n  before  ${before.plan}\n  after   ${after.plan}`;
  } catch (error) {
    if (error instanceof Error && error.name === 'ResourceNotFoundException')
      throw new Error(`there is no ${where}`, { cause: error });
    throw error;
  }
  throw new Error(`there is no organization ${organizationId} in ${where}`);
};

await runCommand(async () => {
  const options = readOptions(process.argv.slice(2));
  console.log(options.help ? usage : await setPlan(await toOrder(options)));
});
