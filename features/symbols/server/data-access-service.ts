import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { AppError } from '@headwater/contract'
import type { Files } from '@headwater/files/server'
import type { GroupAccess, Groups } from '@headwater/groups/server'
import type { Clock, Principal } from '@headwater/server-kit'
import {
  dataRequestEnvironments,
  dataRequestsGroup,
  symbolErrors,
  type DataAccessRequest,
} from '../contract/index.ts'

/** Dependencies of the data access service. */
export interface DataAccessDependencies {
  /** Stores the requests. */
  files: Pick<Files, 'create' | 'putContent'>
  /** Checks whether the group exists. */
  access: GroupAccess
  /** Creates the group of the requests. */
  createGroup: Groups['create']
  /** Returns an administrator, who owns the group of the requests. */
  findAdministrator: () => Promise<Principal | undefined>
  /** Name of the environment, which determines whether requests are available. */
  environment: string
  /** Time for the names of the files. */
  clock: Clock
}

/** The service for data access requests. */
export type DataAccessService = ReturnType<typeof createDataAccessService>

/** Creates the service that stores requests for access to data as files. Their authors need no access to the group. */
export function createDataAccessService(dependencies: DataAccessDependencies) {
  const { files, access, createGroup, findAdministrator, environment, clock } = dependencies

  /** Creates the group of the requests if it is missing, and returns the administrator who owns it. */
  async function ensureGroup(): Promise<Principal> {
    const administrator = await findAdministrator()
    if (administrator === undefined) throw symbolErrors.dataRequestsNotAvailable()
    const isThere = () =>
      access.getGroup(administrator, dataRequestsGroup, 'R').then(
        () => true,
        (error: unknown) => {
          if (error instanceof AppError && error.status === 404) return false
          throw error
        },
      )
    if (await isThere()) return administrator
    try {
      await createGroup(administrator, {
        name: dataRequestsGroup,
        description: 'Requests of users for access to data',
        fields: [],
        groupTags: [],
      })
    } catch (error) {
      if (!(await isThere())) throw error
    }
    return administrator
  }

  return {
    async request(
      principal: Principal,
      { insightName, insightGroup, tileTitle, requestedData }: DataAccessRequest,
    ): Promise<{ fileId: string; fileName: string }> {
      if (!dataRequestEnvironments.includes(environment)) throw symbolErrors.dataRequestsNotAvailable()
      const administrator = await ensureGroup()
      const record = {
        username: principal.userName,
        insightName,
        insightGroup,
        tileTitle,
        requestedData,
      }
      const stamp = clock.now().toISOString().replace(/\D/g, '').slice(0, 14)
      const fileName = `data-request-${stamp}-${randomUUID().slice(0, 8)}.json`
      // The author owns the file and needs no access to the group.
      const { fileId, token } = await files.create(
        principal,
        { groupName: dataRequestsGroup, fileName, fileType: 'SOURCE', fields: [], zipped: false },
        undefined,
        administrator,
      )
      await files.putContent(fileId, token, {
        stream: Readable.from([Buffer.from(JSON.stringify(record, null, 2))]),
        announcedBytes: undefined,
        announcedHash: undefined,
      })
      return { fileId, fileName }
    },
  }
}
