import { fileURLToPath } from 'node:url'
import type { Database, Router } from '@headwater/server-kit'
import { registerSecretsRoutes } from './secrets-routes.ts'
import {
  createSecretsService,
  type SecretsService,
  type SecretsServiceDependencies,
} from './secrets-service.ts'
import { createSecretsStore } from './secrets-store.ts'

/** Folder of the SQL migrations of this feature. */
export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))

/** The secrets feature. */
export interface Secrets extends Pick<SecretsService, 'reveal'> {
  /** Adds the routes of secrets to a router. */
  registerRoutes(router: Router): void
}

/** Creates the feature. */
export function createSecrets({
  database,
  ...rest
}: Omit<SecretsServiceDependencies, 'store'> & { database: Database }): Secrets {
  const service = createSecretsService({ ...rest, store: createSecretsStore(database) })
  return {
    reveal: (principal, name, groupName, mode) => service.reveal(principal, name, groupName, mode),
    registerRoutes: (router) => registerSecretsRoutes(router, service),
  }
}
