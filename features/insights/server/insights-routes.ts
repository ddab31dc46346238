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
import { changeInsightInfo } from './change-insight-info.ts'
import * as deletion from './delete-insight.ts'
import type { InsightStorage } from './insight-storage.ts'
import * as reading from './read-insights.ts'
import * as saving from './save-insight.ts'
import type { LogoService } from './logo-service.ts'
import { sendLogo } from './send-logo.ts'
import type { TemplatesService } from './templates-service.ts'
import type { StoredTilesService } from './stored-tiles-service.ts'
import { sendTileData } from '@headwater/tile-data/server'
import type { VersionsService } from './versions-service.ts'

/** Connects the routes of insights to their services. */
export function registerInsightsRoutes(
  router: Router,
  services: {
    storage: InsightStorage
    versions: VersionsService
    logos: LogoService
    templates: TemplatesService
    storedTiles: StoredTilesService
    log: Log
    clock: Clock
  },
): void {
  const { storage, versions, logos, templates, storedTiles } = services
  const { log, clock } = services
  router.add(searchInsights, ({ query }, { principal }) => reading.searchInsights(storage, principal, query))
  router.add(listInsightTags, ({ query }, { principal }) => reading.listTags(storage, principal, query))
  router.add(searchInsightsByBody, ({ body }, { principal }) =>
    reading.searchInsights(storage, principal, body),
  )
  router.add(getInsight, ({ params, query }, { principal }) =>
    reading.getInsight(storage, principal, params, query),
  )
  router.add(readInsight, ({ params }, { principal }) =>
    reading.getInsight(storage, principal, {
      groupName: params.groupName,
      insightName: params.fileName.replace(/\.json$/i, ''),
    }),
  )
  router.add(createInsight, ({ body }, { principal }) => saving.createInsight(storage, principal, body))
  router.add(updateInsight, ({ body }, { principal }) => saving.updateInsight(storage, principal, body))
  router.add(patchInsight, ({ body }, { principal }) => changeInsightInfo(storage, principal, body))
  router.add(deleteInsight, async ({ body }, { principal }) => {
    await deletion.deleteInsight(storage, principal, body)
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
