import type { EventEmitter, Executor } from '@headwater/server-kit'
import type { FileLocation, FileVersion } from './file-rows.ts'

/** Handlers of file changes. They run in the transaction of the change. */
export interface FileEvents {
  /** A version arrived. It is the newest version of the file. */
  onFileArrived: (file: FileVersion, executor: Executor) => Promise<void>
  /** All versions of a file were moved to another name or group. */
  onFileMoved: (from: FileLocation, to: FileLocation, executor: Executor) => Promise<void>
  /** A version was deleted. */
  onFileDeleted: (file: FileVersion, executor: Executor) => Promise<void>
}

/** Emitters of changes of files. */
export interface FileChanges {
  /** A version arrived; emitted in the transaction. */
  arrived: EventEmitter<Parameters<FileEvents['onFileArrived']>>
  /** All versions of a file were moved to another name or group; emitted in the transaction. */
  moved: EventEmitter<Parameters<FileEvents['onFileMoved']>>
  /** A version was deleted; emitted in the transaction. */
  deleted: EventEmitter<Parameters<FileEvents['onFileDeleted']>>
  /** A deleted version was restored; emitted in the transaction. */
  restored: EventEmitter<Parameters<FileEvents['onFileArrived']>>
  /** Deleted versions can no longer be restored; emitted in the transaction. */
  purged: EventEmitter<[fileIds: string[], executor: Executor]>
  /** Files were deleted; emitted after the transaction and before the response. */
  afterDeletion: EventEmitter<[fileIds: string[]]>
}
