import { Readable } from 'node:stream'
import { abortedByClose, type Router } from '@headwater/server-kit'
import { downloadLog, getLog, listLogComponents } from '../contract/index.ts'
import type { LogsService } from './logs-service.ts'

/** Registers the routes of logs. */
export function registerLogsRoutes(router: Router, service: LogsService): void {
  router.add(getLog, ({ params, query }, { principal, reply }) =>
    service.read(principal, { ...query, ...params }, abortedByClose(reply.raw).signal),
  )
  router.add(listLogComponents, async ({ params }, { principal }) => ({
    items: await service.components(principal, params.jobId),
  }))
  router.add(downloadLog, async ({ params, query }, { principal, reply }) => {
    const pieces = await service.download(principal, { ...query, ...params })
    return reply
      .type('text/plain; charset=utf-8')
      .header('Content-Disposition', `attachment; filename="log-${params.jobId.trim().toLowerCase()}.txt"`)
      .send(Readable.from(pieces, { objectMode: false }))
  })
}
