import { sharingErrors } from '@headwater/accounts/contract'
import { findRecipients, type Recipient } from '@headwater/accounts/server'
import { commonErrors, invalidInput } from '@headwater/contract'
import type { GroupAccessMode } from '@headwater/groups/contract'
import { hasShareRole, type AccessibleGroup, type Groups } from '@headwater/groups/server'
import type { JobQueue } from '@headwater/jobs'
import { unlessRefused, type Mailer, type Principal } from '@headwater/server-kit'
import { pathOf, pipelineErrors, type PipelineSharing, type PipelineTrigger } from '../../contract/index.ts'
import { accessToPipelines } from '../pipeline-access.ts'
import type { PipelinesServiceDependencies } from '../pipelines-dependencies.ts'
import { groupsOfPipeline, type GroupsOfPipelineDependencies } from './groups-of-pipeline.ts'
import { shareMail } from './share-mail.ts'

/** Kind of job that sends the e-mails about shares. */
const mailJob = 'pipeline-share-mail'

/** Dependencies of shares. */
export interface SharingDependencies
  extends
    Pick<PipelinesServiceDependencies, 'store' | 'groups'>,
    Omit<GroupsOfPipelineDependencies, 'store' | 'groups'> {
  /** Stores grants. */
  grants: Groups['grants']
  /** Returns a user by e-mail address. */
  findUser: (email: string) => Promise<{ userId: number; status: string } | undefined>
  /** Whether sharing is switched on. */
  sharingEnabled: boolean
  /** Lists the triggers of a pipeline. */
  listTriggers: (principal: Principal, pipelineId: string) => Promise<PipelineTrigger[]>
  /** Sends the e-mails, with retries. */
  queue: JobQueue
  /** Sends an e-mail. */
  mailer: Mailer
  /** URL of the installation, for links; if undefined, e-mails contain only the path. */
  publicUrl: string | undefined
}

/** A request to share a pipeline. */
export interface PipelineShare {
  pipelineId: string
  url: string
  message: string
  emails: readonly string[]
  /** Groups that the preview listed. No other group is shared. Default: any. */
  groupNames?: readonly string[] | undefined
  /** Whether to return only a preview. */
  dryRun: boolean
}

/** The service that shares pipelines. */
export type SharingService = ReturnType<typeof createSharingService>

/** Creates the service and registers the job that sends its e-mails. */
export function createSharingService(deps: SharingDependencies) {
  deps.queue.handle<Parameters<typeof shareMail>[0]>(mailJob, {
    run: ({ payload }) => deps.mailer.send(shareMail(payload)),
  })
  return {
    share: (principal: Principal, request: PipelineShare): Promise<PipelineSharing> =>
      sharePipeline(deps, principal, request),
  }
}

/**
 * Grants users read access to the groups of a pipeline that the caller can share, and e-mails them. Users who already have more
 * access keep it. The grants are direct shares of the groups, so group owners can see and revoke them.
 * @throws sharingOff, pipelineNotFound, pipelineInvalid, groupsChanged, groupForbidden, usersNotFound, usersNotActivated
 */
async function sharePipeline(
  deps: SharingDependencies,
  principal: Principal,
  { pipelineId, url, message, emails, groupNames: previewed, dryRun }: PipelineShare,
): Promise<PipelineSharing> {
  if (!deps.sharingEnabled) throw sharingErrors.sharingOff()
  if (!hasShareRole(principal)) throw commonErrors.forbidden({ what: 'share groups' })
  const { item } = await accessToPipelines(deps).require(principal, { id: pipelineId }, 'R')
  await deps.groups.getGroupById(principal, item.groupId, 'RS')
  const recipients = await findRecipients(deps.findUser, { emails, field: 'emails' })
  if (recipients.some(({ userId }) => userId === principal.userId))
    throw invalidInput([{ field: 'emails', message: 'You already have access to this pipeline.' }])
  const { groupNames, tasksWithExpressions } = await groupsOfPipeline(deps, principal, {
    groupName: item.groupName,
    tasks: item.content.tasks,
    triggers: await deps.listTriggers(principal, item.id),
  })
  if (previewed !== undefined && groupNames.some((name) => !previewed.includes(name)))
    throw pipelineErrors.groupsChanged()
  const groups: PipelineSharing['groups'] = []
  const shareable: AccessibleGroup[] = []
  for (const groupName of groupNames) {
    const group = await unlessRefused(deps.groups.getGroup(principal, groupName, 'RS'))
    if (group !== undefined) shareable.push(group)
    groups.push({ groupName, canShare: group !== undefined, recipients: [] })
  }
  const mail = {
    pipelineName: item.name,
    groupName: item.groupName,
    sender: principal.userName,
    message,
    path: pathOf(url)!,
    publicUrl: deps.publicUrl,
  }
  const shareGrant = { access: 'R', sharedBy: principal.userId } as const
  await deps.store.transaction(async (executor) => {
    for (const group of shareable) {
      const userIds = recipients.map(({ userId }) => userId)
      const before = await deps.grants.effective(group.id, userIds, executor)
      const limited = await deps.grants.withRange(group.id, userIds, executor)
      const isShared = dryRun || (await deps.grants.shareDirectly(group, userIds, shareGrant, executor))
      const entry = groups.find(({ groupName }) => groupName === group.name)!
      if (isShared) entry.recipients = recipients.map((each) => accessOf(each, before, limited))
      else entry.canShare = false
    }
    if (!dryRun)
      for (const { email } of recipients)
        await deps.queue.enqueue(mailJob, { ...mail, to: email }, {}, executor)
  })
  return {
    groups,
    groupsNotShared: groups.filter(({ canShare }) => !canShare).map(({ groupName }) => groupName),
    tasksWithExpressions,
  }
}

function accessOf(
  { userId, email }: Recipient,
  held: ReadonlyMap<number, GroupAccessMode>,
  limited: ReadonlySet<number>,
) {
  const before = held.get(userId) ?? null
  return { email, before, replacesRange: limited.has(userId), after: before ?? ('R' as const) }
}
