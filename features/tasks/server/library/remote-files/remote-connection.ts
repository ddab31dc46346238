import type { Readable } from 'node:stream'
import type { ErrorClass } from '@headwater/runs/contract'

/** A file of a remote folder. */
export interface RemoteFile {
  /** Name without its folder. */
  name: string
  /** Size in bytes. */
  sizeBytes: number
  /** Text that changes with the content, such as the time of the last change; can be empty. */
  modified: string
}

/** An open connection to a server with files. */
export interface RemoteConnection {
  /** Returns the files of a folder, without folders and links. */
  list(folder: string): Promise<RemoteFile[]>
  /** Returns the time of the last change of a file whose list has none, as a string; empty if the server does not know it. */
  timeOf(path: string): Promise<string>
  /**
   * Returns the content of a file; the caller reads it to its end or destroys it. Only one content is read at a time.
   */
  read(path: string, sizeBytes: number): Promise<Readable>
  /** Closes the connection. */
  close(): void
}

/** A problem of the connection or of the server, with a sentence for users. */
export class RemoteError extends Error {
  /** Class of the error, which decides whether a step is retried. */
  readonly errorClass: ErrorClass

  constructor(message: string, errorClass: ErrorClass = 'other') {
    super(message)
    this.errorClass = errorClass
  }
}

/** Maximum number of entries of a remote folder. */
export const maxEntries = 100_000
