import type { Router } from '@headwater/server-kit'
import {
  createDataPrep,
  deleteDataPrep,
  getDataPrep,
  getDataPrepByName,
  listDataPrepVersions,
  listDataPrepVersionsByName,
  runDataPrep,
  searchDataPreps,
  updateDataPrep,
} from '../contract/index.ts'
import type { PrepsService } from './preps-service.ts'
import type { RunsService } from './runs-service.ts'

/** Connects the routes of data preps with their rules. */
export function registerPrepsRoutes(
  router: Router,
  { preps, runs }: { preps: PrepsService; runs: RunsService },
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
}
