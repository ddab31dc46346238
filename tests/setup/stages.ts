/** Unit tests without a server, a database, an engine or a browser. */
export const pureFiles = [
  'packages/{charts,cron,csv,formula,ncsv,zones}/**/*.test.ts',
  'kit/{contract,web}/**/*.test.{ts,tsx}',
  'features/*/{contract,core,web}/**/*.test.{ts,tsx}',
]

/** Everything that runs in Node; the configuration excludes pure and alone files. */
export const serverFiles = [
  '{packages,kit,features,apps}/**/*.test.{ts,tsx}',
  '{scripts,tools,tests/acceptance,tests/security,tests/setup}/**/*.test.{ts,mjs}',
]

/** Tests that drive Chromium. */
export const browserFiles = ['tests/{browser,gallery}/**/*.test.ts']

/** Campaigns: kills, crashes, damage, random queries and attacks. `npm test` runs a few of each, `npm run test:long` all of them. */
export const campaignFiles = [
  'tests/acceptance/{kill,trash-kill,upload-kill,data-prep-kill,database-kill,pipeline-kill,trigger-kill,worker-kill,random-requests}.test.ts',
  'features/schedules/server/schedules-kill.test.ts',
  'features/runs/server/{simulation,end-in-batches,stop-races}.test.ts',
  'packages/timeseries/test/{engine-crash,engine-damage,random-queries,server-queries}.test.ts',
  'tests/security/{hostile-requests,injected-text}.test.ts',
  'tests/browser/large-lists.test.ts',
]

/** Tests that kill or starve processes, or measure memory and processor time. They run last. */
export const aloneFiles = [
  'tests/acceptance/*kill.test.ts',
  'features/schedules/server/schedules-kill.test.ts',
  'packages/timeseries/test/engine-{crash,damage}.test.ts',
  'packages/sandbox/src/{program-run,sandbox}.test.ts',
  'kit/server/src/postgres/start-postgres.test.ts',
]
