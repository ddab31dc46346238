import type { Router } from '@headwater/server-kit'
import { searchStatuses, sendStatus } from '../contract/index.ts'
import type { StatusesService } from './statuses-service.ts'

/** Connects the routes of statuses with their rules. */
export function registerStatusesRoutes(router: Router, service: StatusesService): void {
  router.add(searchStatuses, ({ query }, { principal }) => service.search(principal, query))
  router.add(sendStatus, ({ body }, { principal, request }) => {
    const header = request.headers['x-kh-e-id']
    const { authorization } = request.headers
    return service.send(principal, {
      ...body,
      message: body.message && withoutToken(body.message, authorization),
      eId: body.eId ?? (typeof header === 'string' && header.length <= 200 ? header : undefined),
    })
  })
}

/** Scripts tell what went wrong with a call, headers and all; others who read that are not to have their token. */
function withoutToken(message: string, authorization: string | undefined): string {
  const token = /^\w+\s+(\S+)$/.exec(authorization ?? '')?.[1]
  return token === undefined ? message : message.replaceAll(token, '[token]')
}
