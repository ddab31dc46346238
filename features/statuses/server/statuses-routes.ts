import type { Router } from '@headwater/server-kit'
import { searchStatuses, sendStatus } from '../contract/index.ts'
import type { StatusesService } from './statuses-service.ts'

/** Connects the routes of statuses with their rules. */
export function registerStatusesRoutes(router: Router, service: StatusesService): void {
  router.add(searchStatuses, ({ query }, { principal }) => service.search(principal, query))
  router.add(sendStatus, ({ body }, { principal, request }) => {
    const header = request.headers['x-kh-e-id']
    return service.send(principal, {
      ...body,
      eId: body.eId ?? (typeof header === 'string' && header.length <= 200 ? header : undefined),
    })
  })
}
