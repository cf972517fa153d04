import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deleteConnector } from '../../functions/connectors/delete.ts';
import { assertInStep, connectionOf, indexed, runDue, syncAll } from './drive.ts';
import { calendarScenario, driveScenario, gmailScenario } from './google-scenarios.ts';
import { apiScenario, carelessApiScenario, notionScenario, randomOf, slackScenario } from './scenarios.ts';
import { SourceWorld } from './sync-fixture.ts';

const seed = Number(process.env['SYNC_SEED'] ?? 1);
const rounds = Number(process.env['SYNC_ROUNDS'] ?? 1);
const changesPerRound = 5;

let world: SourceWorld;
before(async () => {
  world = await SourceWorld.open();
});
after(() => world.close());

const scenarios = {
  'custom API with texts': () => apiScenario(false),
  'custom API with files': () => apiScenario(true),
  'custom API by Link header': () => carelessApiScenario('link_header'),
  'custom API by page number': () => carelessApiScenario('page'),
  'custom API by offset': () => carelessApiScenario('offset'),
  Slack: slackScenario,
  Notion: notionScenario,
  'Google Drive': driveScenario,
  Gmail: gmailScenario,
  'Google Calendar': calendarScenario,
};

for (const [name, make] of Object.entries(scenarios)) {
  test(`${name}: whatever happens at the source, the index comes to hold the same`, async (context) => {
    const random = randomOf(seed);
    const scenario = make();
    await scenario.server.start();
    context.after(() => scenario.server.stop());
    for (let change = 0; change < 8; change += 1) scenario.change(random, world.clock.now());
    const id = await scenario.connect(world);
    for (let round = 1; round <= rounds; round += 1) {
      if (random(2) === 0) scenario.server.trouble.push(scenario.busy);
      if (random(3) === 0) scenario.server.trouble.push({ status: 503, body: {} });
      await syncAll(world, scenario, id);
      const { status, documents } = await connectionOf(world, id);
      assert.equal(status, 'active');
      await assertInStep(world, scenario, id, `${name}, seed ${seed}, round ${round}`);
      assert.equal(documents, Object.keys(scenario.content()).length);
      for (let change = 0; change < changesPerRound; change += 1) scenario.change(random, world.clock.now());
      if (random(2) === 0) await scenario.rescope(world, id, random);
      // A day, after which everything is read again: no source tells of all.
      world.cloud.advance(random(2) === 0 ? 3_600 : 25 * 3_600);
      await syncAll(world, scenario, id);
      world.cloud.advance(25 * 3_600);
    }
    await syncAll(world, scenario, id);
    await assertInStep(world, scenario, id, `${name}, seed ${seed}, the end`);
    const before = await world.startedJobs();
    world.cloud.advance(25 * 3_600);
    await syncAll(world, scenario, id);
    // Nothing has changed, so nothing is made anew.
    assert.equal(await world.startedJobs(), before);
    await world.call(deleteConnector, { index_id: world.indexId, connection_id: id });
    await runDue(world, scenario);
    assert.deepEqual(await indexed(world, id), {});
    assert.deepEqual(await world.jobs(), []);
  });
}
