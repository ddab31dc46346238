import { type Router, SecretFilter } from '@headwater/server-kit'
import { listStatusMessages, searchStatuses, sendStatus } from '../contract/index.ts'
import type { StatusesService } from './statuses-service.ts'

/** Registers the routes of statuses. */
export function registerStatusesRoutes(router: Router, service: StatusesService): void {
  router.add(searchStatuses, ({ query }, { principal }) => service.search(principal, query))
  router.add(listStatusMessages, ({ params, query }, { principal }) =>
    service.listMessages(principal, { ...query, ...params }),
  )
  router.add(sendStatus, ({ body }, { principal, request: { headers } }) => {
    const header = headers['x-kh-e-id']
    const eId = body.eId ?? (typeof header === 'string' && header.length <= 200 ? header : undefined)
    return service.send(principal, withoutToken({ ...body, eId }, headers.authorization))
  })
}

/** Removes the caller's token: scripts can include the headers of a failed call in a message, and others can read it. */
function withoutToken<T extends Record<string, unknown>>(status: T, authorization: string | undefined): T {
  const token = /^\w+\s+(\S+)$/.exec(authorization ?? '')?.[1]
  if (token === undefined) return status
  const filter = new SecretFilter([{ secret: token, placeholder: '[token]' }])
  const entries = Object.entries(status).map(([name, value]) => [
    name,
    typeof value === 'string' ? filter.hide(value) : value,
  ])
  return Object.fromEntries(entries) as T
}
