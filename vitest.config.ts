import { defineConfig } from 'vitest/config'

process.env.TZ = 'UTC'

/** Two projects under one runner, so that one report covers everything; the browser starts when the rest is done. */
export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 180_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          include: [
            '{packages,kit,features,apps}/**/*.test.{ts,tsx}',
            '{scripts,tools,tests/acceptance}/**/*.test.{ts,mjs}',
          ],
          environment: 'node',
          // The engines inside the server are native and do not run in worker threads.
          pool: 'forks',
          globalSetup: ['tests/setup/postgres.ts'],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['tests/{browser,gallery}/**/*.test.ts'],
          environment: 'node',
          pool: 'forks',
          maxWorkers: 1,
          testTimeout: 90_000,
          // What a page shows after a click may take a while on a small machine that does other work.
          expect: { poll: { timeout: 15_000 } },
          globalSetup: ['tests/setup/postgres.ts', 'tests/setup/chromium.ts'],
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
