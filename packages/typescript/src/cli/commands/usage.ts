import type { Command } from '../command.ts';

export const usage: Command = {
  usage: 'usage [--daily | --credentials]',
  summary: 'shows the usage of this month, by day and index, or by credential',
  options: { daily: { type: 'boolean' }, credentials: { type: 'boolean' } },
  run: async (call) => {
    const client = call.client();
    if (call.options['daily'] === true) {
      for (const day of await client.get('/v1/organization/usage/daily'))
        call.print(day, `${day.date}  ${day.index_id}  ${day.vectors} vectors  ${day.searches} searches`);
    } else if (call.options['credentials'] === true) {
      for await (const used of client.pages('/v1/organization/usage/credentials')) {
        const cost = used.estimated_cost_usd.toFixed(2);
        call.print(used, `${used.credential_id}  ${cost.padStart(8)} USD  ${used.name ?? ''}`);
      }
    } else {
      const { searches, ...used } = await client.get('/v1/organization/usage');
      const rows = [
        ...Object.entries(used),
        ...Object.entries(searches).map(([mode, count]) => [`${mode}_searches`, count]),
      ];
      call.print(
        { ...used, searches },
        rows.map(([name, value]) => `${String(name).padEnd(24)}  ${String(value)}`).join('\n'),
      );
    }
  },
};
