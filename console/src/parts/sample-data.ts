import type { ChosenFile } from './uploads.ts';

/** Texts about a harbour that does not exist, as files to try searches with. */
const texts: Readonly<Record<string, string>> = {
  'harbour-rules.md': `# Rules of the harbour

## Mooring

Boats up to twelve metres use the inner basin. Longer boats wait at the buoys until the pilot assigns a berth. A berth is kept for one hour after the announced time.

## Tides

The lock opens two hours before high water and closes two hours after it. Between these times the basin is closed, because the sill lies only one metre below the chart datum.

## Fees

A night costs 2 euros for each metre. The fee includes water, electricity up to 6 kWh and the use of the showers.
`,
  'lighthouse.md': `# The lighthouse

The lighthouse was built in 1871 of grey granite from the quarry of Saint Brice. It is 38 metres high. Its light is seen from 21 nautical miles, and flashes three times in fifteen seconds.

## Keepers

The last keeper, Ada Lindqvist, left in 1986, when the lamp became automatic. She fed the gulls every morning and kept a diary of the weather, which the museum shows.
`,
  'crane-manual.md': `# Manual of the quay crane

## Limits

The crane lifts 12 tonnes at a reach of 8 metres, and 4 tonnes at 20 metres. Work stops at winds above 15 metres per second.

## Inspection

The rope is inspected every week. A rope with more than six broken wires in one lay is replaced at once. The brake is tested each morning with an empty hook.
`,
  'ferry-timetable.csv': `route,departs,arrives,days
Harbour to Saint Brice,06:40,07:25,weekdays
Harbour to Saint Brice,09:10,09:55,daily
Harbour to Gull Island,10:30,11:50,daily in summer
Saint Brice to Harbour,17:45,18:30,daily
Gull Island to Harbour,19:00,20:20,daily in summer
`,
  'incidents.md': `# Incidents of the year

- In March a barge touched the sill of the lock at low water. Nobody was hurt, and the rudder was repaired within a week.
- In July the shore power failed for five hours, because a fuse of the inner basin was too small. It was replaced by one of 32 amperes.
- In October the pilot boat rescued two sailors whose yacht had lost its mast north of Gull Island.
`,
};

/** Returns the files. */
export const sampleFiles = (): readonly ChosenFile[] =>
  Object.entries(texts).map(([name, text]) => ({
    name,
    file: new File([text], name, { type: name.endsWith('.csv') ? 'text/csv' : 'text/markdown' }),
  }));
