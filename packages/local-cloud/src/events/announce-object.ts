import type { ObjectCreated } from '../object-store/contracts.ts';
import type { QueueStore } from '../queues/queue-types.ts';

/** Notification configuration of a bucket: the queue that gets a message for each new object. */
export interface ObjectNotification {
  readonly bucket: string;
  readonly queueArn: string;
  /** `s3:ObjectCreated:*` or one of its kinds. */
  readonly event: string;
  readonly prefix: string;
  readonly suffix: string;
}

/** Whether a notification covers this object. */
const wantsObject = (notification: ObjectNotification, created: ObjectCreated): boolean =>
  notification.bucket === created.bucket &&
  (notification.event === 's3:ObjectCreated:*' || notification.event === `s3:${created.eventName}`) &&
  created.key.startsWith(notification.prefix) &&
  created.key.endsWith(notification.suffix);

/** Form-encodes a key, as in S3's messages: a space becomes a plus, a slash stays. */
const encodeKey = (key: string): string => new URLSearchParams([['', key]]).toString().slice(1).replaceAll('%2F', '/');

/**
 * Builds the message that a bucket sends to a queue.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/notification-content-structure.html
 */
const objectCreatedMessage = (created: ObjectCreated, accountId: string): string =>
  JSON.stringify({
    Records: [
      {
        eventVersion: '2.1',
        eventSource: 'aws:s3',
        awsRegion: created.region,
        eventTime: created.eventTime,
        eventName: created.eventName,
        userIdentity: { principalId: created.principalId },
        requestParameters: { sourceIPAddress: created.sourceIpAddress },
        responseElements: { 'x-amz-request-id': created.requestId, 'x-amz-id-2': created.requestId },
        s3: {
          s3SchemaVersion: '1.0',
          configurationId: 'local',
          bucket: {
            name: created.bucket,
            ownerIdentity: { principalId: accountId },
            arn: `arn:aws:s3:::${created.bucket}`,
          },
          object: {
            key: encodeKey(created.key),
            size: created.size,
            eTag: created.eTag,
            sequencer: created.versionSequencer,
          },
        },
      },
    ],
  });

/** Sends a message about each new object to the queues of its bucket's notifications. Rejects if a queue cannot store it. */
export const announceObjects =
  (options: {
    readonly notifications: readonly ObjectNotification[];
    readonly store: QueueStore;
    readonly accountId: string;
  }) =>
  (created: ObjectCreated): Promise<void> => {
    for (const notification of options.notifications) {
      const queue = options.store.definitions.find(({ arn }) => arn === notification.queueArn);
      if (queue !== undefined && wantsObject(notification, created)) {
        options.store.send(queue, { body: objectCreatedMessage(created, options.accountId) });
      }
    }
    return Promise.resolve();
  };
