import { Aws, CfnCondition, CfnParameter, Fn, type IResolvable, type Stack } from 'aws-cdk-lib';
import {
  audioProviders,
  bedrockEmbeddingModel,
  connectorAddressNames,
  crawlProviders,
  defaultMaxIndexBytes,
  defaultMaxIndexNumbers,
  defaultWaitingWrites,
  deliveryProviders,
  embeddingProviders,
  ocrProviders,
} from '../../shared/kernel/config.ts';
import { hasService } from '../region-services.ts';
import { addRule } from './add-rule.ts';

/** Variables of functions that pass events on for delivery. A rule refuses Svix for parameters that do not fit it. */
export const deliveryParameters = (stack: Stack) => {
  const provider = new CfnParameter(stack, 'DeliveryProvider', {
    default: 'built-in',
    allowedValues: [...deliveryProviders],
    description: 'Who repeats webhooks until they are received; the same in the stacks api and events',
  }).valueAsString;
  const relayUrl = new CfnParameter(stack, 'WebhookRelayUrl', {
    default: '',
    allowedPattern: '^(https://[^\\s?#]+)?$',
    description:
      'Address of this API as Svix reaches it, such as the output ApiUrl; needed and used by DeliveryProvider=svix alone',
  }).valueAsString;
  addRule(stack, 'SvixFindsTheRelay', {
    when: Fn.conditionEquals(provider, 'svix'),
    assert: Fn.conditionNot(Fn.conditionEquals(relayUrl, '')),
    otherwise: 'DeliveryProvider=svix needs WebhookRelayUrl, the address of this API',
  });
  return {
    STRATA_DELIVERY_PROVIDER: provider,
    STRATA_SVIX_URL: new CfnParameter(stack, 'SvixUrl', {
      default: 'https://api.svix.com',
      allowedPattern: '^https://[^\\s?#]+$',
      description: 'Where the API of Svix is, its own or that of another host; used by DeliveryProvider=svix alone',
    }).valueAsString,
    STRATA_RELAY_URL: relayUrl,
  };
};

/**
 * Variables of functions that embed text, create indexes or check which of them can be searched by text. Indexes keep
 * their model, so a model that the provider does not have is refused.
 */
export const embeddingParameters = (stack: Stack) => {
  const provider = new CfnParameter(stack, 'EmbeddingProvider', {
    default: 'bedrock',
    allowedValues: [...embeddingProviders],
    description:
      'What turns text into vectors in new indexes; the same in every stack. model-folder makes sense on one machine alone',
  }).valueAsString;
  const model = new CfnParameter(stack, 'EmbeddingModel', {
    default: bedrockEmbeddingModel,
    description: 'Name of the model at its provider; the same in every stack',
  }).valueAsString;
  const isOfBedrock = Fn.conditionEquals(model, bedrockEmbeddingModel);
  addRule(stack, 'OpenAiHasTheModel', {
    when: Fn.conditionEquals(provider, 'openai'),
    assert: Fn.conditionNot(isOfBedrock),
    otherwise: 'EmbeddingProvider=openai needs EmbeddingModel, the name of a model there',
  });
  addRule(stack, 'FolderHasTheModel', {
    when: Fn.conditionEquals(provider, 'model-folder'),
    assert: Fn.conditionNot(isOfBedrock),
    otherwise: 'EmbeddingProvider=model-folder needs EmbeddingModel, the name in embedding.json of the folder',
  });
  addRule(stack, 'BedrockHasTheModel', {
    when: Fn.conditionEquals(provider, 'bedrock'),
    assert: isOfBedrock,
    otherwise: `EmbeddingProvider=bedrock goes with EmbeddingModel=${bedrockEmbeddingModel} alone`,
  });
  return {
    STRATA_EMBEDDING_PROVIDER: provider,
    STRATA_EMBEDDING_MODEL: model,
    STRATA_EMBEDDING_BASE_URL: new CfnParameter(stack, 'EmbeddingBaseUrl', {
      default: 'https://api.openai.com/v1',
      allowedPattern: '^https://[^\\s?#]+$',
      description:
        'Where an OpenAI-compatible provider has /embeddings; used by EmbeddingProvider=openai alone, the same in every stack',
    }).valueAsString,
  };
};

/** Origins whose pages may send requests, separated by commas. */
export const corsParameter = (stack: Stack): string =>
  new CfnParameter(stack, 'CorsOrigins', {
    default: '*',
    allowedPattern: '^(\\*|https?://[^\\s/,]+(,https?://[^\\s/,]+)*)$',
    description: 'Origins whose pages may send requests from browsers, separated by commas; * for all',
  }).valueAsString;

/** Variables of functions that read sites. */
export const crawlParameters = (stack: Stack) => ({
  STRATA_CRAWL_PROVIDER: new CfnParameter(stack, 'CrawlProvider', {
    default: 'built-in',
    allowedValues: [...crawlProviders],
    description: 'Who reads the pages of a crawl: this deployment, or a service with the interface of Firecrawl',
  }).valueAsString,
  STRATA_CRAWL_BASE_URL: new CfnParameter(stack, 'CrawlBaseUrl', {
    default: 'https://api.firecrawl.dev/v2',
    allowedPattern: '^https?://[^\\s?#]+$',
    description: 'Where a service with the interface of Firecrawl has /crawl; used by CrawlProvider=firecrawl alone',
  }).valueAsString,
});

const namedAddress = `(${connectorAddressNames.join('|')})=https?://[^\\s?#,]+`;

/** Variables of functions that connect sources or read them. */
export const connectorParameters = (stack: Stack) => ({
  STRATA_CONNECTOR_ADDRESSES: new CfnParameter(stack, 'ConnectorAddresses', {
    default: '',
    allowedPattern: `^(${namedAddress}(,${namedAddress})*)?$`,
    description: 'Other addresses of providers, such as slack=https://gateway.example.com; the same in every stack',
  }).valueAsString,
  STRATA_CONNECTOR_CALLBACK_URL: new CfnParameter(stack, 'ConnectorCallbackUrl', {
    default: '',
    allowedPattern: '^(https?://[^\\s?#]+)?$',
    description: 'The address <ApiUrl>/v1/connectors/callback as the applications at the providers know it',
  }).valueAsString,
});

/** Variables of functions that copy objects from storages of users. */
export const importParameters = (stack: Stack) => {
  const endpoint = (name: string, storage: string): string =>
    new CfnParameter(stack, name, {
      default: '',
      allowedPattern: '^(https?://[^\\s?#]+)?$',
      description: `Where imports find ${storage}, if not at its provider: a gateway, or another storage of its protocol`,
    }).valueAsString;
  return {
    STRATA_IMPORT_S3_ENDPOINT: endpoint('ImportS3Endpoint', 'S3'),
    STRATA_IMPORT_GCS_ENDPOINT: endpoint('ImportGcsEndpoint', 'Google Cloud Storage'),
    STRATA_IMPORT_AZURE_ENDPOINT: endpoint('ImportAzureEndpoint', 'Azure Blob Storage'),
  };
};

/** Variables of functions that call models. A model that a region does not have is off there unless it is chosen. */
export const modelParameters = (stack: Stack, region: string) => ({
  ...embeddingParameters(stack),
  STRATA_EMBEDDING_MODEL_DIRECTORY: new CfnParameter(stack, 'EmbeddingModelDirectory', {
    default: '',
    description: 'Folder with an embedding model; used by EmbeddingProvider=model-folder alone',
  }).valueAsString,
  STRATA_OCR_PROVIDER: new CfnParameter(stack, 'OcrProvider', {
    default: hasService(region, 'textract') ? 'textract' : 'off',
    allowedValues: [...ocrProviders],
    description: 'What reads the text of scanned pages and pictures',
  }).valueAsString,
  STRATA_AUDIO_PROVIDER: new CfnParameter(stack, 'AudioProvider', {
    default: hasService(region, 'transcribe') ? 'transcribe' : 'off',
    allowedValues: [...audioProviders],
    description: 'What writes down recordings; model-folder makes sense on one machine alone',
  }).valueAsString,
  STRATA_SPEECH_MODEL_DIRECTORY: new CfnParameter(stack, 'SpeechModelDirectory', {
    default: '',
    description: 'Folder with a speech model; used by AudioProvider=model-folder alone',
  }).valueAsString,
});

/** Number of concurrent file tasks of a region. It can be lowered for a small quota of a model or of the account. */
export const tasksAtOnceParameter = (stack: Stack): number =>
  new CfnParameter(stack, 'TasksAtOnce', {
    type: 'Number',
    default: 100,
    minValue: 2,
    maxValue: 1_000,
    description: 'File tasks that run at the same time in this region',
  }).valueAsNumber;

/**
 * Index writers of a region: their concurrency, and whether it is reserved for them, so that other functions of the account
 * cannot starve them. Lambda keeps at least 100 unreserved, which an account with a small quota lacks.
 */
export const writerParameters = (
  stack: Stack,
): { readonly maxConcurrency: number; readonly reservedConcurrency: IResolvable } => {
  const atOnce = new CfnParameter(stack, 'WritersAtOnce', {
    type: 'Number',
    default: 100,
    minValue: 2,
    maxValue: 1_000,
    description: 'Index writers that run at the same time in this region, one for each index that is written to',
  });
  const reserve = new CfnParameter(stack, 'ReserveWriters', {
    default: 'false',
    allowedValues: ['true', 'false'],
    description: 'Whether Lambda keeps that much concurrency for the index writer; the account must have 100 more',
  });
  const isReserved = new CfnCondition(stack, 'HasReservedWriters', {
    expression: Fn.conditionEquals(reserve, 'true'),
  });
  return {
    maxConcurrency: atOnce.valueAsNumber,
    reservedConcurrency: Fn.conditionIf(isReserved.logicalId, atOnce.valueAsNumber, Aws.NO_VALUE),
  };
};

/** Reserved concurrency of each of some functions, which is a limit too. None by default, since a new account has ten. */
const reservedConcurrency = (stack: Stack, what: string, functions: string): IResolvable => {
  const reserve = new CfnParameter(stack, `Reserve${what}`, {
    type: 'Number',
    default: 0,
    minValue: 0,
    maxValue: 10_000,
    description: `Concurrency that Lambda keeps for each function that ${functions}, which is then its bound as well; 0 for none. The account must have 100 more than all that is kept`,
  });
  const isReserved = new CfnCondition(stack, `HasReserved${what}`, {
    expression: Fn.conditionNot(Fn.conditionEquals(reserve, '0')),
  });
  return Fn.conditionIf(isReserved.logicalId, reserve.valueAsNumber, Aws.NO_VALUE);
};

/** Reserved concurrency of searches, so that waiting writes cannot take all of it. */
export const searchConcurrencyParameter = (stack: Stack): IResolvable =>
  reservedConcurrency(stack, 'Searches', 'searches');

/** Reserved concurrency of the functions that wait for servers of applications, so that these cannot take all of it. */
export const consentConcurrencyParameter = (stack: Stack): IResolvable =>
  reservedConcurrency(stack, 'Consents', 'reads the metadata document of an application');

/** Variables of functions that write to indexes: the maximum of waiting writes. */
export const waitingWritesParameters = (stack: Stack) => {
  const bound = (name: string, value: number, description: string): string =>
    new CfnParameter(stack, name, { type: 'Number', default: value, minValue: 1, description }).valueAsString;
  return {
    STRATA_WAITING_WRITES: bound(
      'WaitingWrites',
      defaultWaitingWrites.deployment,
      'Writes that may wait for their receipt for more than a second at a time, each of which holds a function; others are answered 429',
    ),
    STRATA_WAITING_WRITES_PER_INDEX: bound(
      'WaitingWritesPerIndex',
      defaultWaitingWrites.index,
      'The same for each index',
    ),
  };
};

/** Variables of functions that add content to indexes: the maximum size of an index. */
export const indexSizeParameter = (stack: Stack) => ({
  STRATA_MAX_INDEX_BYTES: new CfnParameter(stack, 'MaxIndexBytes', {
    type: 'Number',
    default: defaultMaxIndexBytes,
    minValue: 1,
    description:
      'Bytes of vectors and texts from which on an index takes no further content; the same in every stack. More needs a larger IndexMemory',
  }).valueAsString,
  STRATA_MAX_INDEX_NUMBERS: new CfnParameter(stack, 'MaxIndexNumbers', {
    type: 'Number',
    default: defaultMaxIndexNumbers,
    minValue: 1,
    description: 'The same for the numbers of all vectors, which are rows times dimensions',
  }).valueAsString,
});

/** Memory in megabytes, and with it CPU and network, of the functions that write and build the indexes of a region. */
export const indexMemoryParameter = (stack: Stack): number =>
  new CfnParameter(stack, 'IndexMemory', {
    type: 'Number',
    default: 3_008,
    minValue: 1_024,
    maxValue: 10_240,
    description: 'MB of memory of the functions that write and build indexes; above 3,008 the account must allow it',
  }).valueAsNumber;
