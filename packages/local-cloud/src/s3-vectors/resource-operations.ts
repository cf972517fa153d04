import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../../../shared/kernel/json.ts';
import { invalid, VectorError } from './vector-error.ts';
import {
  authorizeOn,
  bucketArn,
  bucketNameOf,
  findIndex,
  indexArn,
  readToken,
  requireBucket,
  requireIndex,
  type ResourceInput,
  type VectorContext,
  writeToken,
} from './vector-context.ts';
import {
  configurationOf,
  type BucketRow,
  type IndexConfiguration,
  type IndexRow,
  type TextSearchConfiguration,
} from './vector-store.ts';

type Tags = Readonly<Record<string, string>>;

const maxTags = 50;
const maxTextSearchKeys = 10;

const bucketPattern = /^[a-z0-9][a-z0-9-]*[a-z0-9]$/;
const indexPattern = /^[a-z0-9][a-z0-9.-]*[a-z0-9]$/;

interface Encryption {
  readonly sseType?: string;
  readonly kmsKeyArn?: string;
}

const encryptionOf = ({ sseType = 'AES256', kmsKeyArn }: Encryption = {}): JsonObject => {
  if ((sseType === 'aws:kms') !== (kmsKeyArn !== undefined))
    throw invalid('encryptionConfiguration', 'kmsKeyArn is required for aws:kms and not allowed for AES256');
  return kmsKeyArn === undefined ? { sseType } : { sseType, kmsKeyArn };
};

const saveTags = ({ store: { database } }: VectorContext, arn: string, tags: Tags): void => {
  const names = database.sql.all`SELECT name FROM tags WHERE arn = ${arn}` as readonly { readonly name: string }[];
  if (new Set([...names.map(({ name }) => name), ...Object.keys(tags)]).size > maxTags)
    throw invalid('tags', `A resource has at most ${maxTags} tags`);
  for (const [name, value] of Object.entries(tags)) database.insert('tags', { arn, name, value });
};

const tagActions = (tags: Tags | undefined): readonly string[] => (tags === undefined ? [] : ['TagResource']);

const describeBucket = (context: VectorContext, { name, createdMs }: BucketRow): JsonObject => ({
  vectorBucketName: name,
  vectorBucketArn: bucketArn(context, name),
  creationTime: createdMs / 1000,
});

const describeIndex = (context: VectorContext, { bucket, name, createdMs }: IndexRow): JsonObject => ({
  vectorBucketName: bucket,
  indexName: name,
  indexArn: indexArn(context, bucket, name),
  creationTime: createdMs / 1000,
});

interface ListInput extends JsonObject {
  readonly maxResults: number;
  readonly prefix: string;
}

/** Returns a page of rows in order of name. */
const pageOf = <Row extends { readonly name: string }>(
  rows: readonly Row[],
  input: ListInput,
): readonly [rows: readonly Row[], next: JsonObject] => {
  const after = readToken(input);
  const { maxResults = 500, prefix = '' } = input as Partial<ListInput>;
  const found = rows.filter(({ name }) => name > after && name.startsWith(prefix));
  const page = found.slice(0, maxResults);
  return [page, found.length > page.length ? { nextToken: writeToken(input, page.at(-1)?.name ?? '') } : {}];
};

interface CreateIndexInput extends ResourceInput {
  readonly indexName: string;
  readonly dimension: number;
  readonly distanceMetric: IndexConfiguration['distanceMetric'];
  readonly metadataConfiguration?: {
    readonly nonFilterableMetadataKeys?: readonly string[];
    readonly textSearchConfigurations?: readonly TextSearchConfiguration[];
  };
  readonly encryptionConfiguration?: Encryption;
  readonly tags?: Tags;
}

const checkTextSearch = (settings: readonly TextSearchConfiguration[]): void => {
  const keys = new Set(settings.map(({ metadataKey }) => metadataKey));
  if (keys.size < settings.length) throw invalid('textSearchConfigurations', 'Each metadataKey must be distinct');
  if (keys.size > maxTextSearchKeys)
    throw invalid('textSearchConfigurations', `An index has at most ${maxTextSearchKeys} text search configurations`);
};

const configurationFrom = (input: CreateIndexInput): IndexConfiguration => {
  const { nonFilterableMetadataKeys, textSearchConfigurations = [] } = input.metadataConfiguration ?? {};
  if (nonFilterableMetadataKeys?.length === 0)
    throw invalid('metadataConfiguration', 'nonFilterableMetadataKeys must not be empty');
  checkTextSearch(textSearchConfigurations);
  return {
    dimension: input.dimension,
    distanceMetric: input.distanceMetric,
    nonFilterableKeys: nonFilterableMetadataKeys ?? [],
    textSearch: textSearchConfigurations.map(({ metadataKey, language }) =>
      language === undefined ? { metadataKey } : { metadataKey, language },
    ),
    encryption: encryptionOf(input.encryptionConfiguration),
  };
};

interface MetadataUpdate extends ResourceInput {
  readonly add?: { readonly textSearchConfigurations?: readonly TextSearchConfiguration[] };
  readonly delete?: { readonly textSearchConfigurations?: readonly { readonly metadataKey: string }[] };
}

const metadataConfiguration = ({ nonFilterableKeys, textSearch }: IndexConfiguration): JsonObject => ({
  ...(nonFilterableKeys.length === 0 ? {} : { nonFilterableMetadataKeys: nonFilterableKeys }),
  ...(textSearch.length === 0
    ? {}
    : { textSearchConfigurations: textSearch.map((setting) => ({ ...setting, status: 'ACTIVE' })) }),
});

/** Inputs of the operations, which the service model has validated. */
interface Inputs {
  readonly CreateVectorBucket: ResourceInput & {
    readonly vectorBucketName: string;
    readonly encryptionConfiguration?: Encryption;
    readonly tags?: Tags;
  };
  readonly GetVectorBucket: ResourceInput;
  readonly DeleteVectorBucket: ResourceInput;
  readonly ListVectorBuckets: ListInput;
  readonly PutVectorBucketDefaultIndexMode: ResourceInput & { readonly defaultIndexMode: string };
  readonly CreateIndex: CreateIndexInput;
  readonly GetIndex: ResourceInput;
  readonly DeleteIndex: ResourceInput;
  readonly ListIndexes: ListInput & ResourceInput;
  readonly UpdateIndexMode: ResourceInput & { readonly indexMode: string };
  readonly UpdateMetadataConfiguration: MetadataUpdate;
  readonly TagResource: { readonly resourceArn: string; readonly tags: Tags };
  readonly UntagResource: { readonly resourceArn: string; readonly tagKeys: readonly string[] };
  readonly ListTagsForResource: { readonly resourceArn: string };
}

const requireEnhanced = (path: string, mode: string): JsonObject => {
  if (mode === 'ENHANCED') return {};
  throw invalid(path, 'indexMode cannot be set to CLASSIC because the vector bucket does not support CLASSIC mode');
};

/** Operations on buckets, indexes and tags. */
export const resourceOperations: {
  readonly [Name in keyof Inputs]: (context: VectorContext, input: Inputs[Name]) => JsonObject | Promise<JsonObject>;
} = {
  CreateVectorBucket: (context, input) => {
    const { database, clock } = context.store;
    const name = bucketNameOf(input);
    const arn = bucketArn(context, name);
    authorizeOn(context, arn, tagActions(input.tags));
    if (!bucketPattern.test(name)) throw invalid('vectorBucketName', 'Invalid vector bucket name');
    const encryption = JSON.stringify(encryptionOf(input.encryptionConfiguration));
    if (database.sql.get`SELECT 1 FROM buckets WHERE region = ${context.region} AND name = ${name}` !== undefined)
      throw new VectorError('ConflictException', 'A vector bucket with the specified name already exists');
    database.transaction(() => {
      database.insert('buckets', { region: context.region, name, createdMs: clock.now().getTime(), encryption });
      saveTags(context, arn, input.tags ?? {});
    });
    return { vectorBucketArn: arn };
  },
  GetVectorBucket: (context, input) => {
    const bucket = requireBucket(context, input);
    const encryptionConfiguration = JSON.parse(bucket.encryption) as JsonObject;
    return {
      vectorBucket: { ...describeBucket(context, bucket), encryptionConfiguration, defaultIndexMode: 'ENHANCED' },
    };
  },
  DeleteVectorBucket: (context, input) => {
    const { region, name } = requireBucket(context, input);
    const { database } = context.store;
    if (database.sql.get`SELECT 1 FROM indexes WHERE region = ${region} AND bucket = ${name}` !== undefined)
      throw new VectorError('ConflictException', 'The specified vector bucket is not empty');
    database.remove('buckets', { region, name });
    database.remove('tags', { arn: bucketArn(context, name) });
    return {};
  },
  ListVectorBuckets: (context, input) => {
    authorizeOn(context, '*');
    const { sql } = context.store.database;
    const rows = sql.all`SELECT * FROM buckets WHERE region = ${context.region} ORDER BY name` as readonly BucketRow[];
    const [page, next] = pageOf(rows, input);
    return { vectorBuckets: page.map((bucket) => describeBucket(context, bucket)), ...next };
  },
  PutVectorBucketDefaultIndexMode: (context, input) => {
    requireBucket(context, input);
    return requireEnhanced('defaultIndexMode', input.defaultIndexMode);
  },
  CreateIndex: (context, input) => {
    const { database, clock } = context.store;
    const { indexName: name, tags = {} } = input;
    const arn = indexArn(context, bucketNameOf(input), name);
    authorizeOn(context, arn, tagActions(input.tags));
    const { name: bucket } = requireBucket({ ...context, authorize: () => {} }, input);
    if (!indexPattern.test(name)) throw invalid('indexName', 'Invalid index name');
    const configuration = JSON.stringify(configurationFrom(input));
    if (findIndex(context, bucket, name) !== undefined)
      throw new VectorError('ConflictException', 'An index with the specified name already exists');
    database.transaction(() => {
      const createdMs = clock.now().getTime();
      context.store.addIndex({ region: context.region, bucket, name, id: randomUUID(), createdMs, configuration });
      saveTags(context, arn, tags);
    });
    return { indexArn: arn };
  },
  GetIndex: (context, input) => {
    const index = requireIndex(context, input);
    const configuration = configurationOf(index);
    const metadata = metadataConfiguration(configuration);
    return {
      index: {
        ...describeIndex(context, index),
        dataType: 'float32',
        dimension: configuration.dimension,
        distanceMetric: configuration.distanceMetric,
        ...(Object.keys(metadata).length === 0 ? {} : { metadataConfiguration: metadata }),
        encryptionConfiguration: configuration.encryption,
        indexMode: 'ENHANCED',
      },
    };
  },
  DeleteIndex: (context, input) => {
    const index = requireIndex(context, input);
    context.store.removeIndex(index);
    context.store.database.remove('tags', { arn: indexArn(context, index.bucket, index.name) });
    return {};
  },
  ListIndexes: (context, input) => {
    const { region, name } = requireBucket(context, input);
    const { sql } = context.store.database;
    const rows = sql.all`SELECT * FROM indexes WHERE region = ${region} AND bucket = ${name} ORDER BY name`;
    const [page, next] = pageOf(rows as readonly IndexRow[], input);
    return { indexes: page.map((index) => describeIndex(context, index)), ...next };
  },
  UpdateIndexMode: (context, input) => {
    requireIndex(context, input);
    return requireEnhanced('indexMode', input.indexMode);
  },
  UpdateMetadataConfiguration: async (context, input) => {
    const index = requireIndex(context, input);
    if ((input.add === undefined) === (input.delete === undefined))
      throw invalid('add', 'Must specify exactly one of add and delete');
    const configuration = configurationOf(index);
    const removed = new Set(input.delete?.textSearchConfigurations?.map(({ metadataKey }) => metadataKey));
    const textSearch = [
      ...configuration.textSearch.filter(({ metadataKey }) => !removed.has(metadataKey)),
      ...(input.add?.textSearchConfigurations ?? []),
    ];
    checkTextSearch(textSearch);
    await context.store.setTextSearch(index, textSearch);
    return { indexArn: indexArn(context, index.bucket, index.name) };
  },
  TagResource: (context, { resourceArn, tags }) => {
    authorizeOn(context, resourceArn);
    context.store.database.transaction(() => saveTags(context, resourceArn, tags));
    return {};
  },
  UntagResource: (context, { resourceArn: arn, tagKeys }) => {
    authorizeOn(context, arn);
    for (const name of tagKeys) context.store.database.remove('tags', { arn, name });
    return {};
  },
  ListTagsForResource: (context, { resourceArn }) => {
    authorizeOn(context, resourceArn);
    const rows = context.store.database.sql.all`SELECT name, value FROM tags WHERE arn = ${resourceArn}`;
    const tags = rows as readonly { readonly name: string; readonly value: string }[];
    return { tags: Object.fromEntries(tags.map(({ name, value }) => [name, value])) };
  },
};
