import { openFixtureCloud } from './fixture-cloud.ts';

// A process of its own for tests that kill one: serves the fixture below the directory it is given, and says where.
const cloud = await openFixtureCloud(process.argv[2] ?? '');
const { accessKeyId, secretAccessKey } = cloud.settings.read();
process.stdout.write(
  `${JSON.stringify({ baseUrl: cloud.baseUrl, endpoint: cloud.endpointUrl, credentials: { accessKeyId, secretAccessKey } })}\n`,
);
