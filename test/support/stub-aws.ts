import { createServer, type RequestListener } from 'node:http';
import { after, before } from 'node:test';
import { listening } from './emulated-cloud.ts';

/** Answers in place of one AWS service while the tests of a file run. */
export const stubAws = (service: 'EVENTBRIDGE' | 'LAMBDA' | 'S3' | 'SSM' | 'STS', listener: RequestListener): void => {
  const server = createServer(listener);
  before(async () => {
    Object.assign(process.env, {
      [`AWS_ENDPOINT_URL_${service}`]: await listening(server),
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
    });
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
};
