import { fileURLToPath } from 'node:url'
import type { Database, Router } from '@headwater/server-kit'
import { registerDemoRoutes } from './demo-routes.ts'
import { createDemoService, type DemoDependencies, type DemoService } from './demo-service.ts'
import { createDemoStore } from './demo-store.ts'

/** Folder of the SQL migrations of this room. */
export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))

/** What the start of the server asks of the demo room. */
export interface Demo extends Pick<DemoService, 'ensureLoaded'> {
  registerRoutes(router: Router): void
}

/** Makes the demo room. */
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
