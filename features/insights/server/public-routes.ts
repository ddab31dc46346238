import { Readable } from 'node:stream'
import { abortedByClose, type RouteContext, type Router } from '@headwater/server-kit'
import { totalRowsHeader } from '@headwater/symbols/contract'
import {
  createPublicLink,
  endPublicLink,
  endPublicView,
  getPublicData,
  getPublicDataPrep,
  getPublicFile,
  getPublicFileVersion,
  getPublicInsight,
  getPublicLogo,
  getPublicStatus,
  listPublicLinks,
  listPublicValues,
  listPublicViews,
  listVisitors,
  submitPublicAccess,
  updatePublicStatus,
  validatePublicAccess,
} from '../contract/index.ts'
import { sendLogo } from './send-logo.ts'
import type { PublicService } from './public-service.ts'
import type { VisitorLimit } from './visitor-limit.ts'

/** Connects the routes of public views with their rules. Each request of a visitor counts against its address. */
export function registerPublicRoutes(
  router: Router,
  service: PublicService,
  limits: { requests: VisitorLimit; forms: VisitorLimit },
): void {
  const { requests, forms } = limits
  router.add(getPublicStatus, ({ query }, { principal }) => service.status(principal, query))
  router.add(updatePublicStatus, ({ body }, { principal }) => service.updateStatus(principal, body))
  router.add(createPublicLink, ({ body }, { principal }) => service.link(principal, body))
  router.add(listPublicLinks, ({ query }, { principal }) => service.links(principal, query))
  router.add(endPublicLink, async ({ query }, { principal }) => {
    await service.endLink(principal, query)
    return {}
  })
  router.add(listVisitors, ({ query }, { principal }) => service.visitors(principal, query))

  router.add(listPublicViews, ({ query }, { principal }) => service.views(principal, query.groupName))
  router.add(endPublicView, async ({ query }, { principal }) => {
    await service.endView(principal, query)
    return {}
  })

  router.add(getPublicInsight, ({ params, query }, { request }) => {
    requests.take(request.ip)
    return service.view({ ...params, ...query })
  })
  router.add(getPublicData, async ({ params, query: { link, token, ...parameters }, body }, context) => {
    requests.take(context.request.ip)
    return sendAnswer(context, (signal) =>
      service.data({ ...params, link, token }, body, { parameters, address: context.request.ip, signal }),
    )
  })
  router.add(getPublicFile, async ({ params, query: { link, token, ...asked } }, { request, reply }) => {
    requests.take(request.ip)
    const { file, stream } = await service.file({ ...params, link, token }, asked)
    reply.headers({
      'Content-Type': 'application/octet-stream',
      'Content-Disposition': 'attachment',
      'Content-Length': file.sizeBytes,
    })
    return reply.send(stream)
  })
  router.add(getPublicFileVersion, ({ params, query: { link, token, ...asked } }, { request }) => {
    requests.take(request.ip)
    return service.fileVersion({ ...params, link, token }, asked)
  })
  router.add(getPublicDataPrep, ({ params, query: { link, token, ...asked } }, { request }) => {
    requests.take(request.ip)
    return service.dataPrep({ ...params, link, token }, asked)
  })
  router.add(listPublicValues, ({ params, query, body }, { request }) => {
    requests.take(request.ip)
    return service.values({ ...params, ...query }, body)
  })
  router.add(getPublicLogo, async ({ params }, context) => {
    requests.take(context.request.ip)
    return sendLogo(context, await service.logo(params))
  })
  router.add(validatePublicAccess, ({ body }, { request }) => {
    requests.take(request.ip)
    return service.validate(body)
  })
  router.add(submitPublicAccess, ({ body }, { request }) => {
    forms.take(request.ip)
    return service.submit(body)
  })
}

/** Writes an answer as it is read; a visitor who goes away ends the work on it. */
async function sendAnswer(
  { reply }: Pick<RouteContext, 'reply'>,
  ask: (signal: AbortSignal) => ReturnType<PublicService['data']>,
): Promise<unknown> {
  const { signal } = abortedByClose(reply.raw)
  try {
    const answer = await ask(signal)
    if (answer.totalRows !== undefined) reply.header(totalRowsHeader, String(answer.totalRows))
    return await reply
      .type(answer.contentType)
      .send(Readable.from(untilAborted(answer.stream, signal), { objectMode: false }))
  } catch (error) {
    if (!signal.aborted) throw error
    return reply.hijack()
  }
}

async function* untilAborted(
  stream: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  try {
    yield* stream
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
