import { type Principal, type Redaction, type Router, SecretFilter } from '@headwater/server-kit'
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
  router.add(sendStatus, async ({ body }, { principal, request: { headers } }) => {
    const header = headers['x-kh-e-id']
    const eId = body.eId ?? (typeof header === 'string' && header.length <= 200 ? header : undefined)
    const filter = new SecretFilter(tokenOf(headers.authorization))
    const hide = (text: string) => filter.hide(principal.run ? hideSecrets(principal.userId, text) : text)
    const status = withoutSecrets({ ...body, eId }, hide)
    return principal.testRun === undefined ? service.send(principal, status) : addToTestRun(principal, status)
  })
}

/** Adds a message to the output of a test run, which has no job. */
function addToTestRun(
  { testRun, run }: Principal,
  {
    status,
    message,
    eId,
  }: { status: string; message?: string | null | undefined; eId?: string | null | undefined },
) {
  testRun?.addMessage([status, message ?? ''].filter((text) => text !== '').join(': '))
  return { jobId: run?.runId ?? '', eId: eId ?? run?.eId ?? '' }
}

/**
 * Returns the caller's token for redaction, because scripts can include the headers of a failed call in a message that others
 * can read.
 */
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
