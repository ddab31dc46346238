import { Readable } from 'node:stream'
import { type Clock, type Log, type Router } from '@headwater/server-kit'
import {
  createInsight,
  createInsightTemplate,
  deleteInsight,
  getInsight,
  getInsightLogo,
  getInsightTemplate,
  getInsightVersion,
  getTileData,
  listInsightTags,
  listInsightVersions,
  lookUpTemplateName,
  patchInsight,
  putInsightLogo,
  readInsight,
  restoreInsightVersion,
  searchInsights,
  searchInsightsByBody,
  searchInsightTemplates,
  updateInsight,
} from '../contract/index.ts'
import type { InsightsService } from './insights-service.ts'
import type { LogoService } from './logo-service.ts'
import { sendLogo } from './send-logo.ts'
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
    templates: TemplatesService
    storedTiles: StoredTilesService
    log: Log
    clock: Clock
  },
): void {
  const { insights, versions, logos, templates, storedTiles } = services
  const { log, clock } = services
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

  router.add(searchInsightTemplates, ({ query }, { principal }) => templates.search(principal, query))
  router.add(lookUpTemplateName, ({ query }, { principal }) => templates.lookUpName(principal, query))
  router.add(getInsightTemplate, ({ params }, { principal }) => templates.get(principal, params))
  router.add(createInsightTemplate, ({ body }, { principal }) => templates.create(principal, body))
}
