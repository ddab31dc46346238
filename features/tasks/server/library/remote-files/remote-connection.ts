import type { Readable } from 'node:stream'
import type { ErrorClass } from '@headwater/runs/contract'

/** A file of a remote folder. */
export interface RemoteFile {
  /** Name without its folder. */
  name: string
  /** Size in bytes. */
  sizeBytes: number
  /** String that changes with the content, such as the modification time; can be empty. */
  modified: string
}

/** An open connection to a server with files. */
export interface RemoteConnection {
  /** Returns the files of a folder, without folders and links. */
  list(folder: string): Promise<RemoteFile[]>
  /** Returns the modification time of a file that was listed without one, as a string; empty if the server does not know it. */
  timeOf(path: string): Promise<string>
  /**
   * Returns the content of a file. The caller must read it to the end or destroy it. Only one file can be read at a time.
   */
  read(path: string, sizeBytes: number): Promise<Readable>
  /** Closes the connection. */
  close(): void
}

/** A problem with the connection or the server, with a message for users. */
export class RemoteError extends Error {
  /** Error class, which determines whether a step is retried. */
  readonly errorClass: ErrorClass

  constructor(message: string, errorClass: ErrorClass = 'other') {
    super(message)
    this.errorClass = errorClass
  }
}

/** Maximum number of entries of a remote folder. */
export const maxEntries = 100_000
