import { Readable } from 'node:stream'
import type { PipelineDetails } from '@headwater/pipelines/contract'
import { type Clock, type Log, type Principal, type Router } from '@headwater/server-kit'
import {
  assignInsightRoles,
  createInsight,
  createInsightTemplate,
  deleteInsight,
  findInsightExporter,
  getInsight,
  getInsightLogo,
  getInsightTemplate,
  getInsightVersion,
  getTileData,
  listInsightTags,
  listInsightVersions,
  listShared,
  lookUpTemplateName,
  patchInsight,
  putInsightLogo,
  readInsight,
  restoreInsightVersion,
  searchInsights,
  searchInsightsByBody,
  searchInsightTemplates,
  shareInsight,
  unshareInsight,
  updateInsight,
} from '../contract/index.ts'
import type { InsightsService } from './insights-service.ts'
import type { LogoService } from './logo-service.ts'
import { sendLogo } from './send-logo.ts'
import type { SharingService } from './sharing-service.ts'
import type { TemplatesService } from './templates-service.ts'
import type { StoredTilesService } from './stored-tiles-service.ts'
import { sendTileData } from '@headwater/tiles/server'
import type { VersionsService } from './versions-service.ts'

/** Connects the routes of insights with their rules. */
export function registerInsightsRoutes(
  router: Router,
  services: {
    insights: InsightsService
    versions: VersionsService
    logos: LogoService
    sharing: SharingService
    templates: TemplatesService
    storedTiles: StoredTilesService
    /** The pipeline that sends an insight by e-mail. */
    findExporter: (principal: Principal, id: string) => Promise<PipelineDetails | undefined>
    log: Log
    clock: Clock
  },
): void {
  const { insights, versions, logos, sharing, templates, storedTiles } = services
  const { findExporter, log, clock } = services
  router.add(searchInsights, ({ query }, { principal }) => insights.search(principal, query))
  router.add(listInsightTags, ({ query }, { principal }) => insights.listTags(principal, query))
  router.add(searchInsightsByBody, ({ body }, { principal }) => insights.search(principal, body))
  router.add(getInsight, ({ params, query }, { principal }) => insights.get(principal, params, query))
  router.add(readInsight, ({ params }, { principal }) =>
    insights.get(principal, {
      groupName: params.groupName,
      insightName: params.fileName.replace(/\.json$/i, ''),
    }),
  )
  router.add(createInsight, ({ body }, { principal }) => insights.create(principal, body))
  router.add(updateInsight, ({ body }, { principal }) => insights.update(principal, body))
  router.add(patchInsight, ({ body }, { principal }) => insights.patch(principal, body))
  router.add(deleteInsight, async ({ body }, { principal }) => {
    await insights.remove(principal, body)
    return {}
  })

  router.add(getTileData, async ({ params: { id }, body: { version, tiles, ...choices } }, context) => {
    const open = await storedTiles.open(context.principal, { id, version }, choices)
    return sendTileData(context, tiles, { open, path: getTileData.path, log, clock })
  })

  router.add(listInsightVersions, ({ params, query }, { principal }) =>
    versions.list(principal, params, query),
  )
  router.add(getInsightVersion, ({ params: { version, ...names } }, { principal }) =>
    versions.get(principal, names, version),
  )
  router.add(restoreInsightVersion, ({ params: { version, ...names }, body }, { principal }) =>
    versions.restore(principal, names, { version, ...body }),
  )

  router.add(getInsightLogo, async ({ params }, context) =>
    sendLogo(context, await logos.get(context.principal, params)),
  )
  router.add(putInsightLogo, ({ params }, { principal, request }) =>
    logos.put(principal, params, request.body instanceof Readable ? request.body : Readable.from([])),
  )

  router.add(shareInsight, ({ body }, { principal }) => sharing.share(principal, body))
  router.add(unshareInsight, ({ body }, { principal }) => sharing.unshare(principal, body))
  router.add(listShared, ({ query }, { principal }) =>
    sharing.list(principal, { groupName: query.groupName, insightName: query.name }),
  )
  router.add(assignInsightRoles, ({ body }, { principal }) => sharing.assignRoles(principal, body))

  router.add(findInsightExporter, async ({ params }, { principal }) => ({
    pipeline: (await findExporter(principal, params.id)) ?? null,
  }))

  router.add(searchInsightTemplates, ({ query }, { principal }) => templates.search(principal, query))
  router.add(lookUpTemplateName, ({ query }, { principal }) => templates.lookUpName(principal, query))
  router.add(getInsightTemplate, ({ params }, { principal }) => templates.get(principal, params))
  router.add(createInsightTemplate, ({ body }, { principal }) => templates.create(principal, body))
}
