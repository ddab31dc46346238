import type { Router } from '@headwater/server-kit'
import {
  createDataPrep,
  deleteDataPrep,
  getDataPrep,
  getDataPrepByName,
  getPrepSchedule,
  listDataPrepVersions,
  listDataPrepVersionsByName,
  removePrepSchedule,
  runDataPrep,
  searchDataPreps,
  setPrepSchedule,
  stopDataPrepRun,
  updateDataPrep,
} from '../contract/index.ts'
import type { PrepsService } from './preps-service.ts'
import type { RunsService } from './runs-service.ts'
import type { SchedulesService } from './schedules-service.ts'

/** Registers the routes of data preps. */
export function registerPrepsRoutes(
  router: Router,
  { preps, runs, schedules }: { preps: PrepsService; runs: RunsService; schedules: SchedulesService },
): void {
  router.add(searchDataPreps, ({ query }, { principal }) => preps.search(principal, query))
  router.add(getDataPrepByName, ({ query }, { principal }) => {
    const { groupName, name, latest, version, ...view } = query
    return preps.get(principal, { groupName, name }, { ...view, version: latest ? undefined : version })
  })
  router.add(listDataPrepVersionsByName, ({ query: { groupName, name, ...page } }, { principal }) =>
    preps.listVersions(principal, { groupName, name }, page),
  )
  router.add(getDataPrep, ({ params, query }, { principal }) => preps.get(principal, params, query))
  router.add(listDataPrepVersions, ({ params, query }, { principal }) =>
    preps.listVersions(principal, params, query),
  )
  router.add(createDataPrep, ({ body }, { principal }) => preps.create(principal, body))
  router.add(updateDataPrep, ({ params, body }, { principal }) => preps.update(principal, params.id, body))
  router.add(deleteDataPrep, async ({ params }, { principal }) => {
    await preps.remove(principal, params.id)
    return {}
  })
  router.add(runDataPrep, async ({ params, query }, { principal, reply }) => {
    const jobId = await runs.start(principal, params.id, query.version)
    reply.header('X-KH-JOB-ID', jobId)
    return { jobId }
  })
  router.add(stopDataPrepRun, async ({ body }, { principal }) => {
    await runs.stop(principal, body.jobId)
    return {}
  })
  router.add(getPrepSchedule, async ({ params }, { principal }) => ({
    schedule: await schedules.get(principal, params.id),
  }))
  router.add(setPrepSchedule, async ({ params, body }, { principal }) => ({
    schedule: await schedules.set(principal, params.id, body),
  }))
  router.add(removePrepSchedule, async ({ params }, { principal }) => {
    await schedules.remove(principal, params.id)
    return {}
  })
}
