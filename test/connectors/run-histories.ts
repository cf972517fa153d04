import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deleteConnector } from '../../functions/connectors/delete.ts';
import { assertSynced, connectionOf, indexed, runDue, syncAll } from './run-sync.ts';
import { calendarScenario, driveScenario, gmailScenario } from './google-scenarios.ts';
import { confluenceScenario } from './confluence-scenario.ts';
import { oneDriveScenario, sharePointScenario } from './microsoft-scenarios.ts';
import { apiScenario, carelessApiScenario, notionScenario, randomOf, slackScenario } from './scenarios.ts';
import { SyncFixture } from './sync-fixture.ts';

const seed = Number(process.env['SYNC_SEED'] ?? 1);
const rounds = Number(process.env['SYNC_ROUNDS'] ?? 1);
const changesPerRound = 5;

let fixture: SyncFixture;
before(async () => {
  fixture = await SyncFixture.open();
});
after(() => fixture.close());

const scenarios = {
  'custom API with texts': () => apiScenario(false),
  'custom API with files': () => apiScenario(true),
  'custom API by Link header': () => carelessApiScenario('link_header'),
  'custom API by page number': () => carelessApiScenario('page'),
  'custom API by offset': () => carelessApiScenario('offset'),
  Slack: () => slackScenario(),
  'Slack with files': () => slackScenario(true),
  Notion: () => notionScenario(),
  'Notion with files': () => notionScenario(true),
  'Google Drive': driveScenario,
  Gmail: gmailScenario,
  'Google Calendar': calendarScenario,
  SharePoint: sharePointScenario,
  OneDrive: oneDriveScenario,
  Confluence: confluenceScenario,
};

for (const [name, make] of Object.entries(scenarios)) {
  test(`${name}: after random changes of the source, the index has the same content`, async (context) => {
    const random = randomOf(seed);
    const scenario = make();
    await scenario.server.start();
    context.after(() => scenario.server.stop());
    for (let change = 0; change < 8; change += 1) scenario.change(random, fixture.clock.now());
    const id = await scenario.connect(fixture);
    for (let round = 1; round <= rounds; round += 1) {
      if (random(2) === 0) scenario.server.trouble.push(scenario.busy);
      if (random(3) === 0) scenario.server.trouble.push({ status: 503, body: {} });
      await syncAll(fixture, scenario, id);
      const { status, documents } = await connectionOf(fixture, id);
      assert.equal(status, 'active');
      await assertSynced(fixture, scenario, id, `${name}, seed ${seed}, round ${round}`);
      assert.equal(documents, Object.keys(scenario.content()).length);
      for (let change = 0; change < changesPerRound; change += 1) scenario.change(random, fixture.clock.now());
      if (random(2) === 0) await scenario.rescope(fixture, id, random);
      // A day later everything is read again, since no source reports all changes.
      fixture.cloud.advance(random(2) === 0 ? 3_600 : 25 * 3_600);
      await syncAll(fixture, scenario, id);
      fixture.cloud.advance(25 * 3_600);
    }
    await syncAll(fixture, scenario, id);
    await assertSynced(fixture, scenario, id, `${name}, seed ${seed}, the end`);
    const before = await fixture.startedJobs();
    fixture.cloud.advance(25 * 3_600);
    await syncAll(fixture, scenario, id);
    // Nothing has changed, so nothing is created again.
    assert.equal(await fixture.startedJobs(), before);
    await fixture.call(deleteConnector, { index_id: fixture.indexId, connection_id: id });
    await runDue(fixture, scenario);
    assert.deepEqual(await indexed(fixture, id), {});
    assert.deepEqual(await fixture.jobs(), []);
  });
}
