import type { Page } from '@headwater/contract'
import {
  formatUtcSeconds,
  isRefusal,
  unlessRefused,
  type Clock,
  type ContentStore,
  type Principal,
} from '@headwater/server-kit'
import type { DataRange, GroupAccess } from '@headwater/groups/server'
import type { Statuses } from '@headwater/statuses/server'
import {
  countedFiles,
  fileErrors,
  getFile,
  isMarkdown,
  isSeriesFile,
  previewedBytes,
  type FieldPair,
  type File,
  type SeriesPreview,
  type TablePreview,
} from '../contract/index.ts'
import type { FileChanges } from './file-changes.ts'
import { parseFileQuery } from './file-query.ts'
import type { FileLocation, ReadyFile } from './file-rows.ts'
import type { FilesStore } from './files-store.ts'
import { readSeriesPreview } from './preview-series.ts'
import { createPreviewTable } from './preview-table.ts'
import type { FileOrder } from './search-files.ts'
import { changeFields } from './upload-fields.ts'
import { transferOwnership, type OwnershipTransfer } from './transfer-ownership.ts'
import type { UploadLimits } from './upload-limits.ts'

/** Dependencies of the service. */
export interface FilesServiceDependencies {
  /** Stores files. */
  store: FilesStore
  /** Contains the contents. */
  contents: ContentStore
  /** Limits of transfers. */
  limits: Pick<UploadLimits, 'transferAdmission'>
  /** Checks access to groups. */
  groups: GroupAccess
  /** Statuses of uploads. */
  statuses: Pick<Statuses, 'statusesOfComponents'>
  /** Returns the id of a user by e-mail address. */
  findUserId: (userName: string) => Promise<number | undefined>
  /** Returns the principal of an active user. */
  findPrincipal: (userId: number) => Promise<Principal | undefined>
  /** Time of deletions. */
  clock: Clock
  /** Whether deleted files can be restored. */
  keepsDeleted: boolean
  /** Emits the deletion of files. */
  changes: Pick<FileChanges, 'afterDeletion'>
}

/** The service of stored files. */
export type FilesService = ReturnType<typeof createFilesService>

const orders: Record<string, FileOrder> = {
  arrivalTime: 'arrival',
  name: 'name',
  fileName: 'name',
  type: 'type',
  fileType: 'type',
  groupName: 'groupName',
  size: 'size',
  owner: 'owner',
  version: 'version',
}
const newestFirst: readonly FileOrder[] = ['arrival', 'size', 'version']

/** Creates the service that searches, reads, changes and deletes stored files. */
export function createFilesService(dependencies: FilesServiceDependencies) {
  const { store, contents, groups, statuses, findPrincipal, changes } = dependencies
  const { clock, keepsDeleted } = dependencies
  const previewTable = createPreviewTable(contents)

  /**
   * Returns a file that the caller can read, including files within the range of a share. Use it only if the bytes go to the
   * caller.
   */
  async function requireOwnView(principal: Principal, fid: string) {
    try {
      return { ...(await requireFile(principal, fid, 'R')), range: undefined }
    } catch (error) {
      const file = isRefusal(error) ? await store.findReady(fid) : undefined
      const limited = file && (await groups.findLimited(principal, { id: file.groupId }))
      if (file === undefined || limited === undefined || !isWithin(file, limited.range)) throw error
      const latest = await store.isNewestWithin(file.id, limited.range)
      return { file: { ...file, latest }, range: limited.range }
    }
  }

  async function requireFile(principal: Principal, fid: string, mode: 'R' | 'RW') {
    const file = await store.findReady(fid)
    if (file === undefined) throw fileErrors.fileNotFound({ fid })
    try {
      const group = await groups.getGroupById(principal, file.groupId, mode)
      return { file, group }
    } catch (error) {
      // The response must not reveal whether a file exists in a group that the caller cannot see.
      if ((error as { status?: number }).status === 404) throw fileErrors.fileNotFound({ fid })
      throw error
    }
  }

  return {
    async search(
      principal: Principal,
      query: {
        size: number
        from: number
        query: string
        latest?: boolean | undefined
        extensions?: string | undefined
        withStatus: boolean
        exactTotal?: boolean | undefined
        sortBy: string
        sortOrder?: 'asc' | 'desc' | undefined
        [stray: string]: unknown
      },
    ): Promise<Page<File> & { files: File[]; totalIsAtLeast?: boolean }> {
      const { size, from, query: text, latest, extensions, withStatus, exactTotal, ...more } = query
      const { sortBy, sortOrder, ...stray } = more
      const parsed = parseFileQuery(text, stray)
      const order = orders[sortBy] ?? 'arrival'
      const { files, total, isAtLeast } = await store.search({
        query: { ...parsed, latest: latest ?? parsed.latest, extensions: extensions?.split(',') },
        scope: await groups.scope(principal),
        limited: await groups.listLimited(principal),
        sortBy: order,
        sortOrder: sortOrder ?? (newestFirst.includes(order) ? 'desc' : 'asc'),
        from,
        size,
        countUpTo: exactTotal === true ? Infinity : countedFiles,
      })
      const statusById = withStatus
        ? await statuses.statusesOfComponents(files.map((file) => ({ jobId: file.jobId, eId: file.id })))
        : new Map()
      const items = files.map((file) => toFile(file, statusById.get(file.id)))
      return { from, totalSize: total, items, files: items, ...(isAtLeast ? { totalIsAtLeast: true } : {}) }
    },

    async get(principal: Principal, fid: string): Promise<File> {
      return toFile((await requireOwnView(principal, fid)).file)
    },

    /** Returns the stored file for a download by the caller. */
    async getDownload(principal: Principal, fid: string): Promise<ReadyFile> {
      return (await requireOwnView(principal, fid)).file
    },

    /** Returns the stored file for a caller with read access to the whole group. */
    async getReadable(principal: Principal, fid: string): Promise<ReadyFile> {
      return (await requireFile(principal, fid, 'R')).file
    },

    /**
     * Returns a markdown file for a caller who can read it or, with RW, write to its group.
     * @throws fileNotFound, groupForbidden, notMarkdown
     */
    async getMarkdown(principal: Principal, fid: string, mode: 'R' | 'RW'): Promise<ReadyFile> {
      const { file } = await (mode === 'R'
        ? requireOwnView(principal, fid)
        : requireFile(principal, fid, 'RW'))
      if (!isMarkdown({ fileName: file.name, fileType: file.type }))
        throw fileErrors.notMarkdown({ fileName: file.name })
      return file
    },

    /**
     * Returns the stored file for the user of a download permit.
     * @throws fileNotFound; linkNotValid if the user no longer has read access
     */
    async getPermitted(fid: string, userId: number): Promise<ReadyFile> {
      const file = await store.findReady(fid)
      if (file === undefined) throw fileErrors.fileNotFound({ fid })
      const user = await findPrincipal(userId)
      if (user === undefined || !user.can(getFile.permission.resource, getFile.permission.mode))
        throw fileErrors.linkNotValid()
      if ((await unlessRefused(requireOwnView(user, fid))) === undefined) throw fileErrors.linkNotValid()
      return file
    },

    /**
     * Returns hash and size of the content of a version, without checking access; undefined if it no longer exists.
     */
    async contentOf(fid: string): Promise<{ hash: string; sizeBytes: number } | undefined> {
      return store.findReady(fid)
    },

    /** Returns the ids of the versions of a file with a type ('' for any type), without checking access. */
    versionIds: (at: FileLocation, type: string): Promise<string[]> => store.versionIds(at, type),

    readContent: (file: { hash: string }, range?: { start: number; end: number }) =>
      contents.read(file.hash, range),

    /** Returns the beginning of a series file, with facts about its rows. */
    async previewSeries(principal: Principal, fid: string): Promise<SeriesPreview> {
      const { file } = await requireOwnView(principal, fid)
      if (!isSeriesFile(file.type)) throw fileErrors.notSeriesFile({ fileName: file.name })
      const isWhole = file.sizeBytes <= previewedBytes
      const range = isWhole ? undefined : { start: 0, end: previewedBytes - 1 }
      return readSeriesPreview(await contents.read(file.hash, range), isWhole)
    },

    /**
     * Returns the first rows and columns of an XLSX or Parquet file.
     * @param request.sheet position of the sheet of a workbook, from 1
     * @throws fileNotFound, notTableFile, tableTooLarge, tableNotReadable, tooManyTablePreviews
     */
    async previewTable(
      principal: Principal,
      fid: string,
      request: { sheet: number; signal: AbortSignal },
    ): Promise<TablePreview> {
      const { file } = await requireOwnView(principal, fid)
      return previewTable(file, { userId: principal.userId, ...request })
    },

    /** Returns the number of files in a group, without older versions. */
    countIn: (groupId: number): Promise<number> => store.countIn(groupId),
    /** Returns the ids of the files of a group that a user with a range can read. */
    idsWithin: (groupId: number, range: DataRange): Promise<string[]> => store.idsWithin(groupId, range),

    async listVersions(
      principal: Principal,
      fid: string,
      page: { from: number; size: number },
    ): Promise<Page<File>> {
      const { file, range } = await requireOwnView(principal, fid)
      const { files, total } = await store.listVersions(file, { ...page, range })
      return { from: page.from, totalSize: total, items: files.map((version) => toFile(version)) }
    },

    /**
     * Changes metadata of a file.
     * @param metadataVersion version of the metadata on which the change is based. If there is a newer one, the change is
     * rejected. Default: any version
     * @throws fileNotFound, groupForbidden, metadataChanged, metadataNotValid, fieldTwice
     */
    async update(
      principal: Principal,
      fid: string,
      fields: FieldPair[],
      metadataVersion?: number,
    ): Promise<File> {
      const { file, group } = await requireFile(principal, fid, 'RW')
      const outcome = await store.updateFields(file.id, metadataVersion, (stored) =>
        changeFields(stored, fields, group.fields),
      )
      if (outcome === 'gone') throw fileErrors.fileNotFound({ fid })
      const changed = (await requireFile(principal, fid, 'R')).file
      if (outcome === 'changed')
        throw fileErrors.metadataChanged({ fileName: changed.name, version: changed.fieldsVersion })
      return toFile(changed)
    },

    /** See {@link transferOwnership}. */
    transferOwnership: (principal: Principal, change: OwnershipTransfer) =>
      transferOwnership(dependencies, principal, change),

    /** Deletes a version of a file. Moves it to the trash if the installation has one and `isPermanent` is false. */
    async remove(principal: Principal, fid: string, { isPermanent = false } = {}): Promise<void> {
      const { file } = await requireFile(principal, fid, 'RW')
      await store.remove(file.id, {
        byUserId: principal.userId,
        at: clock.now(),
        isPermanent: isPermanent || !keepsDeleted,
      })
      await changes.afterDeletion.emit([file.id])
    },
  }
}

/** Returns whether a file has a data range that lies within a range. */
function isWithin({ dataStart, dataEnd }: ReadyFile, { from, to }: DataRange): boolean {
  if (dataStart === undefined || dataEnd === undefined) return false
  return (from === null || dataStart >= from.getTime()) && (to === null || dataEnd < to.getTime())
}

/** Converts a stored file for a response. */
function toFile(file: ReadyFile, status?: { status: string; message: string }): File {
  return {
    fid: file.id,
    id: file.id,
    fileName: file.name,
    name: file.name,
    fileType: file.type,
    groupName: file.groupName,
    groupId: file.groupId,
    fields: file.fields,
    metadataVersion: file.fieldsVersion,
    arrivalTime: formatUtcSeconds(file.arrivedAt),
    owner: file.ownerName,
    size: file.sizeBytes,
    zipped: file.zipped,
    version: file.version,
    latest: file.latest,
    sha256: file.hash,
    jobId: file.jobId,
    ...(file.dataStart === undefined ? {} : { dataStart: file.dataStart }),
    ...(file.dataEnd === undefined ? {} : { dataEnd: file.dataEnd }),
    ...(status === undefined ? {} : { status }),
  }
}
