import { CronError, nextMoments } from '@headwater/cron'
import { formatUtcSeconds, type Clock, type Principal } from '@headwater/server-kit'
import { exporterOf, insightErrors, type ExportDetails, type StoredExport } from '../contract/index.ts'
import type { ExportStore } from './export-store.ts'
import type { InsightAccess, InsightNames } from './insight-access.ts'
import type { SharingStore } from './sharing-store.ts'

export type ExportService = ReturnType<typeof createExportService>

/** The rules of exports by e-mail: who may change an insight makes its exporter, which is kept for pipelines to run. */
export function createExportService({
  store,
  sharingStore,
  insightAccess,
  clock,
}: {
  store: ExportStore
  sharingStore: Pick<SharingStore, 'change' | 'hasFile' | 'takeId' | 'findId'>
  insightAccess: InsightAccess
  clock: Clock
}) {
  async function find(principal: Principal, names: InsightNames): Promise<StoredExport> {
    const { group } = await insightAccess.toEdit(principal, names)
    const insightId = await sharingStore.findId({ groupId: group.id, insightName: names.insightName })
    const found = insightId === undefined ? undefined : await store.find(insightId)
    if (found === undefined) return { pipeline: null, changedBy: null, changed: null }
    return {
      // The insight may have another name or group by now.
      pipeline: exporterOf({ groupName: group.name, fileName: `${names.insightName}.json` }, found.details),
      changedBy: found.changedBy,
      changed: formatUtcSeconds(found.changedAt),
    }
  }

  return {
    find,

    async save(principal: Principal, names: InsightNames, details: ExportDetails): Promise<StoredExport> {
      const { group } = await insightAccess.toEdit(principal, names)
      checkSchedule(details, clock.now())
      const pipeline = exporterOf({ groupName: group.name, fileName: `${names.insightName}.json` }, details)
      await sharingStore.change(
        async (executor) => {
          const place = { groupId: group.id, insightName: names.insightName }
          if (!(await sharingStore.hasFile(place, executor)))
            throw insightErrors.insightNotFound({ name: names.insightName, group: group.name })
          const insightId = await sharingStore.takeId(place, executor)
          const saved = { pipeline, details, changedBy: principal.userId, changedAt: clock.now() }
          await store.save(insightId, saved, executor)
        },
        [group.id],
      )
      return find(principal, names)
    },

    async execute(principal: Principal, names: InsightNames): Promise<never> {
      const { pipeline } = await find(principal, names)
      if (pipeline === null) throw insightErrors.noExporter({ name: names.insightName })
      throw insightErrors.pipelinesLater()
    },
  }
}

function checkSchedule({ cron, timeZone }: ExportDetails, now: Date): void {
  try {
    nextMoments({ expression: cron, timeZone }, now, 1)
  } catch (error) {
    if (!(error instanceof CronError)) throw error
    const refuse =
      error.part === 'timeZone' ? insightErrors.exportZoneUnknown : insightErrors.exportScheduleUnreadable
    throw refuse({ reason: error.message })
  }
}
