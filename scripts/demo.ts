import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { askQuestions, questionFrom } from './demo/ask-questions.ts';
import { indexFile } from './demo/index-file.ts';
import { createProgress } from './demo/progress.ts';
import { startReceiver, type Receiver } from './demo/receiver.ts';
import { reportJob, reportService } from './demo/report.ts';
import { startService, type Service } from './demo/service.ts';
import { renderOwnHandbook } from './handbook/main.ts';

const handbookQuestions = [
  'How does a webhook receiver verify a signature?',
  'What happens to a branch when its parent is deleted?',
  'How do I fuse dense and sparse results?',
];

const eventTypes = ['index.created', 'file.processing.started', 'file.processing.completed'] as const;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { ask: { type: 'string', multiple: true }, quick: { type: 'boolean', default: false } },
});

const chooseFile = async (): Promise<string> => {
  const [asked] = positionals;
  return asked === undefined ? (await renderOwnHandbook()).file : resolve(asked);
};

const registerReceiver = async (service: Service, receiver: Receiver): Promise<void> => {
  const Made = z.object({ secret: z.string() });
  const { secret } = await service.askAsOwner('POST', '/v1/organization/webhooks/endpoints', Made, {
    url: receiver.url,
  });
  receiver.trust(secret);
};

const chooseQuestions = async (service: Service, indexId: string): Promise<readonly string[]> => {
  if (values.ask !== undefined) return values.ask;
  return positionals.length === 0 ? handbookQuestions : [await questionFrom(service, indexId)];
};

const demonstrate = async (service: Service, receiver: Receiver, file: string): Promise<void> => {
  await registerReceiver(service, receiver);
  const { id: indexId } = await service.ask('POST', '/v1/indexes', z.object({ id: z.string() }), {
    name: basename(file),
  });
  await receiver.event('index.created');
  console.log(`\nIndexing ${basename(file)}`);
  const progress = createProgress();
  const detail = await indexFile(service, indexId, file, progress).finally(() => progress.stop());
  console.log('\nEvents received, their signatures verified');
  for (const type of eventTypes) console.log(`  ${type.padEnd(28)} ${(await receiver.event(type)).id}`);
  const questions = await chooseQuestions(service, indexId);
  console.log('\nAnswers');
  await askQuestions(service, indexId, questions);
  console.log('\nWhat it took');
  reportJob(detail);
  if (!values.quick) await reportService(service, indexId, questions);
};

const main = async (): Promise<void> => {
  const file = await chooseFile();
  const dataDirectory = await mkdtemp(join(tmpdir(), 'strata-demo-'));
  const receiver = await startReceiver();
  console.log('Starting the service');
  const service = await startService(dataDirectory, (phase) => console.log(`  ${phase}`));
  try {
    await demonstrate(service, receiver, file);
  } finally {
    await service.stop();
    receiver.close();
    await rm(dataDirectory, { recursive: true, force: true });
  }
};

try {
  await main();
  console.log('\nDone.');
} catch (error) {
  console.error(`\nThe demo failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
