import type { Router } from '@headwater/server-kit'
import { deleteSecret, listSecrets, putSecret, rotateSecretKey } from '../contract/index.ts'
import type { SecretsService } from './secrets-service.ts'

/** Connects the routes of secrets to their service. */
export function registerSecretsRoutes(router: Router, service: SecretsService): void {
  router.add(listSecrets, ({ query }, { principal }) => service.list(principal, query))
  router.add(putSecret, ({ params, body }, { principal }) => service.put(principal, params.name, body))
  router.add(deleteSecret, async ({ params, query }, { principal }) => {
    await service.remove(principal, params.name, query.groupName)
    return {}
  })
  router.add(rotateSecretKey, async () => ({ count: await service.rotate() }))
}
