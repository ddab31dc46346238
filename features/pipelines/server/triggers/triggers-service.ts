import { formatUtcSeconds, type Principal } from '@headwater/server-kit'
import type { PipelineTrigger, TriggerInput } from '../../contract/index.ts'
import { accessToPipelines } from '../pipeline-access.ts'
import { mailAddressOf, mailTokenOf } from './email/mail-address.ts'
import { registerFirings } from './fire-triggers.ts'
import { registerScheduledTriggers } from './scheduled-triggers.ts'
import { setTriggers, type NewSecrets } from './set-triggers.ts'
import type { StoredTrigger } from './trigger-definitions.ts'
import type { TriggersDependencies } from './triggers-dependencies.ts'
import { receiveWebhook, type WebhookCall } from './webhook.ts'

/** The triggers service. */
export type TriggersService = ReturnType<typeof createTriggersService>

/** Creates the triggers service and registers the handlers of events. */
export function createTriggersService(deps: TriggersDependencies) {
  registerScheduledTriggers(deps)
  registerFirings(deps)
  const access = accessToPipelines(deps)

  return {
    /** Returns the triggers of a pipeline that the caller can read. */
    async list(principal: Principal, pipelineId: string): Promise<PipelineTrigger[]> {
      const { item } = await access.require(principal, { id: pipelineId }, 'R')
      return toViews(deps, await deps.triggers.list(item.id), new Map())
    },

    /** Sets the triggers of a pipeline that the caller can change. */
    async set(
      principal: Principal,
      pipelineId: string,
      inputs: readonly TriggerInput[],
    ): Promise<PipelineTrigger[]> {
      const { item } = await access.require(principal, { id: pipelineId }, 'RW')
      const secrets = await setTriggers(deps, principal, item, inputs)
      return toViews(deps, await deps.triggers.list(item.id), secrets)
    },

    /** Stores the call of a webhook; returns false if an identical call is already stored. */
    receiveWebhook: (call: WebhookCall): Promise<boolean> => receiveWebhook(deps, call),
  }
}

async function toViews(
  deps: TriggersDependencies,
  triggers: readonly StoredTrigger[],
  secrets: NewSecrets,
): Promise<PipelineTrigger[]> {
  const groupIds = triggers.flatMap(({ type, definition }) => {
    if (type === 'FILEARRIVAL') return [definition.groupId]
    return type === 'EMAIL' && definition.attachmentsGroupId !== null ? [definition.attachmentsGroupId] : []
  })
  const groupNames = await deps.triggers.groupNames(groupIds)
  const views: PipelineTrigger[] = []
  for (const trigger of triggers) {
    const other =
      trigger.type === 'PIPELINE' ? await deps.store.find({ id: trigger.definition.pipelineId }) : undefined
    views.push(
      toView(trigger, {
        groupName: (id) => groupNames.get(id) ?? '(deleted group)',
        pipelineName: other?.name,
        secret: secrets.get(trigger.id),
        address: deps.mailIn && mailAddressOf(deps.mailIn.address, mailTokenOf(deps.signingSecret, trigger)),
      }),
    )
  }
  return views
}

function toView(
  trigger: StoredTrigger,
  names: {
    groupName: (id: number) => string
    pipelineName: string | undefined
    address: string | undefined
    secret: { path: string; signingKey: string } | undefined
  },
): PipelineTrigger {
  const { id, name, active, owner, setAt, lastRun, nextAt } = trigger
  const common = {
    id,
    name,
    active,
    becomeOwner: false,
    owner: owner.userName,
    setAt: formatUtcSeconds(setAt),
    nextRun: nextAt === undefined ? null : formatUtcSeconds(nextAt),
    lastRun: lastRun === undefined ? null : { at: formatUtcSeconds(lastRun.at), jobId: lastRun.jobId },
  }
  switch (trigger.type) {
    case 'CRON':
      return { type: trigger.type, ...common, ...trigger.definition }
    case 'SCHEDULER':
      return { type: trigger.type, ...common, ...trigger.definition }
    case 'FILEARRIVAL': {
      const { groupId, namePattern } = trigger.definition
      return { type: trigger.type, ...common, groupName: names.groupName(groupId), namePattern }
    }
    case 'PIPELINE':
      return {
        type: trigger.type,
        ...common,
        ...trigger.definition,
        pipelineName: names.pipelineName ?? null,
      }
    case 'RETRY':
      return { type: trigger.type, ...common, ...trigger.definition }
    case 'EMAIL': {
      const { attachmentsGroupId, ...definition } = trigger.definition
      const attachmentsGroupName = attachmentsGroupId === null ? null : names.groupName(attachmentsGroupId)
      return {
        type: trigger.type,
        ...common,
        ...definition,
        attachmentsGroupName,
        address: names.address ?? null,
      }
    }
    case 'None':
      return {
        type: trigger.type,
        ...common,
        ...trigger.definition,
        renewSecret: false,
        path: names.secret?.path ?? null,
        signingKey: (trigger.definition.signed && names.secret?.signingKey) || null,
      }
  }
}
