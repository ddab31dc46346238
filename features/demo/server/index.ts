import { fileURLToPath } from 'node:url'
import type { Database, Router } from '@headwater/server-kit'
import { registerDemoRoutes } from './demo-routes.ts'
import { createDemoService, type DemoDependencies, type DemoService } from './demo-service.ts'
import { createDemoStore } from './demo-store.ts'

/** Folder of the SQL migrations of this feature. */
export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))

/** The demo feature. */
export interface Demo extends Pick<DemoService, 'ensureLoaded'> {
  /** Registers the routes of the feature. */
  registerRoutes(router: Router): void
}

/** Creates the demo feature. */
export function createDemo({
  database,
  ...rest
}: Omit<DemoDependencies, 'store'> & { database: Database }): Demo {
  const service = createDemoService({ ...rest, store: createDemoStore(database) })
  return {
    ensureLoaded: (connect) => service.ensureLoaded(connect),
    registerRoutes: (router) => registerDemoRoutes(router, service),
  }
}
