import { type Redaction, type Router, SecretFilter } from '@headwater/server-kit'
import { listStatusMessages, searchStatuses, sendStatus } from '../contract/index.ts'
import type { StatusesService } from './statuses-service.ts'

/** Registers the routes of statuses. */
export function registerStatusesRoutes(
  router: Router,
  service: StatusesService,
  hideSecrets: (userId: number, text: string) => string,
): void {
  router.add(searchStatuses, ({ query }, { principal }) => service.search(principal, query))
  router.add(listStatusMessages, ({ params, query }, { principal }) =>
    service.listMessages(principal, { ...query, ...params }),
  )
  router.add(sendStatus, ({ body }, { principal, request: { headers } }) => {
    const header = headers['x-kh-e-id']
    const eId = body.eId ?? (typeof header === 'string' && header.length <= 200 ? header : undefined)
    const filter = new SecretFilter(tokenOf(headers.authorization))
    const hide = (text: string) => filter.hide(principal.run ? hideSecrets(principal.userId, text) : text)
    return service.send(principal, withoutSecrets({ ...body, eId }, hide))
  })
}

/** Returns the caller's token: scripts can include the headers of a failed call in a message, and others can read it. */
function tokenOf(authorization: string | undefined): Redaction[] {
  const token = /^\w+\s+(\S+)$/.exec(authorization ?? '')?.[1]
  return token === undefined ? [] : [{ secret: token, placeholder: '[token]' }]
}

function withoutSecrets<T extends Record<string, unknown>>(status: T, hide: (text: string) => string): T {
  const entries = Object.entries(status).map(([name, value]) => [
    name,
    typeof value === 'string' ? hide(value) : value,
  ])
  return Object.fromEntries(entries) as T
}
