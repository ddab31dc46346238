import type { z } from 'zod'
import { readsApprovals } from '@headwater/approvals/contract'
import type { Approvals } from '@headwater/approvals/server'
import { commonErrors } from '@headwater/contract'
import type { Principal, Router } from '@headwater/server-kit'
import {
  approvePipeline,
  callWebhook,
  continuePipeline,
  createPipeline,
  declinePipeline,
  deletePipeline,
  executePipeline,
  executeTask,
  exportPipeline,
  findPipelineByName,
  getPipeline,
  getPipelineByName,
  getPipelineSchedule,
  getRunLimits,
  getStoredValue,
  importPipeline,
  listGeneratedValues,
  listPipelineTags,
  listPipelineVersions,
  listPipelineVersionsByName,
  patchPipeline,
  repeatPipeline,
  resumePipeline,
  saveGeneratedValue,
  searchPipelines,
  setPipelineSchedule,
  setRunLimits,
  sharePipeline,
  stopPipeline,
  storeValue,
  updatePipeline,
  writesPipelines,
} from '../contract/index.ts'
import type { PipelinesService } from './pipelines-service.ts'
import type { RunsService } from './runs-service.ts'
import type { SharingService } from './sharing/share-pipeline.ts'
import type { TransferService } from './transfer-pipelines.ts'
import type { TriggersService } from './triggers/triggers-service.ts'

const jobHeader = 'x-kh-job-id'

/** Connects the routes of pipelines and runs to their services. */
export function registerPipelinesRoutes(
  router: Router,
  {
    pipelines,
    runs,
    triggers,
    approvals,
    transfer,
    sharing,
  }: {
    pipelines: PipelinesService
    runs: RunsService
    triggers: TriggersService
    approvals: Pick<Approvals, 'decideAsApprover' | 'decideByToken' | 'isApproverOfOther'>
    transfer: TransferService
    sharing: SharingService
  },
): void {
  router.add(searchPipelines, ({ query }, { principal }) => pipelines.search(principal, query))
  router.add(findPipelineByName, async ({ query }, { principal }) => ({
    pipeline: (await pipelines.findByName(principal, query)) ?? null,
  }))
  router.add(getPipelineByName, ({ query }, { principal }) => pipelines.getByName(principal, query))
  router.add(getPipeline, ({ params, query }, { principal }) =>
    pipelines.get(principal, params.pipelineId, query.version),
  )
  router.add(listPipelineVersions, ({ params, query }, { principal }) =>
    pipelines.listVersions(principal, params.pipelineId, query),
  )
  router.add(listPipelineVersionsByName, ({ query }, { principal }) =>
    pipelines.listVersionsByName(principal, query),
  )
  router.add(listPipelineTags, ({ query }, { principal }) => pipelines.listTags(principal, query))
  router.add(patchPipeline, async ({ params, body }, { principal }) => ({
    pipeline: await pipelines.patch(principal, params.pipelineId, body),
  }))
  router.add(exportPipeline, ({ params }, { principal }) =>
    transfer.exportPipeline(principal, params.pipelineId),
  )
  router.add(importPipeline, ({ body }, { principal }) => transfer.importPipeline(principal, body))
  router.add(sharePipeline, ({ body }, { principal }) => sharing.share(principal, body))
  router.add(createPipeline, ({ body }, { principal }) => pipelines.create(principal, body))
  router.add(updatePipeline, ({ params, body: { pipelineId: _same, ...input } }, { principal }) =>
    pipelines.update(principal, params.pipelineId, input),
  )
  router.add(deletePipeline, async ({ params }, { principal }) => {
    await pipelines.remove(principal, params.pipelineId)
    return {}
  })
  router.add(getPipelineSchedule, async ({ params }, { principal }) => ({
    schedulerTriggers: await triggers.list(principal, params.pipelineId),
  }))
  router.add(setPipelineSchedule, async ({ params, body }, { principal }) => ({
    schedulerTriggers: await triggers.set(principal, params.pipelineId, body.schedulerTriggers),
  }))
  router.add(callWebhook, async ({ params, body }, { request: { headers } }) => ({
    isNew: await triggers.receiveWebhook({
      secret: params.secret,
      body,
      contentType: headers['content-type'],
      idempotencyKey: oneOf(headers['idempotency-key']),
      timestamp: oneOf(headers['x-headwater-timestamp']),
      signature: oneOf(headers['x-headwater-signature']),
    }),
  }))
  router.add(executePipeline, async ({ params, body }, { principal, reply }) => {
    const { version, waitSeconds, valuesOfJobId, changedOnly, triggerValues, priority, ...part } = body
    const { item } = await pipelines.require(principal, { id: params.pipelineId }, 'R', version)
    const values = { valuesOfJobId, changedOnly, triggerValues }
    const jobId = await runs.startPart(principal, item, { part, priority, ...values })
    reply.header('X-KH-JOB-ID', jobId)
    if (waitSeconds === undefined) return { jobId }
    return { jobId, status: await runs.waitFor(jobId, waitSeconds) }
  })
  router.add(getRunLimits, ({ query }, { principal }) => runs.limits(principal, query))
  router.add(setRunLimits, ({ body }, { principal }) => runs.setLimits(principal, body))
  router.add(executeTask, async ({ body }, { principal, reply }) => {
    const jobId = await runs.startTask(principal, body)
    reply.header('X-KH-JOB-ID', jobId)
    return { jobId }
  })
  router.add(stopPipeline, async ({ body }, { principal }) => {
    await runs.stop(principal, body.jobId)
    return {}
  })
  router.add(continuePipeline, async ({ body }, { principal }) => {
    await runs.continue(principal, body.jobId)
    return {}
  })
  router.add(resumePipeline, async ({ body }, { principal }) => {
    await runs.resume(principal, body.jobId, body.changes)
    return {}
  })
  router.add(repeatPipeline, async ({ body: { jobId, ...repetition } }, { principal, reply }) => {
    const repeated = await runs.repeat(principal, jobId, repetition)
    reply.header('X-KH-JOB-ID', repeated)
    return { jobId: repeated }
  })
  router.add(approvePipeline, ({ body }, { principal }) => decideWith(principal, body, true))
  router.add(declinePipeline, ({ body }, { principal }) => decideWith(principal, body, false))
  router.add(listGeneratedValues, async ({ params, query }, { principal }) => ({
    items: await runs.listValues(principal, { pipelineId: params.pipelineId, jobId: query.jobId }),
  }))
  router.add(saveGeneratedValue, async ({ params, body: { jobId, name, value } }, { principal }) => {
    await runs.storeValue(
      principal,
      { pipelineId: params.pipelineId, jobId: jobId ?? undefined, key: name },
      value,
    )
    return {}
  })
  router.add(getStoredValue, ({ params: { pipelineId, key } }, { principal, request }) =>
    runs.value(principal, { pipelineId, jobId: headerOf(request.headers), key }),
  )
  router.add(storeValue, async ({ params: { pipelineId, key }, body }, { principal, request }) => {
    await runs.storeValue(principal, { pipelineId, jobId: headerOf(request.headers), key }, body)
    return {}
  })

  /** Decides with the token of an approver, as a signed-in approver, or as the user of the run. */
  async function decideWith(
    principal: Principal,
    { jobId, nodeId, token, approveTime }: z.output<(typeof approvePipeline)['body']>,
    isApproved: boolean,
  ): Promise<Record<string, never>> {
    const isApprover =
      token !== undefined || (await approvals.isApproverOfOther(principal, { jobId, nodeId }))
    const access = isApprover ? readsApprovals : writesPipelines
    if (!principal.can(access.resource, access.mode)) throw commonErrors.forbidden(access)
    if (!isApprover) await runs.decide(principal, jobId, { isApproved, nodeId, approveTime })
    else if (token === undefined)
      await approvals.decideAsApprover(principal, { jobId, nodeId }, { isApproved, approveTime })
    else await approvals.decideByToken(principal, { token, jobId }, { isApproved, approveTime })
    return {}
  }
}

function headerOf(headers: Readonly<Record<string, string | string[] | undefined>>): string | undefined {
  return oneOf(headers[jobHeader])
}

function oneOf(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}
