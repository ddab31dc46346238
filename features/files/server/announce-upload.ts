import { randomUUID } from 'node:crypto'
import { groupErrors } from '@headwater/groups/contract'
import type { Principal } from '@headwater/server-kit'
import type { NewJob } from '@headwater/statuses/server'
import { fileErrors, isZippedName, type NewFile } from '../contract/index.ts'
import type { UploadDependencies } from './upload-dependencies.ts'
import { readUploadFields } from './upload-fields.ts'

/** Time in which the content of an announced file can be uploaded, in ms. */
export const uploadPermitMs = 24 * 3_600_000

/**
 * Announces a file and returns the permit for its content.
 * @param keeper user who needs write access to the group; default the owner
 * @throws groupNeeded, groupNotFound, groupForbidden
 */
export async function announceUpload(
  deps: UploadDependencies,
  principal: Principal,
  file: NewFile,
  jobHeader: string | undefined,
  keeper: Principal = principal,
): Promise<{ fileId: string; jobId: string; token: string }> {
  const groupName = file.groupName?.trim() || (await deps.statuses.groupNameOf(principal, jobHeader))
  if (groupName === undefined) throw fileErrors.groupNeeded()
  const group = await deps.groups.getGroup(keeper, groupName, 'RW')
  const fields = readUploadFields(file.fields, group.fields)
  const fileId = randomUUID()
  const about = { fileId, fileName: file.fileName, fileType: file.fileType, groupName: group.name }
  const announced = {
    ...fields,
    id: fileId,
    groupId: group.id,
    name: file.fileName,
    type: file.fileType,
    ownerId: principal.userId,
    zipped: file.zipped ?? isZippedName(file.fileName),
    run: principal.run,
  }
  const job: NewJob = {
    type: 'ETL',
    name: group.name,
    group,
    ownerId: principal.userId,
    payload: about,
    followsComponents: true,
    status: 'PENDING',
  }
  const component = {
    eId: fileId,
    component: 'ETL',
    status: 'PENDING',
    message: 'Waiting for the upload.',
    payload: about,
    groupId: group.id,
  } as const
  const jobId = await deps.store.transaction(async (executor) => {
    const id = await deps.statuses.joinOrStartJob(principal, jobHeader, job, executor)
    if (!(await deps.store.announce({ ...announced, jobId: id }, deps.clock.now(), executor)))
      throw groupErrors.groupNotFound({ name: group.name })
    await deps.statuses.addComponent(id, component, executor)
    return id
  })
  const ends = new Date(deps.clock.now().getTime() + uploadPermitMs)
  return {
    fileId,
    jobId,
    token: deps.links.sign('upload', fileId, { userId: principal.userId, ends, run: principal.run }),
  }
}
