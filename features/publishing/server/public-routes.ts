import type { Clock, Log, Router } from '@headwater/server-kit'
import {
  createPublicLink,
  endPublicLink,
  endPublicView,
  getPublicFile,
  getPublicFileVersion,
  getPublicInsight,
  getPublicLogo,
  getPublicStatus,
  getPublicTileData,
  listPublicLinks,
  listPublicValues,
  listPublicViews,
  listVisitors,
  submitPublicAccess,
  updatePublicStatus,
  validatePublicAccess,
} from '../contract/index.ts'
import { sendLogo } from '@headwater/insights/server'
import { sendTileData } from '@headwater/tile-data/server'
import type { PublicDependencies } from './public-view.ts'
import * as links from './public-links.ts'
import * as publications from './publications.ts'
import * as visits from './visits.ts'
import type { VisitorLimit } from './visitor-limit.ts'

/**
 * Connects the routes of public views to their services. Each request and each tile of a visitor counts towards the
 * limit of the address.
 */
export function registerPublicRoutes(
  router: Router,
  deps: PublicDependencies,
  { requests, forms, log, clock }: { requests: VisitorLimit; forms: VisitorLimit; log: Log; clock: Clock },
): void {
  router.add(getPublicStatus, ({ query }, { principal }) =>
    publications.getPublicStatus(deps, principal, query),
  )
  router.add(updatePublicStatus, ({ body }, { principal }) =>
    publications.updatePublicStatus(deps, principal, body),
  )
  router.add(createPublicLink, ({ body }, { principal }) => links.createPublicLink(deps, principal, body))
  router.add(listPublicLinks, ({ query }, { principal }) => links.listPublicLinks(deps, principal, query))
  router.add(endPublicLink, async ({ query }, { principal }) => {
    await links.endPublicLink(deps, principal, query)
    return {}
  })
  router.add(listVisitors, ({ query }, { principal }) => links.listVisitors(deps, principal, query))

  router.add(listPublicViews, ({ query }, { principal }) =>
    publications.listPublicViews(deps, principal, query.groupName),
  )
  router.add(endPublicView, async ({ query }, { principal }) => {
    await publications.endPublicView(deps, principal, query)
    return {}
  })

  router.add(getPublicInsight, ({ params, query }, { request }) => {
    requests.take(request.ip)
    return visits.getVisitedInsight(deps, { ...params, ...query })
  })
  router.add(getPublicTileData, async ({ params, query, body }, context) => {
    const { request } = context
    const { tiles, ...choices } = body
    requests.take(request.ip, tiles.length)
    const open = await visits.openVisitedTiles(deps, { ...params, ...query }, choices, request.ip)
    return sendTileData(context, tiles, { open, path: getPublicTileData.path, log, clock })
  })
  router.add(getPublicFile, async ({ params, query: { link, token, ...file } }, { request, reply }) => {
    requests.take(request.ip)
    const content = await visits.readVisitedFile(deps, { ...params, link, token }, file)
    reply.headers({
      'Content-Type': 'application/octet-stream',
      'Content-Disposition': 'attachment',
      'Content-Length': content.file.sizeBytes,
    })
    return reply.send(content.stream)
  })
  router.add(getPublicFileVersion, ({ params, query: { link, token, ...file } }, { request }) => {
    requests.take(request.ip)
    return visits.getVisitedFileVersion(deps, { ...params, link, token }, file)
  })
  router.add(listPublicValues, ({ params, query, body }, { request }) => {
    requests.take(request.ip)
    return visits.listVisitedValues(deps, { ...params, ...query }, body)
  })
  router.add(getPublicLogo, async ({ params }, context) => {
    requests.take(context.request.ip)
    return sendLogo(context, await visits.readVisitedLogo(deps, params))
  })
  router.add(validatePublicAccess, ({ body }, { request }) => {
    requests.take(request.ip)
    return visits.validateVisitToken(deps, body)
  })
  router.add(submitPublicAccess, ({ body }, { request }) => {
    forms.take(request.ip)
    return visits.submitVisitorForm(deps, body)
  })
}
